#if os(Linux)
extension DBusAddress {
    /// The variable that says where the bus of the system is.
    package static let systemBusVariable = "DBUS_SYSTEM_BUS_ADDRESS"

    /// Where the bus of the system is.
    public static func systemBus() throws(DBusError) -> [DBusAddress] {
        try list(systemBusVariable, else: .path("/var/run/dbus/system_bus_socket"))
    }

    /// Where the bus of the person who is logged in is.
    public static func sessionBus() throws(DBusError) -> [DBusAddress] {
        try list("DBUS_SESSION_BUS_ADDRESS", else: .runtime)
    }

    private static func list(
        _ variable: String, else usual: Socket
    ) throws(DBusError) -> [DBusAddress] {
        guard let text = SystemSocket.environment(variable), !text.isEmpty else {
            return [DBusAddress(usual)]
        }
        do throws(DBusAddressError) {
            return try list(text)
        } catch {
            throw DBusError(.unreachable, details: "\(variable): \(error)")
        }
    }
}
#endif
