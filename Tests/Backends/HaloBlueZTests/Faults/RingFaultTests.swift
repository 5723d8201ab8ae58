import FakeBlueZ
import HaloBlueZ
import HaloDBus
import HaloDevices
import HaloProtocol
import HaloSimulator
import HaloTransport
import TestSupport
import Testing

/// Faults during the read of a ring's log: a later read is complete.
@Suite("Faults while a log is read", .takesTurns)
struct RingFaultTests {
    typealias Worn = DisconnectingDevice<VirtualRing>

    enum Fault: CaseIterable, Sendable {
        case ringLeaves, ringOutOfReach, linkLost
        case daemonKilled, busCut, adapterRemoved, adapterOff

        var fate: Worn.Fate { self == .ringLeaves ? .leaves : .fallsSilent }

        func inject(_ fake: FakeBlueZ, _ identity: PeripheralIdentity) async {
            switch self {
            case .ringLeaves: break
            case .ringOutOfReach: fake.setAway(true, for: identity)
            case .linkLost: fake.loseLink(identity)
            case .daemonKilled: await fake.kill()
            case .busCut: fake.bus.disconnectAll()
            case .adapterRemoved: fake.removeAdapter()
            case .adapterOff: fake.setPowered(false)
            }
        }

        func clear(_ fake: FakeBlueZ, _ identity: PeripheralIdentity) async throws {
            switch self {
            case .ringLeaves, .linkLost: break
            case .ringOutOfReach: fake.setAway(false, for: identity)
            case .daemonKilled, .busCut: try await fake.restart()
            case .adapterRemoved: fake.addAdapter(0)
            case .adapterOff: fake.setPowered(true)
            }
        }

        var reason: DisconnectReason.Kind {
            switch self {
            case .ringLeaves, .ringOutOfReach, .linkLost: .remote
            case .daemonKilled, .busCut: .backendGone
            case .adapterRemoved, .adapterOff: .adapterGone
            }
        }
    }

    /// The positions of a fault: the first frames of a log, the middle, and the last frame.
    static let places = [0, 1, 11, 22]

    @Test(
        "the ring's error says why, the ring comes back, and the log is whole",
        arguments: Fault.allCases)
    func readsTheWholeLog(_ fault: Fault) async throws {
        let fake = try await FakeBlueZ()
        let worn = fake.add(Worn(VirtualRing(.r10, wearer: Wearer(seed: 1), days: 3)))
        let transport = try await BlueZTransport(BlueZOptions(bus: try fake.listen()))
        let identity = try #require(worn.identity)
        var options = RingOptions(clock: .leave)
        options.reconnect = ReconnectPolicy(
            firstDelay: .milliseconds(20), longestDelay: .milliseconds(100),
            attemptTimeout: .seconds(5))
        // A request that is repeated on a busy computer brings its frames twice.
        options.rules.replyTimeout = .seconds(600)
        options.rules.frameTimeout = .seconds(600)
        let ring = try await Ring.connect(to: identity, over: transport, options: options)
        let whole = try await ring.log(.heartRate, daysAgo: 1).map(\.value)
        #expect(!whole.isEmpty)
        for place in Self.places {
            worn.modify { $0.meet(fault.fate, after: place) }
            let reading = Task {
                do throws(DeviceError) {
                    _ = try await ring.log(.heartRate, daysAgo: 1)
                    return DeviceError?.none
                } catch {
                    return error
                }
            }
            #expect(try await eventually { worn.state.isGone || !worn.isConnected })
            await fault.inject(fake, identity)
            let error = await reading.value
            #expect(error?.kind == .disconnected, "\(place): \(String(describing: error))")
            #expect(error?.disconnectReason?.kind == fault.reason, "\(String(describing: error))")
            #expect(error?.isTransient == true)
            try await fault.clear(fake, identity)
            try await ring.waitUntilConnected()
            #expect(try await ring.log(.heartRate, daysAgo: 1).map(\.value) == whole)
        }
        await ring.disconnect()
    }
}
