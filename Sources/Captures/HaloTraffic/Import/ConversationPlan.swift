import HaloCapture
import HaloProtocol

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
        var guesses: [TrafficAttribute]
    }

    private(set) var links: [Link] = []
    /// The link and the channels of each imported connection.
    private(set) var connections: [Int: (link: Int, channels: HandleChannels)] = [:]

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
                connections[connection.number - 1] = (index, HandleChannels(connection.attributes))
            }
        }
    }

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
