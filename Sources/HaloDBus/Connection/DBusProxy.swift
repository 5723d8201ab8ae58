#if os(Linux)
/// One interface of a foreign object: calls its methods, reads and writes its properties, and
/// receives its signals.
///
/// ```swift
/// let path = try DBusObjectPath("/org/bluez/hci0")
/// let adapter = connection.proxy(
///     destination: "org.bluez", path: path, interface: "org.bluez.Adapter1")
/// if try await !adapter.get("Powered", as: Bool.self) {
///     try await adapter.set("Powered", to: true)
/// }
/// for try await changes in adapter.propertyChanges() {
///     if let isOn = try changes.value("Discovering", as: Bool.self) { print(isOn) }
/// }
/// ```
///
/// A proxy holds its connection, and looks nothing up: a call fails if the object does not exist.
public struct DBusProxy: Sendable {
    /// The connection.
    public let connection: DBusConnection
    /// The name of the callee.
    public let destination: String
    /// The object path.
    public let path: DBusObjectPath
    /// The name of the interface.
    public let interface: String
    /// The timeout of each call.
    public var timeout = DBusConnection.defaultTimeout

    fileprivate init(
        _ connection: DBusConnection, _ destination: String, _ path: DBusObjectPath,
        _ interface: String
    ) {
        self.connection = connection
        self.destination = destination
        self.path = path
        self.interface = interface
    }

    /// Calls a method; ``DBusReply/first(as:)`` and ``DBusReply/values(_:)`` decode the results.
    @discardableResult
    public nonisolated(nonsending) func call(
        _ member: String, _ arguments: any DBusConvertible...
    ) async throws(DBusError) -> DBusReply {
        try await call(member, of: interface, arguments.map(\.dbusValue))
    }

    /// Calls a method with values that have no Swift type, such as file descriptors.
    @discardableResult
    public nonisolated(nonsending) func call(
        _ member: String, values: [DBusValue], descriptors: DBusDescriptors? = nil
    ) async throws(DBusError) -> DBusReply {
        try await call(member, of: interface, values, descriptors)
    }

    /// Reads a property; throws ``DBusError/Kind/unexpectedReply`` if it has another type.
    public nonisolated(nonsending) func get<Value: DBusConvertible>(
        _ name: String, as type: Value.Type = Value.self
    ) async throws(DBusError) -> Value {
        try await callProperties(DBusProperties.get, .string(name)).first(as: type)
    }

    /// Writes a property.
    public nonisolated(nonsending) func set(
        _ name: String, to value: some DBusConvertible
    ) async throws(DBusError) { try await set(name, value: value.dbusValue) }

    /// Writes a property with a value that has no Swift type.
    public nonisolated(nonsending) func set(
        _ name: String, value: DBusValue
    ) async throws(DBusError) {
        try await callProperties(DBusProperties.set, .string(name), .variant(value))
    }

    /// Reads all properties of the interface; ``DBusValue/decoded(as:)`` gives Swift values.
    public nonisolated(nonsending) func getAll() async throws(DBusError) -> [String: DBusValue] {
        try await callProperties(DBusProperties.getAll).first(as: [String: DBusVariant].self)
            .mapValues(\.content)
    }

    /// Returns the signals of the interface, or those of one name. The sequence ends and overflows
    /// like ``DBusConnection/signals(matching:bufferLimit:)``.
    public func signals(
        _ member: String? = nil, arguments: [Int: DBusMatchRule.Argument] = [:],
        bufferLimit: Int = DBusSequence<DBusSignal>.defaultLimit
    ) -> DBusSequence<DBusSignal> {
        connection.signals(
            matching: DBusMatchRule(
                sender: destination, path: path, interface: interface, member: member,
                arguments: arguments), bufferLimit: bufferLimit)
    }

    /// Returns the changes of the interface's properties. The sequence ends and overflows like
    /// ``DBusConnection/signals(matching:bufferLimit:)``.
    ///
    /// Call this before reading a value, so that no change after the reading is missed.
    public func propertyChanges(
        bufferLimit: Int = DBusSequence<DBusPropertyChanges>.defaultLimit
    ) -> DBusSequence<DBusPropertyChanges> {
        let rule = DBusMatchRule(
            sender: destination, path: path, interface: DBusProperties.interfaceName,
            member: DBusProperties.propertiesChanged, arguments: [0: .text(interface)])
        return DBusSequence(connection, rule, bufferLimit) { try? DBusPropertyChanges($0) }
    }

    @discardableResult
    private nonisolated(nonsending) func callProperties(
        _ member: String, _ arguments: DBusValue...
    ) async throws(DBusError) -> DBusReply {
        try await call(
            member, of: DBusProperties.interfaceName, [.string(interface)] + arguments)
    }

    private nonisolated(nonsending) func call(
        _ member: String, of interface: String, _ arguments: [DBusValue],
        _ descriptors: DBusDescriptors? = nil
    ) async throws(DBusError) -> DBusReply {
        try await connection.call(
            DBusCall(member, of: interface, at: path, on: destination, arguments),
            descriptors: descriptors, timeout: timeout)
    }
}

extension DBusConnection {
    /// Creates a proxy for one interface of an object; sends nothing.
    public func proxy(
        destination: String, path: DBusObjectPath, interface: String
    ) -> DBusProxy { DBusProxy(self, destination, path, interface) }
}

/// The content of one `PropertiesChanged` signal.
public struct DBusPropertyChanges: Hashable, Sendable {
    /// The interface of the properties.
    public let interface: String
    /// The new values.
    public let values: [String: DBusValue]
    /// The properties that have changed, and have to be read again.
    public let invalidated: [String]

    /// Decodes a signal; throws ``DBusError/Kind/unexpectedReply`` if it has other arguments.
    public init(_ signal: DBusSignal) throws(DBusError) {
        let (interface, values, invalidated) = try signal.values(
            String.self, [String: DBusVariant].self, [String].self)
        self.interface = interface
        self.values = values.mapValues(\.content)
        self.invalidated = invalidated
    }

    /// Returns the new value of a property, or `nil` if the signal has none; throws
    /// ``DBusError/Kind/unexpectedReply`` if it has another type.
    public func value<Value: DBusConvertible>(
        _ name: String, as type: Value.Type = Value.self
    ) throws(DBusError) -> Value? {
        guard let value = values[name] else { return nil }
        return try value.decoded(as: type)
    }
}
#endif
