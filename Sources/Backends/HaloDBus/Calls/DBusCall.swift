#if os(Linux)
package struct DBusCall: Hashable, Sendable {
    package var destination: String
    package var path: DBusObjectPath
    package var interface: String
    package var member: String
    package var arguments: [DBusValue]

    package init(
        _ member: String, of interface: String, at path: DBusObjectPath, on destination: String,
        _ arguments: [DBusValue] = []
    ) {
        self.destination = destination
        self.path = path
        self.interface = interface
        self.member = member
        self.arguments = arguments
    }

    static func bus(_ member: String, _ arguments: DBusValue...) -> DBusCall {
        DBusCall(member, of: DBusName.bus, at: .bus, on: DBusName.bus, arguments)
    }

    func message(serial: UInt32) -> DBusMessage {
        DBusMessage(
            .call(path: path, interface: interface, member: member), serial: serial,
            destination: destination, body: arguments)
    }
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
