import HaloProtocol
import HaloSimulator
import HaloTransport
import TestSupport
import Testing

/// A callback may use the air while it is released. The steps of one action happen at one moment.
@Suite(.passesTime) struct VirtualReleaseTests {
    /// Makes a request to the air when it is released.
    private final class Holder: Sendable {
        let air: VirtualBluetooth
        let ended: VirtualProbe<Moment>

        init(_ air: VirtualBluetooth, _ ended: VirtualProbe<Moment>) {
            self.air = air
            self.ended = ended
        }

        deinit {
            air.time.schedule(at: .distantFuture) {}.cancel()
            ended.add(air.time.now())
        }
    }

    @Test func whatIsLetGoMayUseTheAir() {
        let air = VirtualBluetooth()
        let ended = VirtualProbe<Moment>()
        var holder: Holder? = Holder(air, ended)
        let observation = air.observeAdapter { [holder] _ in withExtendedLifetime(holder) {} }
        holder = Holder(air, ended)
        let scan = air.startScan(.all) { [holder] _ in withExtendedLifetime(holder) {} }
        holder = Holder(air, ended)
        let timer = air.time.schedule(at: .origin + .seconds(5)) { [holder] in
            withExtendedLifetime(holder) {}
        }
        holder = nil
        #expect(ended.values.isEmpty)
        observation.cancel()
        #expect(ended.values.count == 1)
        scan.cancel()
        #expect(ended.values.count == 2)
        timer.cancel()
        #expect(ended.values.count == 3)
    }

    @Test func timeDoesNotJumpWhileSomebodyIsInTheMiddleOfSomething() {
        let air = VirtualBluetooth()
        let time = air.time
        let fired = VirtualProbe<Int>()
        _ = time.schedule(at: .origin + .seconds(1)) {
            fired.add(1)
            time.waiting(.ends)
        }
        time.waiting(.actionBegins)
        time.waiting(.actionBegins)
        time.waiting(.begins)
        #expect(fired.values == [])
        time.waiting(.actionEnds)
        #expect(fired.values == [])
        time.waiting(.actionEnds)
        #expect(fired.values == [1])
    }

    /// While one task waits for an event in an hour, another task's request is answered first.
    @Test func whoAsksIsNotOvertakenByWhoWaitsAlready() async throws {
        let air = VirtualBluetooth(seed: 2)
        var gadget = AirGadget()
        gadget.reaction = { event, now, effects in
            if case .read = event { effects.wake(at: now + .seconds(3_600)) }
        }
        let placed = air.add(gadget)
        let link = try await air.connect(to: placed.identity)
        let service = BluetoothUUID(0x1000)
        let readable = try await link.characteristic(BluetoothUUID(0x1001), of: service)
        let time = air.time
        let answered = VirtualProbe<Moment>()
        let begun = time.now()
        time.waiting(.begins)
        link.submitRead(readable) { _ in
            time.waiting(.ends)
            answered.add(time.now())
        }
        let moment = try #require(answered.values.first)
        #expect(moment < begun + .seconds(10))
    }
}
