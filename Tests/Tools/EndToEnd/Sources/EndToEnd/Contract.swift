import HaloBlueZ
import HaloTesting
import HaloTransport

/// The transport contract, over the real daemon.
///
/// With `radio`, the device is on a radio of another make, like any foreign device. With `hosted`,
/// it is ours and hosted by the same daemon; claims that the two sides of one daemon cannot keep
/// together are excused.
enum Contract {
    /// Checks the claims. Arguments: `radio` or `hosted`, then the daemon's version, the part
    /// (`1/2` is the first of two), and texts that claims contain.
    static func run(_ arguments: [String]) async throws {
        let version = arguments.dropFirst().first ?? ""
        let part = arguments.dropFirst(2).first.flatMap { Part($0) }
        let texts = Array(arguments.dropFirst(part == nil ? 2 : 3))
        switch arguments.first {
        case "radio":
            let radio = try Radio()
            try await check(part, texts, excused: RadioHarness.excused(version)) {
                try await RadioHarness(radio)
            }
        case "hosted":
            let host = try await BlueZTransport(BlueZOptions(adapter: "hci1"))
            let hosted = try await host.host(ContractPeripheral())
            try await check(part, texts, excused: HostedHarness.excused) {
                try await HostedHarness(hosted)
            }
            await hosted.remove()
        default: throw Complaint("the contract is kept with a radio, or hosted")
        }
    }

    /// One of several parts of similar length.
    private struct Part {
        let index: Int
        let count: Int

        init?(_ text: String) {
            let numbers = text.split(separator: "/").compactMap { Int($0) }
            guard numbers.count == 2, 1...max(1, numbers[1]) ~= numbers[0] else { return nil }
            (index, count) = (numbers[0] - 1, numbers[1])
        }
    }

    private static func check<Harness: EndingHarness>(
        _ part: Part?, _ texts: [String], excused: [String: String],
        harness: () async throws -> Harness
    ) async throws {
        var counts = (kept: 0, excused: 0, broken: 0)
        for (index, check) in TransportContract<Harness>.checks.enumerated() {
            let claim = check.claim
            guard part.map({ index % $0.count == $0.index }) ?? true,
                texts.isEmpty || texts.contains(where: claim.contains)
            else { continue }
            let begun = ContinuousClock.now
            do {
                let isChecked = try await once(check, harness)
                let seconds = (ContinuousClock.now - begun).formatted
                counts.kept += isChecked ? 1 : 0
                System.say("    \(isChecked ? "kept" : "not checked here"): \(claim) (\(seconds))")
            } catch {
                let reason = excused[claim]
                counts.excused += reason == nil ? 0 : 1
                counts.broken += reason == nil ? 1 : 0
                System.say("    \(reason.map { "not kept, as \($0)" } ?? "BROKEN"): \(error)")
            }
        }
        System.say(
            "    \(counts.kept) claims kept, \(counts.excused) not, for reasons, "
                + "\(counts.broken) broken")
        guard counts.broken == 0, counts.kept > 0 else {
            throw Complaint("the contract is not kept")
        }
    }

    private static func once<Harness: EndingHarness>(
        _ check: TransportContract<Harness>.Check, _ harness: () async throws -> Harness
    ) async throws -> Bool {
        let harness = try await harness()
        let result: Result<Bool, any Error>
        do {
            result = .success(try await check.run(on: harness))
        } catch {
            result = .failure(error)
        }
        await harness.end()
        return try result.get()
    }
}

/// A harness that restores the state before it.
protocol EndingHarness: TransportHarness {
    /// Restores the state before the harness.
    func end() async
}

extension Duration {
    /// Seconds, to a tenth.
    fileprivate var formatted: String {
        let tenths = (self / .milliseconds(100)).rounded()
        return "\(tenths / 10) s"
    }
}
