import HaloTesting
import HaloTransport

/// The backend of this program, and the contract's device behind it.
struct LoopbackHarness: TransportHarness {
    let transport = LoopbackBluetooth(ContractPeripheral())
    let absentDevice = PeripheralIdentity("nobody")

    func order(
        _ instructions: [ContractPeripheral.Instruction]
    ) async throws -> ContractPeripheral {
        transport.modify { $0.order(instructions) }
    }
}

/// A program with a backend of its own: it passes the transport contract.
@main struct BackendConsumer {
    struct Broken: Error {
        let failures: [String]
    }

    static func main() async throws {
        let checks = TransportContract<LoopbackHarness>.checks
        // Each check has a backend of its own, so all of them can wait at the same time.
        let failures = await withTaskGroup(of: String?.self, returning: [String].self) { group in
            for check in checks {
                group.addTask {
                    do {
                        return try await check.run(on: LoopbackHarness())
                            ? nil : "\(check): was not made"
                    } catch {
                        return "\(error)"
                    }
                }
            }
            var failures: [String] = []
            for await failure in group { failures += failure.map { [$0] } ?? [] }
            return failures
        }
        guard failures.isEmpty else { throw Broken(failures: failures) }
        print("a backend of its own passes \(checks.count) checks of the transport contract")
    }
}
