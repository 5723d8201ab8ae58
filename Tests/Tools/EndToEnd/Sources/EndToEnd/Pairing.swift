import HaloBlueZ
import HaloProtocol
import HaloTransport

/// Our central, and a device of another make that keeps a value behind encryption:
/// `guest/locker.py`.
enum Pairing {
    private static let address = PeripheralIdentity("C0:11:22:33:44:55")
    private static let service = BluetoothUUID(0xFFE0)
    private static let secret = BluetoothUUID(0xFFE1)

    /// Pairs explicitly, or on demand of the device, and reads the value.
    static func run(_ way: String) async throws {
        var options = BlueZOptions(adapter: "hci0")
        if way == "on-demand" { options.pairing = BlueZPairing() }
        let transport = try await BlueZTransport(options)
        let link = try await transport.connect(to: address)
        if way == "on-purpose" {
            try await link.pair()
            // An already paired device completes at once.
            try await link.pair()
        }
        let secret = try await link.characteristic(secret, of: service)
        try Complaint.unless(try await link.read(secret), is: [42], "what needs keys")
        await link.disconnect()
        // With the bond the next link needs no agent.
        let again = try await transport.connect(to: address)
        let known = try await again.characteristic(Self.secret, of: service)
        try Complaint.unless(try await again.read(known), is: [42], "the same, later")
        await again.disconnect()
    }
}
