#if os(Linux)
internal import HaloProtocol
internal import HaloTransport

/// The system's time for a device, with backpressure: a device is not woken while too many values
/// wait for the bus. So a device that sends without a pause is slowed down, as it is on the air,
/// and no value is lost.
struct FakeTime: TransportTime {
    private let time: SystemTime
    private weak let shell: FakeShell?

    init(_ shell: FakeShell) {
        self.shell = shell
        time = shell.time
    }

    var loop: TransportLoop { time.loop }

    var clock: any Clock<Duration> { time.clock }

    func now() -> Moment { time.now() }

    func wallClock() -> WallClock { time.wallClock() }

    func schedule(
        at moment: Moment, _ action: @escaping @Sendable () -> Void
    ) -> BLECancellable {
        time.schedule(at: moment) { [shell] in shell?.whenRoomIsAvailable(action) }
    }

    /// Ignores the change: real time passes in any case.
    func waiting(_ change: WaitChange) {}
}
#endif
