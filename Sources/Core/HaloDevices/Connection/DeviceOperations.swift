internal import HaloProtocol
internal import HaloTransport

/// The operations of a connection that are under way, by their numbers, and the moment of the
/// latest change.
struct DeviceOperations {
    var now: Moment
    private let loop: TransportLoop
    private var lastNumber: UInt64 = 0
    private(set) var underWay: [UInt64: BLECancellable] = [:]

    init(now: Moment, _ loop: TransportLoop) {
        self.now = now
        self.loop = loop
    }

    mutating func newNumber() -> UInt64 {
        lastNumber &+= 1
        return lastNumber
    }

    mutating func add(_ number: UInt64, _ operation: BLECancellable) {
        underWay[number] = operation
    }

    /// Removes an operation that has ended; returns `false` if it was dropped before.
    mutating func end(_ number: UInt64) -> Bool {
        guard let operation = underWay.removeValue(forKey: number) else { return false }
        loop.later { _ = operation }
        return true
    }

    /// Cancels an operation.
    mutating func drop(_ number: UInt64) {
        guard let operation = underWay.removeValue(forKey: number) else { return }
        operation.cancel()
        loop.later { _ = operation }
    }
}
