import HaloBlueZ
import HaloProtocol
import HaloTransport

/// Our central, and a device of another make that keeps a value behind encryption:
/// `guest/locker.py`.
enum Pairing {
    private static let address = PeripheralIdentity("C0:11:22:33:44:55")
    private static let service = BluetoothUUID(0xFFE0)
    private static let secret = BluetoothUUID(0xFFE1)

    /// Pairs on purpose, or has the device paired with when it wants that, and reads the value.
    static func run(_ way: String) async throws {
        var options = BlueZOptions(adapter: "hci0")
        if way == "on-demand" { options.pairing = BlueZPairing() }
        let transport = try await BlueZTransport(options)
        let link = try await transport.connect(to: address)
        if way == "on-purpose" {
            try await link.pair()
            // Who is paired with already is, at once.
            try await link.pair()
        }
        let secret = try await link.characteristic(secret, of: service)
        try Complaint.unless(try await link.read(secret), is: [42], "what needs keys")
        await link.disconnect()
        // The bond is there: the next link needs nobody's agent.
        let again = try await transport.connect(to: address)
        let known = try await again.characteristic(Self.secret, of: service)
        try Complaint.unless(try await again.read(known), is: [42], "the same, later")
        await again.disconnect()
    }
}
