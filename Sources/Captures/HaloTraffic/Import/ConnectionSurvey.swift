import HaloCapture

struct ConnectionSurvey: Sendable {
    var facts: TrafficConnection
    var table = AttributeTable()
    /// The traffic of each attribute, in the order of first use.
    var handles = ContiguousArray<HandleTraffic>()
    /// The traffic of channels named by the log.
    var channels: [CaptureChannel: HandleTraffic] = [:]

    private var slots: [UInt16: Int] = [:]
    private var lastSlot = 0

    init(number: Int) {
        facts = TrafficConnection(number: number)
    }

    @inline(__always)
    mutating func slot(of handle: UInt16) -> Int? {
        if lastSlot < handles.count, handles[lastSlot].handle == handle { return lastSlot }
        guard let slot = slots[handle] else { return nil }
        lastSlot = slot
        return slot
    }

    mutating func addSlot(_ handle: UInt16) -> Int {
        let slot = handles.count
        slots[handle] = slot
        handles.append(HandleTraffic(handle: handle))
        lastSlot = slot
        return slot
    }

    func traffic(_ handle: UInt16) -> HandleTraffic? { slots[handle].map { handles[$0] } }
}
