#if os(Linux)
/// A call of a method.
package struct DBusCall: Hashable, Sendable {
    /// The name of the callee.
    package var destination: String
    /// The object path of the callee.
    package var path: DBusObjectPath
    /// The interface of the method.
    package var interface: String
    /// The name of the method.
    package var member: String
    /// The arguments.
    package var arguments: [DBusValue]
    /// Flags of the message.
    package var flags: DBusMessage.Flags

    /// Creates a call.
    package init(
        _ member: String, of interface: String, at path: DBusObjectPath, on destination: String,
        _ arguments: [DBusValue] = [], flags: DBusMessage.Flags = []
    ) {
        self.destination = destination
        self.path = path
        self.interface = interface
        self.member = member
        self.arguments = arguments
        self.flags = flags
    }

    /// Creates a call of the bus itself.
    static func bus(_ member: String, _ arguments: DBusValue...) -> DBusCall {
        DBusCall(member, of: DBusName.bus, at: .bus, on: DBusName.bus, arguments)
    }

    func message(serial: UInt32) -> DBusMessage {
        DBusMessage(
            .call(path: path, interface: interface, member: member), serial: serial,
            destination: destination, flags: flags, body: arguments)
    }
}

/// The reply to a call.
package struct DBusReply: Sendable {
    /// The results.
    package let values: [DBusValue]
    /// The unique name of the callee.
    package let sender: String?
    /// The descriptors that came with the results.
    package let descriptors: DBusDescriptors

    /// Creates a reply.
    package init(
        _ values: [DBusValue] = [], sender: String? = nil,
        descriptors: DBusDescriptors = DBusDescriptors()
    ) {
        self.values = values
        self.sender = sender
        self.descriptors = descriptors
    }

    /// Returns the first result; throws ``DBusError/Kind/unexpectedReply`` if there is none.
    package func first() throws(DBusError) -> DBusValue {
        guard let value = values.first else {
            throw DBusError(.unexpectedReply, details: "a reply without a value")
        }
        return value
    }
}

/// A signal of an object.
package struct DBusSignal: Sendable {
    /// The path of the object that emits the signal.
    package let path: DBusObjectPath
    /// The interface of the signal.
    package let interface: String
    /// The name of the signal.
    package let member: String
    /// The unique name of the sender.
    package let sender: String?
    /// The arguments.
    package let values: [DBusValue]
    /// The descriptors that came with the signal.
    package var descriptors: DBusDescriptors { ownDescriptors ?? DBusDescriptors() }

    /// The descriptors; `nil` for most signals, which then need no allocation.
    let ownDescriptors: DBusDescriptors?

    /// Creates a signal.
    package init(
        _ member: String, of interface: String, at path: DBusObjectPath,
        _ values: [DBusValue] = [], sender: String? = nil, descriptors: DBusDescriptors? = nil
    ) {
        self.path = path
        self.interface = interface
        self.member = member
        self.sender = sender
        self.values = values
        ownDescriptors = descriptors
    }
}

/// Consecutive values of one property whose type is `ay`: the content of several
/// `PropertiesChanged` signals that differ in nothing else.
package struct DBusPropertyValues: Sendable {
    let source: DBusPropertySource
    /// The values, in order.
    package internal(set) var values: [[UInt8]]

    /// Creates values of a property.
    package init(
        _ values: [[UInt8]], of name: String, _ interface: String, at path: DBusObjectPath,
        sender: String? = nil
    ) {
        self.init(
            source: DBusPropertySource(path, interface, name, sender: sender), values: values)
    }

    init(source: DBusPropertySource, values: [[UInt8]]) {
        self.source = source
        self.values = values
    }

    /// The path of the object.
    package var path: DBusObjectPath { source.path }
    /// The interface of the property.
    package var interface: String { source.interface }
    /// The name of the property.
    package var name: String { source.name }
    /// The unique name of the sender.
    package var sender: String? { source.sender }

    /// The signals, one for each value.
    package var signals: [DBusSignal] { values.map { source.signal(changing: $0) } }
}

extension DBusPropertySource {
    /// Creates the signal with `bytes` as the value, or with `nil` the part that all signals share.
    func signal(changing bytes: [UInt8]? = nil) -> DBusSignal {
        var values = [DBusValue.string(interface)]
        if let bytes {
            let entry = DBusEntry(.string(name), .variant(.bytes(bytes)))
            values += [.dictionary(key: .string, value: .variant, [entry]), .array(.string, [])]
        }
        return DBusSignal(
            DBusProperties.propertiesChanged, of: DBusProperties.interfaceName, at: path, values,
            sender: sender)
    }
}
#endif
