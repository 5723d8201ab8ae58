#if os(Linux)
internal import BlueZVocabulary
internal import HaloDBus
internal import HaloProtocol
internal import HaloTransport

/// What a device advertises, as the daemon takes it: by meaning, not as bytes.
///
/// The daemon puts the name into the scan response and everything else into the advertisement,
/// whatever the device had where. What it cannot be told is left out: flags other than that the
/// device can be found; the value of the transmit power, for which the controller's own is taken;
/// whether a list of services or a name is complete; a name that is no text; a company or service
/// without data; a structure of a type that the daemon refuses; a second entry of the same company,
/// service or type. The interval is one of its experimental properties: 5.66 takes no notice of it,
/// and advertises every 1.28 seconds.
struct HostedAdvertisement: Hashable, Sendable {
    /// The object's properties.
    private(set) var values: [String: DBusValue] = [:]
    /// The name that it has.
    private(set) var name: String?
    /// How long what goes into the advertisement is, by what it is.
    private var parts: [(what: String, length: Int)] = []

    /// What remains of an advertisement.
    init(_ advertisement: PeripheralAdvertisement) {
        let structures =
            advertisement.data.structures + (advertisement.scanResponse?.structures ?? [])
        var draft = HostedAdvertisementDraft()
        for structure in structures { draft.add(structure.content) }
        name = advertisement.data.name?.text ?? advertisement.scanResponse?.name?.text
        let kind =
            advertisement.isConnectable ? LEAdvertisement1.peripheral : LEAdvertisement1.broadcast
        values = draft.values
        values[LEAdvertisement1.type] = .string(kind)
        values[LEAdvertisement1.localName] = name.map { .string($0) }
        let milliseconds = advertisement.interval.wholeMicroseconds / 1000
        let interval = LEAdvertisement1.intervals.clamped(milliseconds)
        values[LEAdvertisement1.minInterval] = .uint32(interval)
        values[LEAdvertisement1.maxInterval] = .uint32(interval)
        parts = draft.parts
        // A device that only speaks must not say that it can be found: the daemon refuses it.
        if advertisement.isConnectable, draft.isDiscoverable {
            values[LEAdvertisement1.discoverable] = .boolean(true)
            parts.append(("the flags", 3))
        }
    }

    /// What does not fit into an ordinary advertisement; nothing if all does. Controllers that
    /// can send longer ones take it all the same.
    var excess: String? {
        let room = AdvertisingData.legacyLength
        if let name, name.utf8.count + 2 > room {
            return "the name takes \(name.utf8.count + 2) of \(room) bytes"
        }
        let length = parts.reduce(0) { $0 + $1.length }
        guard length > room, let longest = parts.max(by: { $0.length < $1.length }) else {
            return nil
        }
        return "it takes \(length) of \(room) bytes, of which \(longest.what) \(longest.length)"
    }

    static func == (one: HostedAdvertisement, other: HostedAdvertisement) -> Bool {
        one.values == other.values
    }

    func hash(into hasher: inout Hasher) { hasher.combine(values) }
}

extension ClosedRange<UInt32> {
    fileprivate func clamped(_ number: Int64) -> UInt32 {
        UInt32(clamping: Swift.min(Swift.max(number, Int64(lowerBound)), Int64(upperBound)))
    }
}
#endif
