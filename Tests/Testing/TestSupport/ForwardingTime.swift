package import HaloProtocol
package import HaloTransport

/// A time of which a test replaces a part: all else is that of another.
package protocol ForwardingTime: TransportTime {
    var base: any TransportTime { get }
}

extension ForwardingTime {
    package var loop: TransportLoop { base.loop }
    package var clock: any Clock<Duration> { base.clock }
    package func now() -> Moment { base.now() }
    package func wallClock() -> WallClock { base.wallClock() }
    package func schedule(
        at moment: Moment, _ action: @escaping @Sendable () -> Void
    ) -> BLECancellable { base.schedule(at: moment, action) }
    package func waiting(_ change: WaitChange) { base.waiting(change) }
}
