#if os(Linux)
internal import HaloDBus

struct BusFacts: Sendable {
    enum Source: Sendable { case option, environment, usualPlace }

    var source = Source.usualPlace
    var addresses: [DBusAddress] = []
    var access: LocalSystem.Access?
    var error: DBusError?

    var text: String { addresses.map(\.description).joined(separator: ";") }

    var path: String? { addresses.lazy.compactMap { $0.socket?.path }.first }

    mutating func connect(_ options: BlueZOptions, _ timeout: Duration) async
        -> DBusConnection?
    {
        do throws(DBusError) {
            let variable = LocalSystem.environment(DBusAddress.systemBusVariable) ?? ""
            source =
                options.bus != nil ? .option : variable.isEmpty ? .usualPlace : .environment
            addresses = try options.busAddresses()
            if let path {
                access = await LocalSystem.onThread { LocalSystem.access(path, writes: true) }
            }
            return try await DBusConnection.connect(to: addresses, timeout: timeout)
        } catch {
            self.error = error
            return nil
        }
    }
}
#endif
