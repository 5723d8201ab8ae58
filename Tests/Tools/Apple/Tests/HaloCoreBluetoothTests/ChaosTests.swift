import CoreBluetooth
import HaloCoreBluetooth
import HaloProtocol
import HaloSimulator
import HaloTesting
import HaloTransport
import Testing

/// Several tasks use a device, while Bluetooth, the permission, the device and the system change at
/// random. Each call ends; afterwards everything works again.
@Suite(.timeLimit(.minutes(20))) struct ChaosTests {
    /// What a task does with a link, in the order of numbers.
    private static func use(_ link: BLELink, _ numbers: inout SplitMixed) async {
        for _ in 0..<Int.random(in: 1...8, using: &numbers) {
            _ = await error {
                switch Int.random(in: 0..<6, using: &numbers) {
                case 0: _ = try await link.services
                case 1: _ = try await link.read(try await link.characteristic(.text))
                case 2:
                    try await link.write(
                        [1, 2, 3], to: try await link.characteristic(.record), .withResponse)
                case 3:
                    try await link.write(
                        [4, 5], to: try await link.characteristic(.record), .withoutResponse)
                case 4:
                    let second = try await link.characteristic(.second)
                    _ = try await link.notifications(of: second)
                default: _ = try await link.readRSSI()
                }
            }
        }
    }

    private static let traps: [Trap] = [
        .duplicateConnect, .lateDisconnect, .discoveryAnswersTwice, .callsBackTwice,
        .callsBackForStranger, .readyStuckFalse, .readyFirstFalse, .disconnectsAfterPowerOff,
        .connectThenDrops, .connectFails, .connectFailsAsDisconnect, .cancelAnswersAsFailure,
        .valuesBeforeAcknowledgement, .lateMTU,
    ]

    @Test(arguments: 1...12) func endsEachCall(_ seed: UInt64) async throws {
        let bench = PhoneBench(speed: 200, seed: seed)
        let device = bench.addDevice()
        let identity = bench.identity(of: device)
        try await bench.reaches(.poweredOn)
        await withTaskGroup(of: Void.self) { group in
            for app in UInt64(1)...3 {
                group.addTask {
                    var numbers = SplitMixed(seed: seed << 8 | app)
                    for _ in 0..<10 {
                        let link = try? await bench.transport.connect(
                            to: identity, timeout: .milliseconds(300))
                        guard let link else { continue }
                        await Self.use(link, &numbers)
                        if Bool.random(using: &numbers) { await link.disconnect() }
                    }
                }
            }
            group.addTask {
                var numbers = SplitMixed(seed: seed)
                for _ in 0..<60 {
                    try? await bench.air.clock.sleep(
                        for: .milliseconds(Int.random(in: 200...5000, using: &numbers)))
                    switch Int.random(in: 0..<8, using: &numbers) {
                    case 0: bench.phone.powerOff()
                    case 1: bench.phone.reset()
                    case 2: device.moveAway()
                    case 3: device.comeBack()
                    case 4:
                        bench.phone.traps = Set(
                            Self.traps.randomElement(using: &numbers).map { [$0] } ?? [])
                    case 5: bench.phone.traps = []
                    case 6: device.modify { $0.instructions.append(.send(.second, [7])) }
                    default: bench.phone.powerOn()
                    }
                }
            }
        }
        // Everything is in order again.
        bench.phone.traps = []
        device.comeBack()
        bench.phone.powerOn()
        try await bench.reaches(.poweredOn)
        #expect(
            await eventually {
                guard
                    let link = try? await bench.transport.connect(
                        to: identity, timeout: .seconds(10)),
                    let text = try? await link.characteristic(.text)
                else { return false }
                let value = try? await link.read(text)
                await link.disconnect()
                return value == ContractPeripheral.text
            })
    }
}

/// Numbers that follow from a seed.
private struct SplitMixed: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
