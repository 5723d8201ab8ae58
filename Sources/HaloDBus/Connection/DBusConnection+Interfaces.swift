#if os(Linux)
extension DBusConnection {
    /// Gives an exported object one more interface; objects above it that manage others tell of
    /// it. What is asked of it goes where it went before.
    public func add(
        _ interface: DBusInterface, values: [String: DBusValue] = [:], to path: DBusObjectPath
    ) throws(DBusError) {
        try hub.update { state throws(DBusError) in
            try state.session.add(interface, values, to: path)
        }
    }

    /// Takes an interface from an exported object, and tells of it; whether there was one.
    @discardableResult
    public func remove(
        _ interface: String, from path: DBusObjectPath
    ) throws(DBusError) -> Bool {
        try hub.update { state throws(DBusError) in
            try state.session.remove(interface, from: path)
        }
    }
}
#endif
