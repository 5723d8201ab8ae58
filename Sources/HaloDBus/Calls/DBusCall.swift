#if os(Linux)
/// A call of a method.
public struct DBusCall: Hashable, Sendable {
    /// The name of the callee.
    public var destination: String
    /// The object path of the callee.
    public var path: DBusObjectPath
    /// The interface of the method.
    public var interface: String
    /// The name of the method.
    public var member: String
    /// The arguments.
    public var arguments: [DBusValue]
    /// Flags of the message.
    public var flags: DBusMessage.Flags

    /// Creates a call.
    public init(
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
public struct DBusReply: Sendable {
    /// The results.
    public let values: [DBusValue]
    /// The unique name of the callee.
    public let sender: String?
    /// The descriptors that came with the results.
    public let descriptors: DBusDescriptors

    /// Creates a reply.
    public init(
        _ values: [DBusValue] = [], sender: String? = nil,
        descriptors: DBusDescriptors = DBusDescriptors()
    ) {
        self.values = values
        self.sender = sender
        self.descriptors = descriptors
    }

    /// Returns the first result; throws ``DBusError/Kind/unexpectedReply`` if there is none.
    public func first() throws(DBusError) -> DBusValue {
        guard let value = values.first else {
            throw DBusError(.unexpectedReply, details: "a reply without a value")
        }
        return value
    }

    /// Returns the first result as a Swift type; throws ``DBusError/Kind/unexpectedReply`` if there
    /// is none, or it has another type.
    public func first<Value: DBusConvertible>(as type: Value.Type) throws(DBusError) -> Value {
        try first().decoded(as: type)
    }

    /// Returns all results as Swift types; throws ``DBusError/Kind/unexpectedReply`` if their
    /// number or their types differ.
    public func values<each Value: DBusConvertible>(
        _ types: repeat (each Value).Type
    ) throws(DBusError) -> (repeat each Value) { try DBusValue.decode(values, repeat each types) }
}

/// A signal of an object.
public struct DBusSignal: Sendable {
    /// The path of the object that emits the signal.
    public let path: DBusObjectPath
    /// The interface of the signal.
    public let interface: String
    /// The name of the signal.
    public let member: String
    /// The unique name of the sender.
    public let sender: String?
    /// The arguments.
    public let values: [DBusValue]
    /// The descriptors that came with the signal.
    public var descriptors: DBusDescriptors { ownDescriptors ?? DBusDescriptors() }

    /// The descriptors; `nil` for most signals, which then need no allocation.
    let ownDescriptors: DBusDescriptors?

    /// Creates a signal.
    public init(
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

    /// Returns all arguments as Swift types; throws ``DBusError/Kind/unexpectedReply`` if their
    /// number or their types differ.
    public func values<each Value: DBusConvertible>(
        _ types: repeat (each Value).Type
    ) throws(DBusError) -> (repeat each Value) { try DBusValue.decode(values, repeat each types) }
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
