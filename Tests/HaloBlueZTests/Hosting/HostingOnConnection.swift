#if os(Linux)
import HaloDBus
import HaloTransport

@testable import HaloBlueZ

/// Hosting without a transport.
enum HostingOnConnection {
    /// Hosts a device on the second adapter.
    static func host<Device: GATTPeripheral>(
        _ device: Device, on connection: DBusConnection
    ) async throws -> Hosted<Device> {
        try await BlueZTransport.host(
            device, HostingOptions(), HostedAdapterWish(name: "hci1"), on: connection,
            time: SystemTime())
    }
}
#endif
