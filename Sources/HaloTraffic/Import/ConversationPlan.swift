import HaloCapture
import HaloProtocol
import HaloTransport

/// Which connections of a file become which links of a capture, and which handles are which
/// channels.
struct ConversationPlan: Sendable {
    /// A connection after another with the same device: one link of the capture.
    struct Link: Hashable, Sendable {
        /// Nothing if there is only one.
        var name: CaptureName?
        var address: DeviceAddress?
        var deviceName: AdvertisedName?
        /// What the device offers, in the order of handles.
        var offers: [CaptureEvent]
        /// What is said of it that nobody has told.
        var guesses: [TrafficAttribute]
    }

    private(set) var links: [Link] = []
    /// The channels of each connection that is imported.
    private(set) var channels: [Int: HandleChannels] = [:]
    private var linkOfConnection: [Int: Int] = [:]

    /// The plan for what was selected, or why there is nothing to import.
    init(_ report: TrafficReport, _ device: DeviceSelection) throws(TrafficError) {
        let selected = try report.conversations(device)
        var lanes: [[TrafficConnection]] = []
        for connection in selected {
            let lane = lanes.firstIndex { lane in
                guard let last = lane.last, let address = connection.address else { return false }
                return last.address == address && last.lastRecord < connection.firstRecord
            }
            if let lane { lanes[lane].append(connection) } else { lanes.append([connection]) }
        }
        for (index, lane) in lanes.enumerated() {
            let name = lanes.count > 1 ? Self.name(index) : nil
            links.append(Self.link(name, lane))
            for connection in lane {
                linkOfConnection[connection.number - 1] = index
                channels[connection.number - 1] = HandleChannels(connection.attributes)
            }
        }
    }

    /// A plan in which all connections are there, whatever they have said.
    init(all report: TrafficReport) {
        for (index, connection) in report.connections.enumerated() {
            links.append(Self.link(nil, [connection]))
            linkOfConnection[index] = index
            channels[index] = HandleChannels(connection.attributes)
        }
    }

    /// The link of a connection, if the connection is imported.
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

    private static func link(_ name: CaptureName?, _ lane: [TrafficConnection]) -> Link {
        var offers: [CaptureEvent] = []
        var guesses: [TrafficAttribute] = []
        var offered: Set<CaptureEvent> = []
        var guessed: Set<UInt16?> = []
        for attribute in lane.lazy.flatMap(\.attributes) {
            if let offer = attribute.offer, offered.insert(offer).inserted { offers.append(offer) }
            if attribute.isUsed, attribute.basis.isGuess, guessed.insert(attribute.handle).inserted
            {
                guesses.append(attribute)
            }
        }
        return Link(
            name: name, address: lane.first?.address,
            deviceName: lane.compactMap(\.name).last, offers: offers, guesses: guesses)
    }
}

extension TrafficAttribute {
    /// The characteristic as a capture says that a device offers it.
    fileprivate var offer: CaptureEvent? {
        guard let service, let properties else { return nil }
        return .offers(service: service, characteristic: uuid, properties)
    }
}

/// The comments that an imported capture begins with: what it comes from, and what is not certain.
enum CaptureHead {
    /// The lines, for a conversation that begins at a time of the file.
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
    /// What is not certain of the attribute, in words.
    var guess: String {
        let place = handle.map { "handle \(HandleText.text($0))" } ?? "a handle"
        switch basis {
        case .subscribed:
            return "\(place) switches notifications of "
                + (subscribes.map(HandleText.text) ?? "another one")
        case .layout: return "\(place) is \(uuid), where known rings have it"
        case .recognised: return "\(place) is \(uuid), as its values look"
        default: return "\(place) is not known"
        }
    }
}
