#if os(Linux)
internal import HaloTransport

extension DBusSession {
    mutating func export(
        _ object: DBusObject, at path: DBusObjectPath
    ) throws(DBusError) {
        try checkRoom()
        guard objects.objects[path] == nil else {
            throw DBusError(.unreachable, details: "there is an object at \(path) already")
        }
        // An object whose signal cannot be sent is not exported.
        try signalManagers(of: path, DBusObjectManager.interfacesAdded) { object.description($0) }
        objects.objects[path] = object
    }

    /// Removes an object; object managers above signal it. Returns `false` if there was none.
    @discardableResult
    mutating func unexport(_ path: DBusObjectPath) -> Bool {
        guard let object = objects.objects.removeValue(forKey: path) else { return false }
        for (id, request) in objects.requests.sortedByKey where request.path == path {
            refuse(id, .unknownObject(path))
        }
        try? signalManagers(of: path, DBusObjectManager.interfacesRemoved) {
            .strings(object.interfaceNames($0))
        }
        return true
    }

    /// Sets values, or removes them by `nil`; one signal announces all, if `emitsChange`.
    mutating func set(
        _ values: [String: DBusValue?], of interface: String, at path: DBusObjectPath,
        emitsChange: Bool = true
    ) throws(DBusError) {
        try checkRoom()
        guard let description = objects.objects[path]?.interface(interface) else {
            throw DBusError(.unreachable, details: "no such interface at \(path): \(interface)")
        }
        var changed: [String: DBusValue] = [:]
        var invalidated: [String] = []
        for (name, value) in values.sortedByKey {
            guard let property = description.property(name), value?.isOf(property.type) != false
            else {
                throw DBusError(.unreachable, details: "no such property: \(interface).\(name)")
            }
            if let value { changed[name] = value } else { invalidated.append(name) }
        }
        if emitsChange, !changed.isEmpty || !invalidated.isEmpty {
            try enqueueSignal(
                DBusSignal(
                    DBusProperties.propertiesChanged, of: DBusProperties.interfaceName, at: path,
                    [.string(interface), .properties(changed), .strings(invalidated)]))
        }
        for (name, value) in values {
            objects.objects[path]?.values[interface, default: [:]][name] = value
        }
    }

    /// Replies to a request, once; a written property gets its value.
    mutating func reply(
        _ id: UInt64, _ values: [DBusValue], _ descriptors: DBusDescriptors? = nil
    ) {
        guard let request = objects.requests.removeValue(forKey: id) else { return }
        switch request.subject {
        case .method(let types):
            guard values.areOf(types) else {
                return respond(to: request, .failure(.failed("The reply has other types")))
            }
            respond(to: request, .success(values), descriptors)
        case .property(let name, let value):
            respond(to: request, .success([]))
            try? set([name: value], of: request.interface, at: request.path)
        }
    }

    /// Replies with an error; a second reply is ignored.
    mutating func refuse(_ id: UInt64, _ refusal: DBusRefusal) {
        guard let request = objects.requests.removeValue(forKey: id) else { return }
        respond(to: request, .failure(refusal))
    }

    mutating func receiveCall(_ message: DBusMessage) {
        guard case .call(let path, let interface, let member) = message.kind else { return }
        var request = DBusObjectRequest(
            path: path, interface: interface ?? "", member: member, arguments: message.body,
            sender: message.sender, serial: message.serial,
            wantsReply: !message.flags.contains(.noReplyExpected))
        switch objects.answer(member, of: interface, at: path, message.body) {
        case .reply(let values): respond(to: request, .success(values))
        case .refuse(let refusal): respond(to: request, .failure(refusal))
        case .request(let subject, let interface):
            guard objects.requests.count < limits.requests else {
                return respond(to: request, .failure(.limitExceeded))
            }
            (request.subject, request.interface) = (subject, interface.name)
            add(.request(objects.add(request)))
        }
    }

    mutating func respond(
        to request: DBusObjectRequest, _ result: Result<[DBusValue], DBusRefusal>,
        _ descriptors: DBusDescriptors? = nil
    ) {
        guard request.wantsReply else { return }
        var message: DBusMessage
        switch result {
        case .success(let values):
            message = DBusMessage(.reply(to: request.serial), serial: nextSerial(), body: values)
        case .failure(let refusal):
            message = DBusMessage(
                .error(name: refusal.name, to: request.serial), serial: nextSerial(),
                body: refusal.details.isEmpty ? [] : [.string(refusal.details)])
        }
        message.flags = .noReplyExpected
        message.destination = request.sender
        do throws(DBusError) {
            try enqueue(message, descriptors)
        } catch {
            // Results that cannot be encoded become an error reply.
            guard case .success = result else { return }
            respond(to: request, .failure(.failed(error.description)))
        }
    }

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
        try signalManagers(of: path, DBusObjectManager.interfacesAdded) { _ in
            DBusInterface.dictionary([described])
        }
        objects.objects[path] = object
    }

    /// Removes an interface; object managers above signal it. Returns `false` if there was none.
    mutating func remove(
        _ interface: String, from path: DBusObjectPath
    ) throws(DBusError) -> Bool {
        guard var object = objects.objects[path], object.interface(interface) != nil else {
            return false
        }
        object.interfaces.removeAll { $0.name == interface }
        object.values[interface] = nil
        objects.objects[path] = object
        try signalManagers(of: path, DBusObjectManager.interfacesRemoved) { _ in
            .strings([interface])
        }
        return true
    }

    /// Replies to the write of a property, and does not change the value.
    mutating func acknowledge(_ id: UInt64) {
        guard let request = objects.requests.removeValue(forKey: id) else { return }
        respond(to: request, .success([]))
    }

    private mutating func signalManagers(
        of path: DBusObjectPath, _ member: String,
        _ content: (DBusObject.ObjectManagement) -> DBusValue
    ) throws(DBusError) {
        for (manager, management) in objects.managers(of: path) {
            try enqueueSignal(
                DBusSignal(
                    member, of: DBusObjectManager.interfaceName, at: manager,
                    [.objectPath(path), content(management)]))
        }
    }
}
#endif
