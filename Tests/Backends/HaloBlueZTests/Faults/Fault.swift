import FakeBlueZ
import HaloDBus
import HaloTransport

/// A fault of the computer.
enum Fault: CaseIterable, Sendable {
    /// The daemon is killed, and started later.
    case daemonKilled
    /// The daemon is killed, and another one is started at once.
    case daemonReplaced
    /// All connections to the bus are cut.
    case busCut
    /// The bus ends; later another one has its address.
    case busEnded
    /// The adapter is unplugged.
    case adapterRemoved
    /// The adapter is switched off.
    case adapterOff

    func inject(_ bench: FaultBench) async throws {
        switch self {
        case .daemonKilled: await bench.fake.kill()
        case .daemonReplaced: try await bench.fake.restart()
        case .busCut: bench.fake.bus.disconnectAll()
        case .busEnded: bench.fake.bus.close()
        case .adapterRemoved: bench.fake.removeAdapter()
        case .adapterOff: bench.fake.setPowered(false)
        }
    }

    func clear(_ bench: FaultBench) async throws {
        switch self {
        case .daemonKilled, .busCut: try await bench.fake.restart()
        case .daemonReplaced: break
        case .busEnded: try await bench.startAgain()
        case .adapterRemoved: bench.fake.addAdapter(0)
        case .adapterOff: bench.fake.setPowered(true)
        }
    }

    /// The reason for the end of links.
    var reason: DisconnectReason.Kind {
        switch self {
        case .daemonKilled, .daemonReplaced, .busCut, .busEnded: .backendGone
        case .adapterRemoved, .adapterOff: .adapterGone
        }
    }

    /// The error of scans and attempts.
    var kinds: [BLEError.Kind] {
        switch self {
        case .daemonKilled, .daemonReplaced, .busCut, .busEnded: [.backend]
        case .adapterRemoved: [.noBluetooth, .bluetoothOff]
        case .adapterOff: [.bluetoothOff]
        }
    }

    var isOfAdapter: Bool { self == .adapterRemoved || self == .adapterOff }

    var isOfBus: Bool { self == .busCut || self == .busEnded }
}
