#if os(Linux)
import HaloProtocol
import HaloSimulator
import HaloTransport

/// A virtual ring whose time runs a hundred times as fast as the clock, so that a client seldom
/// waits for it.
struct HastyRing: GATTPeripheral {
    private static let speed: Int64 = 100

    private var ring: VirtualRing
    private var start = Moment.origin

    init(_ ring: VirtualRing) {
        self.ring = ring
    }

    var services: [GATTService] { ring.services }

    mutating func handle(
        _ event: PeripheralEvent, at now: Moment, into effects: inout PeripheralEffects
    ) {
        if case .started = event { start = now }
        let elapsed = now.microseconds(since: start)
        var itsEffects = PeripheralEffects()
        ring.handle(
            event, at: start.advanced(byMicroseconds: elapsed * Self.speed), into: &itsEffects)
        for effect in itsEffects.all {
            guard case .wake(let moment?) = effect else {
                effects.append(effect)
                continue
            }
            let wait = moment.microseconds(since: start) / Self.speed + 1
            effects.wake(at: start.advanced(byMicroseconds: wait))
        }
    }
}
#endif
