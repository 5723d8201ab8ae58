package import HaloProtocol
package import HaloTransport

/// A capture seen from the device: what was asked of it on one connection after another, and what
/// it did.
package struct RecordedConversations: Sendable {
    /// One connection.
    package struct Conversation: Hashable, Sendable {
        /// When it began: when the connection stood, or with its first line.
        package let began: Moment
        /// Its requests, among all.
        package internal(set) var requests: Range<Int>
        /// What of the offers holds when it begins.
        package let edition: Int
        /// Whether it was noted when values were switched on and off.
        package internal(set) var notesSubscriptions = false
        /// The maximum transfer unit, as far as it was noted.
        package internal(set) var mtu: UInt16?
        /// Whether its beginning was noted.
        package internal(set) var isConnected = false
        var isEnded = false
    }

    /// The connections, one after another.
    package private(set) var conversations: [Conversation] = []
    /// All that was asked, in order.
    package private(set) var requests: [RecordedRequest] = []
    /// All that the device did, in order.
    package private(set) var reactions: [RecordedReaction] = []
    /// What the device was seen to offer, each time that it offered something else.
    package private(set) var offers: [[RecordedOffer]] = [[]]
    /// The first advertisement that was heard.
    package private(set) var advertisement: [UInt8]?
    /// The first scan response that was heard.
    package private(set) var scanResponse: [UInt8]?
    /// The tags of comments before the first packet, the first of each kind.
    package private(set) var tags: [String: String] = [:]

    /// What the clock on the wall showed at the beginning: the tag `clock:`.
    package var clock: WallClock? { tags["clock"].flatMap(WallClock.init(captureTag:)) }

    /// How often a device may offer something else; from then on it offers more of the same.
    package static let editionLimit = 64
    /// How much a device may offer, in all editions together: more than there are handles.
    package static let offerLimit = 65_536

    /// Where the offers of the last edition lie; without what can be done with them.
    private var offerPlaces: [RecordedOffer: Int] = [:]
    private var offerCount = 0
    private var openWrites: [CaptureChannel: [Int]] = [:]
    private var openReads: [CaptureChannel: [Int]] = [:]
    private var actions = CaptureActions()
    private var subscriptions: [CaptureChannel: Int] = [:]
    private var answers = AnswerAttribution()

    /// The conversations of the connection with that name; without a name, of the one that has
    /// none, or else of the first one that has one.
    package init(_ capture: Capture, link: CaptureName? = nil) {
        let link = link ?? Self.onlyLink(of: capture)
        for line in capture.timedLines {
            switch line.line {
            case .comment(let text):
                if let tag = text.tag, requests.isEmpty, tags[tag] == nil {
                    tags[tag] = text.tagged
                }
            case .event(let event, link: link):
                actions.note(event, link: link)
                take(event, line)
            case .packet(let packet):
                // Advertisements belong to no connection.
                let isHeard = packet.channel.uuids.isEmpty
                if isHeard || packet.link == link { take(packet, line) }
            default: break
            }
        }
    }

    /// The connections of a capture by their names, in the order in which they come first; nothing
    /// is the name of one without.
    package static func links(of capture: Capture) -> [CaptureName?] {
        var links: [CaptureName?] = []
        var known: Set<CaptureName?> = []
        for line in capture.lines {
            let link: CaptureName?
            switch line {
            case .event(.advertised, _), .event(.offers, _): continue
            case .event(_, let name): link = name
            case .packet(let packet):
                if packet.channel.uuids.isEmpty { continue }
                link = packet.link
            default: continue
            }
            if known.insert(link).inserted { links.append(link) }
        }
        return links
    }

    private static func onlyLink(of capture: Capture) -> CaptureName? {
        let links = links(of: capture)
        return links.contains(nil) ? nil : links.first ?? nil
    }

    /// The number of the conversation that goes on, or of a new one.
    private mutating func open(_ line: TimedLine) -> Int {
        if conversations.last.map({ $0.isEnded }) ?? true {
            let place = requests.count
            conversations.append(
                Conversation(
                    began: line.moment, requests: place..<place, edition: offers.count - 1))
            openWrites = [:]
            openReads = [:]
            subscriptions = [:]
            answers = AnswerAttribution()
        }
        return conversations.count - 1
    }

    private mutating func ask(_ what: RecordedRequest.What, _ line: TimedLine) -> Int {
        let conversation = open(line)
        requests.append(
            RecordedRequest(
                line: line.number, moment: line.moment, what: what, conversation: conversation))
        let first = conversations[conversation].requests.lowerBound
        conversations[conversation].requests = first..<requests.count
        return requests.count - 1
    }

    private mutating func react(
        _ what: RecordedReaction.What, to request: Int? = nil, _ line: TimedLine
    ) {
        let conversation = open(line)
        let range = conversations[conversation].requests
        reactions.append(
            RecordedReaction(
                line: line.number, moment: line.moment, what: what, conversation: conversation,
                after: range.isEmpty ? nil : range.upperBound - 1, answered: request))
    }

    // MARK: Packets

    private mutating func take(_ packet: CapturePacket, _ line: TimedLine) {
        let channel = packet.channel
        switch (packet.direction, channel) {
        case (.fromDevice, .advertisement): advertisement = advertisement ?? packet.bytes
        case (.fromDevice, .scanResponse): scanResponse = scanResponse ?? packet.bytes
        case (.toDevice, .advertisement), (.toDevice, .scanResponse): break
        case (.toDevice, _):
            let request = ask(.write(channel, packet.bytes), line)
            requests[request].action = packet.action
            openWrites[channel, default: []].append(request)
            answers.note(request, packet)
        case (.fromDevice, _):
            let action = actions.action(of: packet)
            if action == .read {
                let read = popRead(channel) ?? ask(.read(channel), line)
                requests[read].outcome = .done
                return react(.answer(packet.bytes), to: read, line)
            }
            react(
                .value(channel, packet.bytes, isIndication: action == .indicated),
                to: answers.request(for: packet), line)
            guard isSteady(channel) else { return }
            reactions[reactions.count - 1].answered = subscriptions[channel]
            reactions[reactions.count - 1].isOfConnection = subscriptions[channel] == nil
        }
    }

    /// Whether values of a channel come because they are subscribed to, and answer nothing.
    private func isSteady(_ channel: CaptureChannel) -> Bool {
        guard case .characteristic(let uuid) = channel else { return false }
        return CharacteristicCatalog.entry(uuid) != nil
    }

    // MARK: Events

    private mutating func take(_ event: CaptureEvent, _ line: TimedLine) {
        switch event {
        case .connected(let mtu):
            // A connection that begins while another goes on: nobody noted the end of that.
            if let last = conversations.indices.last,
                conversations[last].isConnected || !conversations[last].requests.isEmpty
                    || reactions.last?.conversation == last
            {
                conversations[last].isEnded = true
            }
            let conversation = open(line)
            conversations[conversation].isConnected = true
            conversations[conversation].mtu = mtu
        case .mtu(let mtu): conversations[open(line)].mtu = mtu
        case .subscribed(let channel): subscribe(channel, isOn: true, line)
        case .unsubscribed(let channel): subscribe(channel, isOn: false, line)
        case .read(let channel): openReads[channel, default: []].append(ask(.read(channel), line))
        case .acknowledged(let channel):
            guard let write = popWrite(channel) else { return }
            requests[write].outcome = .done
            react(.acknowledged, to: write, line)
        case .refused(let channel, let code):
            let last = [openReads[channel]?.last, openWrites[channel]?.last].compactMap { $0 }.max()
            let isWrite = last == openWrites[channel]?.last
            guard let request = isWrite ? popWrite(channel) : popRead(channel) else { return }
            requests[request].outcome = .refused(code)
            react(.refused(code), to: request, line)
        case .offers(let service, let characteristic, let properties):
            offer(
                RecordedOffer(
                    service: service, characteristic: characteristic, properties: properties))
        case .servicesChanged:
            if offers.count < Self.editionLimit {
                offers.append([])
                offerPlaces = [:]
            }
            react(.servicesChanged(edition: offers.count - 1), line)
        case .disconnected(let reason):
            guard !(conversations.last?.isEnded ?? true) else { return }
            react(.disconnected(reason: reason), line)
            conversations[conversations.count - 1].isEnded = true
        case .confirmed, .encrypted, .advertised: break
        }
    }

    /// The first read of a channel that was not answered.
    private mutating func popRead(_ channel: CaptureChannel) -> Int? {
        guard let read = openReads[channel]?.first else { return nil }
        openReads[channel]?.removeFirst()
        return read
    }

    /// The last write to a channel that was not answered; those before it had no answer.
    private mutating func popWrite(_ channel: CaptureChannel) -> Int? {
        openWrites[channel]?.popLast()
    }

    private mutating func subscribe(_ channel: CaptureChannel, isOn: Bool, _ line: TimedLine) {
        let request = ask(.subscription(channel, isOn: isOn), line)
        conversations[requests[request].conversation].notesSubscriptions = true
        if isOn { subscriptions[channel] = request }
    }

    private mutating func offer(_ offer: RecordedOffer) {
        let edition = offers.count - 1
        var place = offer
        place.properties = []
        if let known = offerPlaces[place] {
            offers[edition][known].properties.formUnion(offer.properties)
        } else if offerCount < Self.offerLimit {
            offerCount += 1
            offerPlaces[place] = offers[edition].count
            offers[edition].append(offer)
        }
    }
}

/// Something that a device did in a capture.
package struct RecordedReaction: Hashable, Sendable {
    /// What it did.
    package enum What: Hashable, Sendable {
        /// It sent a value by itself.
        case value(CaptureChannel, [UInt8], isIndication: Bool)
        /// It answered a read.
        case answer([UInt8])
        /// It acknowledged a write.
        case acknowledged
        /// It refused a request.
        case refused(UInt8)
        /// It said that it offers something else: which of the capture's offers, from here on.
        case servicesChanged(edition: Int)
        /// The connection ended.
        case disconnected(reason: UInt8?)
    }

    /// The line of the capture, counted from 1.
    package let line: Int
    /// When it happened.
    package let moment: Moment
    /// What it did.
    package internal(set) var what: What
    /// Which conversation it belongs to.
    package let conversation: Int
    /// The last request before it, of the same conversation; nothing if there was none.
    package let after: Int?
    /// The request that it answers, as far as that can be told.
    package internal(set) var answered: Int?
    /// Whether it comes of the connection itself, and not of what was asked last.
    package var isOfConnection = false
}

/// A characteristic that a device was seen to have.
package struct RecordedOffer: Hashable, Sendable {
    /// The service that it belongs to.
    package let service: BluetoothUUID
    /// The characteristic.
    package let characteristic: BluetoothUUID
    /// What can be done with it.
    package var properties: GATTProperties

    /// A characteristic of a service.
    package init(
        service: BluetoothUUID, characteristic: BluetoothUUID, properties: GATTProperties
    ) {
        self.service = service
        self.characteristic = characteristic
        self.properties = properties
    }
}
