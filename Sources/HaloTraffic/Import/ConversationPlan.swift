import HaloCapture
import HaloProtocol
import HaloTransport

/// The mapping of the connections of a file to the links of a capture, and of handles to channels.
struct ConversationPlan: Sendable {
    /// One link of the capture: connections with the same device, one after another.
    struct Link: Hashable, Sendable {
        /// The name, or `nil` for the only link.
        var name: CaptureName?
        var address: DeviceAddress?
        var deviceName: AdvertisedName?
        /// The offers of the device, in the order of handles.
        var offers: [CaptureEvent]
        /// The attributes whose types are guesses.
        var guesses: [TrafficAttribute]
    }

    private(set) var links: [Link] = []
    /// The channels of each imported connection.
    private(set) var channels: [Int: HandleChannels] = [:]
    private var linkOfConnection: [Int: Int] = [:]

    /// Creates a plan for the selected conversations. Throws if there are none.
    init(_ report: TrafficReport, _ device: DeviceSelection) throws(TrafficError) {
        let selected = try report.conversations(device)
        var groups: [[TrafficConnection]] = []
        for connection in selected {
            let group = groups.firstIndex { group in
                guard let last = group.last, let address = connection.address else { return false }
                return last.address == address && last.lastRecord < connection.firstRecord
            }
            if let group { groups[group].append(connection) } else { groups.append([connection]) }
        }
        for (index, group) in groups.enumerated() {
            let name = groups.count > 1 ? Self.name(index) : nil
            links.append(Self.link(name, group))
            for connection in group {
                linkOfConnection[connection.number - 1] = index
                channels[connection.number - 1] = HandleChannels(connection.attributes)
            }
        }
    }

    /// Creates a plan for all connections, also for those without values.
    init(all report: TrafficReport) {
        for (index, connection) in report.connections.enumerated() {
            links.append(Self.link(nil, [connection]))
            linkOfConnection[index] = index
            channels[index] = HandleChannels(connection.attributes)
        }
    }

    /// The link of a connection, or `nil` if it is not imported.
    func link(of connection: Int) -> Int? { linkOfConnection[connection] }

    // MARK: Links

    /// `a` to `z`, then `link-27` and so on.
    private static func name(_ index: Int) -> CaptureName? {
        let letters = "abcdefghijklmnopqrstuvwxyz".utf8
        let text =
            letters.dropFirst(index).first.map { String(Unicode.Scalar($0)) }
            ?? "link-\(index + 1)"
        return try? CaptureName(text)
    }

    private static func link(_ name: CaptureName?, _ group: [TrafficConnection]) -> Link {
        var offers: [CaptureEvent] = []
        var guesses: [TrafficAttribute] = []
        var offered: Set<CaptureEvent> = []
        var guessed: Set<UInt16?> = []
        for attribute in group.lazy.flatMap(\.attributes) {
            if let offer = attribute.offer, offered.insert(offer).inserted { offers.append(offer) }
            if attribute.isUsed, attribute.basis.isGuess, guessed.insert(attribute.handle).inserted
            {
                guesses.append(attribute)
            }
        }
        return Link(
            name: name, address: group.first?.address,
            deviceName: group.compactMap(\.name).last, offers: offers, guesses: guesses)
    }
}

extension TrafficAttribute {
    /// The event of a capture that offers the characteristic; `nil` for other attributes.
    fileprivate var offer: CaptureEvent? {
        guard let service, let properties else { return nil }
        return .offers(service: service, characteristic: uuid, properties)
    }
}

/// The comments at the beginning of an imported capture: its source, and its uncertainties.
enum CaptureHead {
    /// The lines for a conversation that begins at a time of the file.
    static func lines(
        _ report: TrafficReport, _ plan: ConversationPlan, at microseconds: Int64
    ) -> [CaptureLine] {
        var lines = [CaptureLine.version(.current)]
        func comment(_ text: String) { lines.append(.comment(CaptureText(text))) }
        comment("source: imported from \(report.format?.name ?? "traffic")")
        for link in plan.links {
            let suffix = CaptureText.ending(link.name)
            if let address = link.address {
                comment("address: \(address)\(address.isRandom ? " (random)" : "")\(suffix)")
            }
            if let name = link.deviceName {
                let text = name.text.map(CaptureText.harmless) ?? PrintableText.escaped(name.bytes)
                comment("name: \(text)\(suffix)")
            }
        }
        if let clock = TrafficReport.clock(microseconds) { comment("clock: \(clock) +00:00") }
        for link in plan.links {
            let suffix = CaptureText.ending(link.name)
            for guess in link.guesses { comment("guessed: \(guess.guess)\(suffix)") }
        }
        return lines
    }
}

extension TrafficAttribute {
    /// The guess of the attribute's type in words.
    var guess: String {
        let name = handle.map { "handle \(HandleText.text($0))" } ?? "a handle"
        switch basis {
        case .subscribed:
            return "\(name) switches notifications of "
                + (subscribes.map(HandleText.text) ?? "another one")
        case .layout: return "\(name) is \(uuid), where known rings have it"
        case .recognised: return "\(name) is \(uuid), as its values look"
        case .unknown where handle == nil:
            return "the log does not name the characteristic of some values"
        default: return "\(name) is not known"
        }
    }
}

/// The channels of a connection's handles in a capture.
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
