internal import HaloTransport

/// The buffers of all loops over the same elements, in the order in which the loops have begun.
///
/// A full buffer drops its oldest element: the latest report of a device is worth most. With a
/// `gap`, the dropped elements are replaced by one element made of their number.
struct Consumers<Element: Sendable>: Sendable {
    typealias Buffer = BoundedBuffer<Element, DeviceError>

    private let limit: Int
    private let gap: (@Sendable (Int) -> Element)?
    private var buffers: [(number: UInt64, buffer: Buffer)] = []

    init(limit: Int, gap: (@Sendable (Int) -> Element)? = nil) {
        self.limit = limit
        self.gap = gap
    }

    /// The number of consumers that have not ended.
    var count: Int { buffers.reduce(0) { $0 + ($1.buffer.hasEnded ? 0 : 1) } }

    func isOpen(_ number: UInt64) -> Bool {
        buffers.first { $0.number == number }?.buffer.hasEnded == false
    }

    mutating func add(_ number: UInt64, _ kind: WaitKind, on time: any TransportTime) -> Buffer {
        let buffer = Buffer(capacity: limit, on: time, kind, gap: gap, failsOnce: true)
        buffers.append((number, buffer))
        return buffer
    }

    mutating func remove(_ number: UInt64) { buffers.removeAll { $0.number == number } }

    /// Sends an element to every consumer, or to one of them.
    func send(_ element: Element, to number: UInt64? = nil) {
        for consumer in buffers where number == nil || consumer.number == number {
            consumer.buffer.push(element)
        }
    }

    /// Ends every consumer, or one of them. The elements in its buffer still come; the end, or the
    /// error once, comes after them.
    func finish(_ end: Result<Void, DeviceError>, of number: UInt64? = nil) {
        var error: DeviceError?
        if case .failure(let reason) = end { error = reason }
        for consumer in buffers where number == nil || consumer.number == number {
            consumer.buffer.end(error)
        }
    }
}
