#if os(Linux)
internal import BlueZVocabulary
internal import HaloDBus
internal import HaloTransport

/// The present and the waiting operations of a link.
struct FakeOperations {
    var waiting = Queue<FakeOperation>()
    var current: (operation: FakeOperation, number: UInt64)?
    /// The attributes with a present or waiting write.
    var written: Set<AttributeID> = []
    /// The number of the operation that was current at the last tick of the answer clock.
    var seen: UInt64?

    /// The present and the waiting operations, in order.
    var all: [FakeOperation] { (current.map { [$0.operation] } ?? []) + waiting.all }

    /// Removes and returns all operations.
    mutating func removeAll() -> [FakeOperation] {
        defer { self = FakeOperations(seen: seen) }
        return all
    }

    /// Removes and returns the operations on services that are gone.
    mutating func removeAll(on gone: FakeGATT.Change) -> [FakeOperation] {
        let ended = all.filter(gone.concerns)
        if let current, gone.concerns(current.operation) { self.current = nil }
        for operation in waiting.removeAll() where !gone.concerns(operation) {
            waiting.append(operation)
        }
        written.subtract(gone.attributes)
        return ended
    }
}
#endif
