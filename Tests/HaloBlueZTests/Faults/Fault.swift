#if os(Linux)
import FakeBlueZ
import HaloDBus
import HaloTransport

/// What can break.
enum Fault: CaseIterable, Sendable {
    /// The daemon is killed, and comes back later.
    case daemonKilled
    /// The daemon is killed, and another one is there at once.
    case daemonReplaced
    /// Everybody's connection to the bus is cut.
    case busCut
    /// The bus ends; later there is another one at its place.
    case busEnded
    /// The adapter is pulled out.
    case adapterRemoved
    /// The adapter is switched off.
    case adapterOff

    func befall(_ bench: FaultBench) async throws {
        switch self {
        case .daemonKilled: await bench.fake.kill()
        case .daemonReplaced: try await bench.fake.restart()
        case .busCut: bench.fake.bus.disconnectAll()
        case .busEnded: bench.fake.bus.close()
        case .adapterRemoved: bench.fake.removeAdapter()
        case .adapterOff: bench.fake.setPowered(false)
        }
    }

    func pass(_ bench: FaultBench) async throws {
        switch self {
        case .daemonKilled, .busCut: try await bench.fake.restart()
        case .daemonReplaced: break
        case .busEnded: try await bench.startAgain()
        case .adapterRemoved: bench.fake.addAdapter(0)
        case .adapterOff: bench.fake.setPowered(true)
        }
    }

    /// Why links end.
    var reason: DisconnectReason.Kind {
        switch self {
        case .daemonKilled, .daemonReplaced, .busCut, .busEnded: .backendGone
        case .adapterRemoved, .adapterOff: .adapterGone
        }
    }

    /// What scans and attempts to connect end with. An adapter that is pulled out may be switched
    /// off first.
    var kinds: [BLEError.Kind] {
        switch self {
        case .daemonKilled, .daemonReplaced, .busCut, .busEnded: [.backend]
        case .adapterRemoved: [.unsupported, .poweredOff]
        case .adapterOff: [.poweredOff]
        }
    }

    var isOfAdapter: Bool { self == .adapterRemoved || self == .adapterOff }

    var isOfBus: Bool { self == .busCut || self == .busEnded }
}
#endif
