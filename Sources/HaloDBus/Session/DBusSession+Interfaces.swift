#if os(Linux)
extension DBusSession {
    /// Gives an exported object one more interface, and tells of it.
    mutating func add(
        _ interface: DBusInterface, _ values: [String: DBusValue], to path: DBusObjectPath
    ) throws(DBusError) {
        try checkRoom()
        guard var object = objects.objects[path], object.interface(interface.name) == nil else {
            throw DBusError(.unreachable, details: "no room for \(interface.name) at \(path)")
        }
        object.interfaces.append(interface)
        object.values[interface.name] = values
        let described = (name: interface.name, values: DBusValue.properties(values))
        try tellManagers(
            of: path, DBusInterface.interfacesAdded, DBusInterface.dictionary([described]))
        replace(object, at: path)
    }

    /// Takes an interface from an exported object, and tells of it; whether there was one.
    mutating func remove(
        _ interface: String, from path: DBusObjectPath
    ) throws(DBusError) -> Bool {
        guard var object = objects.objects[path], object.interface(interface) != nil else {
            return false
        }
        object.interfaces.removeAll { $0.name == interface }
        object.values[interface] = nil
        replace(object, at: path)
        try tellManagers(of: path, DBusInterface.interfacesRemoved, .strings([interface]))
        return true
    }

    /// Says yes to another value of a property, and changes nothing.
    mutating func acknowledge(_ id: UInt64) {
        guard let request = objects.takeRequest(id) else { return }
        respond(to: request, .success([]))
    }

    private mutating func replace(_ object: DBusObject, at path: DBusObjectPath) {
        _ = objects.remove(path)
        _ = objects.add(object, at: path)
    }

    private mutating func tellManagers(
        of path: DBusObjectPath, _ member: String, _ what: DBusValue
    ) throws(DBusError) {
        for (manager, _) in objects.managers(of: path) {
            try enqueueSignal(
                DBusSignal(
                    member, of: DBusInterface.objectManager.name, at: manager,
                    [.objectPath(path), what]))
        }
    }
}
#endif
