#if os(Linux)
extension DBusSession {
    /// Asks something; the effect ``Effect/answered(_:_:)`` with the number given here follows,
    /// once. Who wants no answer gets an empty one.
    mutating func call(
        _ call: DBusCall, _ descriptors: DBusDescriptors? = nil, until deadline: Int64
    ) throws(DBusError) -> UInt32 {
        try checkRoom()
        guard call.flags.contains(.noReplyExpected) else {
            return try begin(call, .user, descriptors, until: deadline)
        }
        let serial = nextSerial()
        try enqueue(call.message(serial: serial), descriptors)
        addAnswer(.answered(serial, .success(DBusReply())))
        return serial
    }

    /// The answer to a call is not wanted any more.
    mutating func cancel(_ serial: UInt32) {
        guard let call = calls.take(serial) else { return }
        settle(call, .failure(DBusError(.cancelled)))
    }

    /// Says that something has happened, to everybody or to one.
    mutating func emit(
        _ signal: DBusSignal, to destination: String? = nil
    ) throws(DBusError) {
        try checkRoom()
        try enqueueSignal(signal, to: destination)
    }

    mutating func enqueueSignal(
        _ signal: DBusSignal, to destination: String? = nil
    ) throws(DBusError) {
        let kind = DBusMessage.Kind.signal(
            path: signal.path, interface: signal.interface, member: signal.member)
        try enqueue(
            DBusMessage(
                kind, serial: nextSerial(), destination: destination, body: signal.values),
            signal.held)
    }

    @discardableResult
    mutating func begin(
        _ call: DBusCall, _ purpose: DBusPendingCalls.Purpose,
        _ descriptors: DBusDescriptors? = nil, until deadline: Int64
    ) throws(DBusError) -> UInt32 {
        if let endError { throw endError }
        guard calls.count < limits.pendingCalls else {
            throw DBusError(.tooMuch, details: "calls that are not answered")
        }
        let serial = nextSerial()
        try enqueue(call.message(serial: serial), descriptors)
        calls.add(DBusPendingCalls.Call(serial: serial, purpose: purpose, deadline: deadline))
        return serial
    }

    /// Takes in a message.
    mutating func receive(_ message: DBusMessage, _ descriptors: DBusDescriptors?) {
        switch message.kind {
        case .answer(let serial):
            guard let call = calls.take(serial) else { return }
            let reply = DBusReply(
                message.body, sender: message.sender,
                descriptors: descriptors ?? DBusDescriptors())
            settle(call, .success(reply))
        case .error(let name, let serial):
            guard let call = calls.take(serial) else { return }
            var details: String?
            if case .string(let text)? = message.body.first { details = text }
            settle(call, .failure(DBusError(.remote, name: name, details: details)))
        case .signal(let path, let interface, let member):
            receive(
                DBusSignal(
                    member, of: interface, at: path, message.body, sender: message.sender,
                    descriptors: descriptors))
        case .call:
            receiveCall(message, descriptors ?? DBusDescriptors())
        }
    }

    /// A call has ended: tells who made it.
    mutating func settle(
        _ call: DBusPendingCalls.Call, _ result: Result<DBusReply, DBusError>
    ) {
        switch call.purpose {
        case .user:
            addAnswer(.answered(call.serial, result))
        case .hello:
            switch result {
            case .success(let reply):
                if case .string(let name)? = reply.values.first, DBusName.isBusName(name) {
                    greeted(name)
                } else {
                    end(DBusError(.unexpectedAnswer, details: "Hello without a name"))
                }
            case .failure(let error):
                end(error)
            }
        case .match(let text):
            settleMatch(text, call.serial, result.failure)
        case .owner(let name):
            // A name that nobody owns is an error for the bus, and none for us.
            let reply = try? result.get()
            matching.setOwner(of: name, reply?.values.first?.string, askedBy: call.serial)
        }
    }

    private mutating func receive(_ signal: DBusSignal) {
        if signal.sender == DBusName.bus, signal.member == DBusName.ownerChanged,
            case .string(let name)? = signal.values.first,
            case .string(let owner)? = signal.values.last, signal.values.count == 3
        {
            matching.setOwner(of: name, owner.isEmpty ? nil : owner, askedBy: nil)
        }
        let subscriptions = matching.subscriptions(for: signal)
        if !subscriptions.isEmpty { add(.signal(signal, subscriptions)) }
    }
}

extension DBusCall {
    func message(serial: UInt32) -> DBusMessage {
        DBusMessage(
            .call(path: path, interface: interface, member: member), serial: serial,
            destination: destination, flags: flags, body: arguments)
    }
}

extension Result {
    var failure: Failure? {
        if case .failure(let error) = self { error } else { nil }
    }
}
#endif
