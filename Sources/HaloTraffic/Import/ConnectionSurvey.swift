import HaloCapture
import HaloProtocol

/// What was seen of one connection.
struct ConnectionSurvey: Sendable {
    /// What is said of the connection itself.
    var facts: TrafficConnection
    /// What the device has said of its attributes.
    var table = AttributeTable()
    /// What went over each attribute, in the order in which they were first used.
    var handles = ContiguousArray<HandleTraffic>()
    /// What went over channels that the log itself names.
    var channels: [CaptureChannel: HandleTraffic] = [:]

    private var slots: [UInt16: Int] = [:]
    private var lastSlot = 0

    init(number: Int) {
        facts = TrafficConnection(number: number)
    }

    /// Where a handle's traffic lies, if it is there.
    @inline(__always)
    mutating func slot(of handle: UInt16) -> Int? {
        if lastSlot < handles.count, handles[lastSlot].handle == handle { return lastSlot }
        guard let slot = slots[handle] else { return nil }
        lastSlot = slot
        return slot
    }

    /// Makes a place for a handle's traffic.
    mutating func addSlot(_ handle: UInt16) -> Int {
        let slot = handles.count
        slots[handle] = slot
        handles.append(HandleTraffic(handle: handle))
        lastSlot = slot
        return slot
    }

    /// What went over a handle.
    func traffic(_ handle: UInt16) -> HandleTraffic? { slots[handle].map { handles[$0] } }
}
