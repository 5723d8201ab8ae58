#if os(Linux)
internal import HaloDBus
internal import HaloTransport

struct FakeLink {
    let number: UInt64
    let mtu: Int
    var isResolved = false
    var isEncrypted: Bool
    /// `true` after `Disconnect`.
    var isEnding = false
    /// The number of further times that the services are exported again.
    var exportsLeft: Int
    var operations = FakeOperations()
    var lastValue: (value: [UInt8], path: DBusObjectPath)?
    var pairing: [DBusRequest] = []
    var pairingNumber: UInt64?
    /// `true` if `Pair` established this link.
    let isForPairing: Bool
}

struct FakeOperations {
    var waiting = Queue<FakeOperation>()
    var current: (operation: FakeOperation, number: UInt64)?
    /// The attributes with a present or waiting write.
    var written: Set<AttributeID> = []
    /// The number of the operation that was current at the last tick of the answer clock.
    var seen: UInt64?

    var all: [FakeOperation] { (current.map { [$0.operation] } ?? []) + waiting.all }

    mutating func removeAll() -> [FakeOperation] {
        defer { self = FakeOperations() }
        return all
    }

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
