#if os(Linux)
internal import Synchronization

extension DBusConnection {
    /// Puts an object at a path where none is.
    ///
    /// Properties are read from the values that are kept here; `receive` is asked for methods,
    /// and before a property is written. Objects above it that manage others tell of it.
    public func export(
        _ object: DBusObject, at path: DBusObjectPath,
        receive: @escaping @Sendable (DBusRequest) -> Void = { _ in }
    ) throws(DBusError) {
        try hub.update { state throws(DBusError) in
            try state.session.export(object, at: path)
            state.objects[path] = receive
        }
    }

    /// Takes an object away; whether there was one.
    @discardableResult
    public func unexport(_ path: DBusObjectPath) -> Bool {
        let object = hub.update { state in
            state.session.unexport(path)
            return state.objects.removeValue(forKey: path)
        }
        return object != nil
    }

    /// Refuses from now on what cannot be answered in other words.
    package func word(refusals wording: DBusWording) {
        hub.update { $0.session.objects.wording = wording }
    }

    /// Gives properties of an exported object other values, or with nil none, and tells of it in
    /// one signal, unless nobody is to hear of it.
    public func set(
        _ values: [String: DBusValue?], of interface: String, at path: DBusObjectPath,
        announces: Bool = true
    ) throws(DBusError) {
        try hub.update { state throws(DBusError) in
            try state.session.set(values, of: interface, at: path, announces: announces)
        }
    }

    /// The value that a property of an exported object has.
    public func value(
        of name: String, of interface: String, at path: DBusObjectPath
    ) -> DBusValue? {
        hub.state.withLock { $0.session.objects.objects[path]?.values[interface]?[name] }
    }
}
#endif
