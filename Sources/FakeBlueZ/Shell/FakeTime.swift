#if os(Linux)
internal import HaloProtocol
internal import HaloTransport

/// The computer's time for a device, with one difference: it is not woken while more values wait
/// for the bus than are good. So a device that sends as fast as it goes is slowed down, as it is
/// on the air, and loses nothing.
struct FakeTime: TransportTime {
    private let time = SystemTime()
    private weak let shell: FakeShell?

    init(_ shell: FakeShell) { self.shell = shell }

    var clock: any Clock<Duration> { time.clock }

    func now() -> Moment { time.now() }

    func wallClock() -> WallClock { time.wallClock() }

    func schedule(
        at moment: Moment, _ action: @escaping @Sendable () -> Void
    ) -> Registration {
        time.schedule(at: moment) { [shell] in
            if let shell { shell.whenThereIsRoom(action) } else { action() }
        }
    }

    func waiting(_ change: WaitChange) { time.waiting(change) }
}
#endif
