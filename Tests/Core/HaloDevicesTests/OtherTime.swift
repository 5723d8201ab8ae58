import HaloProtocol
import HaloSimulator
import HaloTransport
import TestSupport

/// Virtual Bluetooth with another time for one client.
struct OtherTime: ForwardingTransport {
    let base: VirtualBluetooth
    let time: any TransportTime
}

/// A time that reports its waits to a test, and whose timers may ring when they are cancelled.
struct HeardTime: ForwardingTime {
    let base: any TransportTime
    var ringsWhenCancelled = false
    var heard: @Sendable (WaitChange) -> Void = { _ in }

    func schedule(
        at moment: Moment, _ action: @escaping @Sendable () -> Void
    ) -> BLECancellable {
        let timer = base.schedule(at: moment, action)
        return BLECancellable { [ringsWhenCancelled] in
            timer.cancel()
            if ringsWhenCancelled { action() }
        }
    }

    func waiting(_ change: WaitChange) {
        heard(change)
        base.waiting(change)
    }
}
