import HaloCapture
import HaloProtocol

/// The channels that a connection's handles are in a capture.
struct HandleChannels: Sendable {
    /// What a handle is in each direction, and whose notifications it switches.
    struct Entry: Hashable, Sendable {
        var handle: UInt16
        var toDevice: CaptureChannel
        var fromDevice: CaptureChannel
        var switches: CaptureChannel?

        /// Whether its indications say that the device offers other things than before.
        var saysServicesChanged: Bool {
            fromDevice == .characteristic(AttributeUUIDs.serviceChanged)
        }
    }

    private var entries = ContiguousArray<Entry>()
    private var slots: [UInt16: Int] = [:]
    private var last = 0

    init(_ attributes: [TrafficAttribute]) {
        let uuids = Dictionary(
            attributes.compactMap { attribute in attribute.handle.map { ($0, attribute.uuid) } },
            uniquingKeysWith: { first, _ in first })
        for attribute in attributes {
            guard let handle = attribute.handle else { continue }
            var entry = Entry(handle, attribute.uuid)
            entry.switches = attribute.subscribes.map { value in
                CaptureChannel(uuids[value] ?? .unnamed(handle: value), .fromDevice)
            }
            slots[handle] = entries.count
            entries.append(entry)
        }
    }

    /// What a handle is; one that the survey has not met has no name.
    @inline(__always)
    mutating func entry(of handle: UInt16) -> Entry {
        if last < entries.count, entries[last].handle == handle { return entries[last] }
        guard let slot = slots[handle] else { return Entry(handle, .unnamed(handle: handle)) }
        last = slot
        return entries[slot]
    }
}

extension HandleChannels.Entry {
    fileprivate init(_ handle: UInt16, _ uuid: BluetoothUUID) {
        self.init(
            handle: handle, toDevice: CaptureChannel(uuid, .toDevice),
            fromDevice: CaptureChannel(uuid, .fromDevice), switches: nil)
    }
}
