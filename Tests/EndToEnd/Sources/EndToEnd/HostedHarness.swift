import HaloBlueZ
import HaloTesting
import HaloTransport

/// The contract's device, hosted by the daemon on one adapter, and a central on the other.
struct HostedHarness: EndingHarness {
    /// What cannot be had of a device that the daemon hosts, and why.
    static let excused: [String: String] = {
        let early =
            "the daemon confirms a write to what can be written without response, too, "
            + "before the device has seen it"
        return [
            "writes with a response arrive before they are complete, in order": early,
            "writes of both kinds keep their order among each other": early,
            "what is asked for at once is carried out in the order of asking": early,
            "the longest value can be written, and no longer one": early,
            "an empty value can be written": early,
            "what a device sends before it answers comes before the answer": early,
        ]
    }()

    let transport: BlueZTransport
    private let hosted: Hosted<ContractPeripheral>

    /// A device that the daemon has never seen.
    let absentDevice = PeripheralIdentity("C0:00:00:00:00:01")

    /// The daemon ends what a hosted device does not answer itself, and after five seconds.
    let abilities: TransportAbilities = [.deviceControl, .changingServices]

    /// The daemon gives a program no more in one packet.
    let longestWrite = 510

    /// Some waits are the daemon's.
    let patience = Duration.seconds(40)

    /// The same device each time, to which nothing has happened yet: one that goes and comes back
    /// gets other handles, of which the daemon tells two seconds later.
    init(_ hosted: Hosted<ContractPeripheral>) async throws {
        self.hosted = hosted
        hosted.modify { $0 = ContractPeripheral() }
        transport = try await BlueZTransport(BlueZOptions(adapter: "hci0"))
    }

    func modify<Result: Sendable>(
        _ change: @escaping @Sendable (inout ContractPeripheral) -> Result
    ) async throws -> Result { hosted.modify(change) }

    /// Waits until nobody is connected: what is said to be closed is closed two seconds later, and
    /// until then it would be the next one's link.
    func end() async {
        for _ in 0..<100 where hosted.isConnected {
            try? await Task.sleep(for: .milliseconds(50))
        }
    }
}
