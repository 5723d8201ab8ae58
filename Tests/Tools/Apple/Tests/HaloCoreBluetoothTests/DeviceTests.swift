import CoreBluetooth
import HaloCoreBluetooth
import HaloDevices
import HaloProtocol
import HaloSimulator
import HaloTransport
import Testing

/// Rings and heart-rate sensors over the backend.
@Suite(.timeLimit(.minutes(20))) struct DeviceTests {
    @Test(arguments: [RingProfile.r02, .r10])
    func readsARing(_ profile: RingProfile) async throws {
        let bench = PhoneBench()
        let worn = bench.air.add(VirtualRing(profile, wearer: Wearer(seed: 3), days: 2))
        let ring = try await Ring.connect(over: bench.transport)
        #expect(ring.identity == bench.identity(of: worn))
        let battery = try await ring.battery()
        #expect(battery.percent > 0)
        let history = try await ring.history(days: 2)
        #expect(history.isComplete)
        await ring.disconnect()
    }

    @Test func measuresWithAStrap() async throws {
        let bench = PhoneBench()
        bench.air.add(VirtualHeartRateSensor(wearer: Wearer(seed: 4)))
        let strap = try await HeartRateSensor.connect(over: bench.transport)
        var rates: [Int] = []
        for try await measurement in strap.measurements {
            rates.append(measurement.beatsPerMinute)
            if rates.count == 5 { break }
        }
        #expect(rates.allSatisfy { 30...220 ~= $0 })
        await strap.disconnect()
    }

    /// A bonded ring is connected to the phone, and silent: no scan finds it.
    @Test(arguments: [Set<Trap>(), [.forgetsDevices]])
    func connectsToARingThatDoesNotAdvertise(_ traps: Set<Trap>) async throws {
        let bench = PhoneBench(traps: traps)
        let worn = bench.air.add(VirtualRing(.r02, wearer: Wearer(seed: 5)))
        bench.phone.hold(worn.identity)
        #expect(
            await eventually {
                let held = try? await bench.transport.connectedDevices(with: [RingServices.uart])
                return held?.map(\.identity) == [bench.identity(of: worn)]
            })
        let ring = try await Ring.connect(over: bench.transport)
        #expect(ring.identity == bench.identity(of: worn))
        #expect(try await ring.battery().percent > 0)
        await ring.disconnect()
    }

    @Test func aDeviceOfThisTransportIsNoConnectedDevice() async throws {
        let bench = PhoneBench()
        bench.air.add(VirtualRing(.r02, wearer: Wearer(seed: 5)))
        let ring = try await Ring.connect(over: bench.transport)
        #expect(try await bench.transport.connectedDevices(with: [RingServices.uart]) == [])
        await ring.disconnect()
    }

    /// The ring leaves and comes back: one attempt of the system waits for it.
    @Test func waitsForARingThatIsAway() async throws {
        let bench = PhoneBench()
        let worn = bench.air.add(VirtualRing(.r02, wearer: Wearer(seed: 6)))
        var options = RingOptions()
        options.reconnect = .whenInReach
        options.reconnect.firstDelay = .zero
        let ring = try await Ring.connect(over: bench.transport, options: options)
        worn.moveAway()
        var states = ring.connectionStates.makeAsyncIterator()
        while case .connected? = try await states.next() {}
        worn.comeBack()
        while let state = try await states.next() {
            if case .connected = state { break }
            if case .disconnected(let error) = state {
                Issue.record("ended: \(error)")
                break
            }
        }
        #expect(try await ring.battery().percent > 0)
        await ring.disconnect()
    }
}
