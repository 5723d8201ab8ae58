import HaloCapture
import HaloProtocol
import HaloTransport

struct HandleChannels: Sendable {
    /// A handle with its channel in each direction, and the channel whose notifications it
    /// switches.
    struct Entry: Hashable, Sendable {
        var handle: UInt16
        var toDevice: CaptureChannel
        var fromDevice: CaptureChannel
        var switches: CaptureChannel?
        /// `true` if its indications announce a change of the device's services.
        var announcesServices = false
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
            func uuid(_ value: UInt16) -> BluetoothUUID {
                (value == handle ? nil : uuids[value]) ?? .unnamed(handle: value)
            }
            var entry = Entry(handle, attribute.uuid, of: attribute.describes.map(uuid))
            entry.switches = attribute.subscribes.map { CaptureChannel(uuid($0), .fromDevice) }
            slots[handle] = entries.count
            entries.append(entry)
        }
    }

    /// The entry of a handle; a handle without an attribute in the survey is unnamed.
    @inline(__always)
    mutating func entry(of handle: UInt16) -> Entry {
        if last < entries.count, entries[last].handle == handle { return entries[last] }
        guard let slot = slots[handle] else { return Entry(handle, .unnamed(handle: handle)) }
        last = slot
        return entries[slot]
    }
}

extension HandleChannels.Entry {
    fileprivate init(
        _ handle: UInt16, _ uuid: BluetoothUUID, of characteristic: BluetoothUUID? = nil
    ) {
        func channel(_ direction: Direction) -> CaptureChannel {
            characteristic.map { .descriptor(uuid, of: $0) } ?? CaptureChannel(uuid, direction)
        }
        self.init(
            handle: handle, toDevice: channel(.toDevice), fromDevice: channel(.fromDevice),
            announcesServices: uuid == AttributeUUIDs.serviceChanged)
    }
}
