import HaloProtocol
import HaloSimulator
import HaloTransport

/// A virtual ring, some of whose answers are replaced by a test.
struct ScriptedRing: GATTPeripheral {
    /// Returns the frames, or packets of records, that answer a write; `nil` where the ring answers
    /// by itself.
    typealias Script = @Sendable (_ written: [UInt8], _ number: Int) -> [[UInt8]]?

    private(set) var ring: VirtualRing
    private let script: Script
    private var writes = 0
    private let answers: [AttributeID: AttributeID]

    /// Creates a ring with a script for its writes, which are counted from 0.
    init(_ ring: VirtualRing, _ script: @escaping Script) {
        self.ring = ring
        self.script = script
        let all = ring.services.flatMap(\.characteristics)
        func id(_ uuid: BluetoothUUID) -> AttributeID? { all.first { $0.uuid == uuid }?.id }
        var answers: [AttributeID: AttributeID] = [:]
        for (write, notify) in [
            (RingServices.uartWrite, RingServices.uartNotify),
            (RingServices.bigDataWrite, RingServices.bigDataNotify),
        ] {
            if let write = id(write), let notify = id(notify) { answers[write] = notify }
        }
        self.answers = answers
    }

    var services: [GATTService] { ring.services }

    mutating func handle(
        _ event: PeripheralEvent, at now: Moment, into effects: inout PeripheralEffects
    ) {
        guard case .write(let id, let bytes, let token) = event, let answer = answers[id] else {
            return ring.handle(event, at: now, into: &effects)
        }
        defer { writes += 1 }
        guard let packets = script(bytes, writes) else {
            return ring.handle(event, at: now, into: &effects)
        }
        effects.accept(token)
        for packet in packets { effects.notify(answer, packet) }
    }
}
