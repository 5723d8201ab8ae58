import HaloCapture

/// The facts about one connection.
struct ConnectionSurvey: Sendable {
    /// The facts for a report.
    var facts: TrafficConnection
    /// The discovered attributes of the device.
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

    /// The index of a handle's traffic.
    @inline(__always)
    mutating func slot(of handle: UInt16) -> Int? {
        if lastSlot < handles.count, handles[lastSlot].handle == handle { return lastSlot }
        guard let slot = slots[handle] else { return nil }
        lastSlot = slot
        return slot
    }

    /// Adds traffic for a handle, and returns its index.
    mutating func addSlot(_ handle: UInt16) -> Int {
        let slot = handles.count
        slots[handle] = slot
        handles.append(HandleTraffic(handle: handle))
        lastSlot = slot
        return slot
    }

    /// The traffic of a handle, or `nil` if there is none.
    func traffic(_ handle: UInt16) -> HandleTraffic? { slots[handle].map { handles[$0] } }
}
