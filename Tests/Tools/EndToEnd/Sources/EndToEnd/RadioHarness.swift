import HaloBlueZ
import HaloTesting
import HaloTransport

/// The contract's device on a radio of another make, and our central.
struct RadioHarness: EndingHarness {
    /// The claims that the daemon cannot keep, with the reasons.
    static func excused(_ version: String) -> [String: String] {
        guard version == "5.87" else { return [:] }
        return [
            "when the device closes the link, all ends with that":
                "the daemon does not always tell what a device sends just before it ends the link"
        ]
    }

    let transport: BlueZTransport
    private let radio: Radio

    /// A device that the daemon has never seen.
    let absentDevice = PeripheralIdentity("C0:00:00:00:00:01")

    /// The timeout of each wait: some are the daemon's.
    let timeout = Duration.seconds(60)

    init(_ radio: Radio) async throws {
        self.radio = radio
        radio.begin()
        transport = try await BlueZTransport(BlueZOptions(adapter: "hci0"))
    }

    func order(
        _ instructions: [ContractPeripheral.Instruction]
    ) async throws -> ContractPeripheral { radio.modify { $0.order(instructions) } }

    /// Waits until no central is connected.
    func end() async {
        for _ in 0..<100 where radio.isConnected {
            try? await Task.sleep(for: .milliseconds(50))
        }
    }
}
