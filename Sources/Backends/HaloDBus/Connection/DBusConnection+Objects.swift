#if os(Linux)

extension DBusConnection {
    /// Exports an object at a free path.
    ///
    /// Reads of properties are answered from the stored values; the handler is called for method
    /// calls and property writes. Object managers at paths above signal the new object.
    package func export(
        _ object: DBusObject, at path: DBusObjectPath,
        handler: @escaping @Sendable (DBusRequest) -> Void = { _ in }
    ) throws(DBusError) {
        try hub.update { state throws(DBusError) in
            try state.session.export(object, at: path)
            state.objects[path] = handler
        }
    }

    /// Removes an exported object; `false` if there was none.
    @discardableResult
    package func unexport(_ path: DBusObjectPath) -> Bool {
        let object = hub.update { state in
            state.session.unexport(path)
            return state.objects.removeValue(forKey: path)
        }
        return object != nil
    }

    package func setErrorStyle(_ style: DBusErrorStyle) {
        hub.update { $0.session.objects.errorStyle = style }
    }

    /// Sets values of an exported object's properties, or removes them by `nil`. One
    /// `PropertiesChanged` signals all of them, unless `emitsChange` is `false`.
    package func set(
        _ values: [String: DBusValue?], of interface: String, at path: DBusObjectPath,
        emitsChange: Bool = true
    ) throws(DBusError) {
        try hub.update { state throws(DBusError) in
            try state.session.set(values, of: interface, at: path, emitsChange: emitsChange)
        }
    }

    /// Adds an interface, whose requests go to the object's handler; object managers signal it.
    package func add(
        _ interface: DBusInterface, values: [String: DBusValue] = [:], to path: DBusObjectPath
    ) throws(DBusError) {
        try hub.update { state throws(DBusError) in
            try state.session.add(interface, values, to: path)
        }
    }

    /// Removes an interface from an exported object; object managers above signal it. Returns
    /// `false` if there was none.
    @discardableResult
    package func remove(
        _ interface: String, from path: DBusObjectPath
    ) throws(DBusError) -> Bool {
        try hub.update { state throws(DBusError) in
            try state.session.remove(interface, from: path)
        }
    }
}
#endif
