import HaloBlueZ
import HaloTesting
import HaloTransport

/// The contract's device, hosted by the daemon on one adapter, and a central on the other.
struct HostedHarness: EndingHarness {
    /// The claims that a hosted device cannot keep, with the reasons.
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

    /// The abilities without silence: the daemon answers for a silent hosted device after five
    /// seconds.
    let abilities: TransportAbilities = [.deviceControl, .changingServices]

    /// The longest write in one packet that the daemon passes on.
    let maximumWriteLength = 510

    /// The timeout of each wait: some are the daemon's.
    let timeout = Duration.seconds(40)

    /// Resets the device: a removed and added one would get other handles, which the daemon
    /// announces two seconds later.
    init(_ hosted: Hosted<ContractPeripheral>) async throws {
        self.hosted = hosted
        hosted.modify { $0 = ContractPeripheral() }
        transport = try await BlueZTransport(BlueZOptions(adapter: "hci0"))
    }

    /// Gives the device instructions. Before it sends a value, it has to know of the subscription:
    /// the daemon confirms that to the central first and passes it on afterwards (5.66 to 5.87),
    /// and a value that is sent in between is dropped.
    func order(
        _ instructions: [ContractPeripheral.Instruction]
    ) async throws -> ContractPeripheral {
        let sources = instructions.compactMap { instruction in
            if case .send(let attribute, _) = instruction { attribute } else { nil }
        }
        await wait { device in
            sources.allSatisfy { source in
                device.subscriptions.last { $0.attribute == source }?.isOn == true
            }
        }
        return hosted.modify { $0.order(instructions) }
    }

    /// Waits until no central is connected. The daemon closes a link two seconds after the request;
    /// until then the next claim would find the old link.
    func end() async { await wait { !$0.isConnected } }

    /// Waits for a state of the device, for five seconds: the daemon is another process, which
    /// notifies only the device.
    private func wait(until isMet: @Sendable (ContractPeripheral) -> Bool) async {
        for _ in 0..<100 where !isMet(hosted.modify { $0 }) {
            try? await Task.sleep(for: .milliseconds(50))
        }
    }
}
