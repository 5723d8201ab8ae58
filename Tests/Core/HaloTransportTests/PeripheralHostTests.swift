import HaloProtocol
import HaloTesting
import HaloTransport
import TestSupport
import Testing

/// The runner of a device: events one at a time and in order, waking on request, and nothing after
/// the end.
@Suite(.passesTime) struct PeripheralHostTests {
    /// A device that logs its events, and reacts as a test says.
    private struct Device: GATTPeripheral {
        typealias Reaction = @Sendable (PeripheralEvent, inout PeripheralEffects) -> Void

        var services: [GATTService] = Sample.services
        var events: [PeripheralEvent] = []
        var moments: [Moment] = []
        var reaction: Reaction = { _, _ in }

        mutating func handle(
            _ event: PeripheralEvent, at now: Moment, into effects: inout PeripheralEffects
        ) {
            events.append(event)
            moments.append(now)
            reaction(event, &effects)
        }
    }

    private let time = SteppedTime()
    private let effects = Notes<PeripheralEffect>()

    private func host(
        _ reaction: @escaping Device.Reaction = { _, _ in }
    ) -> PeripheralHost<Device> {
        PeripheralHost(Device(reaction: reaction), on: time) { [effects] in effects.add($0) }
    }

    /// A device that asks to be woken at the seconds that are written to it.
    private func sleeper() -> PeripheralHost<Device> {
        host { event, effects in
            guard case .write(_, let seconds, _) = event else { return }
            for second in seconds {
                effects.wake(at: second == 0 ? nil : .origin + .seconds(Int(second)))
            }
        }
    }

    private func write(_ seconds: UInt8...) -> PeripheralEvent {
        .write(Sample.writable.id, seconds, token: nil)
    }

    private func wakings(_ host: PeripheralHost<Device>) -> [Moment] {
        zip(host.device.events, host.device.moments).filter { $0.0 == .woken }.map(\.1)
    }

    @Test func firstEventHasTheWallClock() {
        let host = host()
        host.start()
        host.handle(.connected)
        #expect(host.device.events == [.started(time.wallClock()), .connected])
        #expect(host.services == Sample.services)
    }

    @Test func modifyTellsTheDevice() {
        let host = host()
        let count = host.modify { device in
            device.services = []
            return device.events.count
        }
        #expect(count == 0)
        #expect(host.device.events == [.changed] && host.services.isEmpty)
    }

    @Test func effectsComeInOrderWithoutWaking() {
        let host = host { event, effects in
            guard event == .connected else { return }
            effects.notify(Sample.sending.id, [1])
            effects.wake(at: .origin + .seconds(1))
            effects.notify(Sample.sending.id, [2])
            effects.append(.disconnect)
        }
        host.handle(.connected)
        let sent = [1, 2].map { PeripheralEffect.notify(Sample.sending.id, [$0]) }
        #expect(effects.all == sent + [.disconnect])
    }

    /// A function that performs an effect may hand in events: they come after the current ones.
    @Test func eventsOfAnEffectComeAfterIt() {
        let order = Notes<String>()
        let own = Locked<PeripheralHost<Device>?>(nil)
        let device = Device { event, effects in
            order.add("\(event == .connected ? "connected" : "confirmed") begins")
            if event == .connected {
                effects.notify(Sample.sending.id, [1])
                effects.notify(Sample.sending.id, [2])
            }
        }
        let host = PeripheralHost(device, on: time) { effect in
            own.withLock { $0 }?.handle(.confirmed(Sample.sending.id))
            if case .notify(_, let value) = effect { order.add("sent \(value)") }
        }
        own.withLock { $0 = host }
        host.handle(.connected)
        own.withLock { $0 = nil }
        #expect(
            order.all == [
                "connected begins", "sent [1]", "sent [2]", "confirmed begins", "confirmed begins",
            ])
    }

    @Test func deviceIsWokenOnceAtTheMoment() {
        let host = sleeper()
        host.handle(write(3))
        #expect(time.timerCount == 1)
        time.advance(by: .seconds(10))
        #expect(wakings(host) == [.origin + .seconds(3)])
        #expect(time.timerCount == 0)
    }

    /// The last request to be woken replaces all earlier ones.
    @Test(arguments: [
        [3, 5], [5, 3], [3, 3], [3, 0], [0, 3], [0], [5, 0, 0, 4], [1, 2, 3, 9],
    ])
    func lastWakeRequestCounts(_ seconds: [UInt8]) {
        for together in [true, false] {
            let time = SteppedTime()
            let host = PeripheralHost(
                Device { event, effects in
                    guard case .write(_, let seconds, _) = event else { return }
                    for second in seconds {
                        effects.wake(at: second == 0 ? nil : .origin + .seconds(Int(second)))
                    }
                }, on: time, effects: { _ in })
            if together {
                host.handle(.write(Sample.writable.id, seconds, token: nil))
            } else {
                for second in seconds { host.handle(write(second)) }
            }
            let last = seconds.last ?? 0
            #expect(time.timerCount == (last == 0 ? 0 : 1))
            time.advance(by: .seconds(20))
            #expect(wakings(host) == (last == 0 ? [] : [.origin + .seconds(Int(last))]))
        }
    }

    /// A time on which every cancellation is too late.
    private struct LateTime: ForwardingTime {
        let stepped = SteppedTime()
        var base: any TransportTime { stepped }

        func schedule(
            at moment: Moment, _ action: @escaping @Sendable () -> Void
        ) -> BLECancellable {
            _ = base.schedule(at: moment, action)
            return BLECancellable {}
        }
    }

    /// A timer that fires after it was cancelled is ignored.
    @Test(arguments: [[3, 5], [5, 3], [3, 0], [5, 0, 0, 4], [1, 2, 3, 9]] as [[UInt8]])
    func cancelledAlarmIsIgnored(_ seconds: [UInt8]) {
        let time = LateTime()
        let host = PeripheralHost(
            Device { event, effects in
                guard case .write(_, let seconds, _) = event else { return }
                for second in seconds {
                    effects.wake(at: second == 0 ? nil : .origin + .seconds(Int(second)))
                }
            }, on: time, effects: { _ in })
        host.handle(.write(Sample.writable.id, seconds, token: nil))
        #expect(time.stepped.timerCount == seconds.filter { $0 != 0 }.count)
        time.stepped.advance(by: .seconds(20))
        let last = seconds.last ?? 0
        #expect(wakings(host) == (last == 0 ? [] : [.origin + .seconds(Int(last))]))
    }

    @Test func distantFutureMakesNoTimer() {
        let host = host { _, effects in effects.wake(at: .distantFuture) }
        host.handle(.connected)
        #expect(time.timerCount == 0)
    }

    @Test func deviceMayAskAgainWhenWoken() {
        let host = host { event, effects in
            if case .write = event { effects.wake(at: .origin + .seconds(1)) }
        }
        for second in 1...3 {
            host.modify { device in
                device.reaction = { event, effects in
                    if event == .changed { effects.wake(at: .origin + .seconds(second)) }
                }
            }
            time.advance(by: .seconds(1))
        }
        #expect(wakings(host) == (1...3).map { .origin + .seconds($0) })
    }

    @Test func stoppedDeviceHandlesNothing() {
        let host = sleeper()
        host.handle(write(3))
        host.stop()
        #expect(time.timerCount == 0)
        host.handle(.connected)
        host.start()
        host.modify { $0.services = [] }
        time.advance(by: .seconds(10))
        #expect(host.device.events == [write(3)])
        host.stop()
    }

    /// A function that performs an effect may stop the device: later effects of the same event are
    /// dropped, too.
    @Test func stopWithinAnEffectDropsLaterEffects() {
        let own = Locked<PeripheralHost<Device>?>(nil)
        let sent = Notes<PeripheralEffect>()
        let device = Device { _, effects in
            effects.append(.disconnect)
            effects.wake(at: .origin + .seconds(1))
            effects.notify(Sample.sending.id, [1])
        }
        let host = PeripheralHost(device, on: time) { effect in
            sent.add(effect)
            let host = own.withLock { $0 }
            host?.handle(.disconnected)
            host?.stop()
        }
        own.withLock { $0 = host }
        host.handle(.connected)
        own.withLock { $0 = nil }
        #expect(sent.all == [.disconnect])
        #expect(host.device.events == [.connected])
        #expect(time.timerCount == 0)
    }

    @Test func releasedDeviceIsNotWoken() {
        let isWoken = Locked(false)
        var host: PeripheralHost<Device>? = self.host { event, effects in
            if event == .woken { isWoken.withLock { $0 = true } }
            effects.wake(at: .origin + .seconds(1))
        }
        host?.handle(.connected)
        weak let held = host
        host = nil
        #expect(held == nil)
        time.advance(by: .seconds(2))
        #expect(!isWoken.withLock { $0 })
    }
}
