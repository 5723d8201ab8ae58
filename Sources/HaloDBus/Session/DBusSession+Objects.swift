#if os(Linux)
extension DBusSession {
    /// Puts an object at a path where none is, and tells of it.
    mutating func export(
        _ object: DBusObject, at path: DBusObjectPath
    ) throws(DBusError) {
        try checkRoom()
        guard objects.objects[path] == nil else {
            throw DBusError(.unreachable, details: "there is an object at \(path) already")
        }
        // What cannot be told is not there.
        for (manager, management) in objects.managers(of: path) {
            try enqueueSignal(
                DBusSignal(
                    DBusInterface.interfacesAdded, of: DBusInterface.objectManager.name,
                    at: manager, [.objectPath(path), object.description(management)]))
        }
        _ = objects.add(object, at: path)
    }

    /// Takes an object away, and tells of it; whether there was one.
    @discardableResult
    mutating func unexport(_ path: DBusObjectPath) -> Bool {
        guard let object = objects.remove(path) else { return false }
        for request in objects.requests.values where request.path == path {
            refuse(request.id, .unknownObject(path))
        }
        guard endError == nil else { return true }
        for (manager, management) in objects.managers(of: path) {
            let names = object.interfaceNames(management)
            try? enqueueSignal(
                DBusSignal(
                    DBusInterface.interfacesRemoved, of: DBusInterface.objectManager.name,
                    at: manager, [.objectPath(path), .strings(names)]))
        }
        return true
    }

    /// Gives properties of an object other values, or with nil none, and tells of it in one
    /// signal, unless nobody is to hear of it.
    mutating func set(
        _ values: [String: DBusValue?], of interface: String, at path: DBusObjectPath,
        announces: Bool = true
    ) throws(DBusError) {
        try checkRoom()
        guard let description = objects.objects[path]?.interface(interface) else {
            throw DBusError(.unreachable, details: "no such interface at \(path): \(interface)")
        }
        var changed: [String: DBusValue] = [:]
        var invalidated: [String] = []
        for (name, value) in values.sorted(by: { $0.key < $1.key }) {
            guard let property = description.property(name), value?.isOf(property.type) != false
            else {
                throw DBusError(.unreachable, details: "no such property: \(interface).\(name)")
            }
            switch (property.announcement, value) {
            case (.value, let value?): changed[name] = value
            case (.value, nil), (.invalidation, _): invalidated.append(name)
            case (.nothing, _), (.constant, _): break
            }
        }
        if announces, !changed.isEmpty || !invalidated.isEmpty {
            try enqueueSignal(
                DBusSignal(
                    DBusInterface.propertiesChanged, of: DBusInterface.properties.name, at: path,
                    [.string(interface), .properties(changed), .strings(invalidated)]))
        }
        for (name, value) in values { objects.set(value, name, interface, at: path) }
    }

    /// Answers what was asked; only the first answer counts. A property that was to be written
    /// is.
    mutating func answer(
        _ id: UInt64, _ values: [DBusValue], _ descriptors: DBusDescriptors? = nil
    ) {
        guard let request = objects.takeRequest(id) else { return }
        switch request.subject {
        case .method(let types):
            guard values.count == types.count,
                zip(values, types).allSatisfy({ $0.isOf($1) })
            else {
                return respond(to: request, .failure(.failed("The answer has other types")))
            }
            respond(to: request, .success(values), descriptors)
        case .property(let name, let value):
            respond(to: request, .success([]))
            try? set([name: value], of: request.interface, at: request.path)
        }
    }

    /// Answers what was asked with an error; only the first answer counts.
    mutating func refuse(_ id: UInt64, _ refusal: DBusRefusal) {
        guard let request = objects.takeRequest(id) else { return }
        respond(to: request, .failure(refusal))
    }

    /// Takes in a call from outside.
    mutating func receiveCall(_ message: DBusMessage, _ descriptors: DBusDescriptors) {
        guard case .call(let path, let interface, let member) = message.kind else { return }
        let wantsReply = !message.flags.contains(.noReplyExpected)
        func request(_ subject: DBusObjectRequest.Subject, _ name: String, _ id: UInt64)
            -> DBusObjectRequest
        {
            DBusObjectRequest(
                id: id, subject: subject, path: path, interface: name, member: member,
                arguments: message.body, sender: message.sender, serial: message.serial,
                wantsReply: wantsReply, descriptors: descriptors)
        }
        let nobody = DBusObjectRequest.Subject.method([])
        switch objects.answer(member, of: interface, at: path, message.body) {
        case .reply(let values):
            respond(to: request(nobody, "", 0), .success(values))
        case .refuse(let refusal):
            respond(to: request(nobody, "", 0), .failure(refusal))
        case .request(let subject, let interface):
            guard objects.requests.count < limits.requests else {
                return respond(to: request(nobody, "", 0), .failure(.tooMuch))
            }
            add(.request(objects.add { request(subject, interface.name, $0) }))
        }
    }

    mutating func respond(
        to request: DBusObjectRequest, _ result: Result<[DBusValue], DBusRefusal>,
        _ descriptors: DBusDescriptors? = nil
    ) {
        guard request.wantsReply, endError == nil else { return }
        var message: DBusMessage
        switch result {
        case .success(let values):
            message = DBusMessage(.answer(to: request.serial), serial: nextSerial(), body: values)
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
            // What cannot be written is refused; if that cannot be sent either, it is over.
            guard case .success = result, endError == nil else { return }
            respond(to: request, .failure(.failed(error.description)))
        }
    }
}
#endif
