package import HaloProtocol
package import HaloTransport

/// A capture from the view of the device: the requests of successive connections, and the device's
/// reactions.
package struct RecordedConversations: Sendable {
    package struct Conversation: Hashable, Sendable {
        /// The moment of the connection, or of its first line.
        package let began: Moment
        /// The range of the conversation's requests in ``RecordedConversations/requests``.
        package internal(set) var requests: Range<Int>
        /// The generation of the offers when the conversation begins.
        package let generation: Int
        /// `true` if the capture has the subscriptions of the conversation.
        package internal(set) var notesSubscriptions = false
        package internal(set) var mtu: UInt16?
        /// `true` if the capture has the beginning of the connection.
        package internal(set) var isConnected = false
        var isEnded = false
    }

    package private(set) var conversations: [Conversation] = []
    package private(set) var requests: [RecordedRequest] = []
    package private(set) var reactions: [RecordedReaction] = []
    /// The offers of the device by generation; a generation ends with the next change of services.
    package private(set) var offers: [[RecordedOffer]] = [[]]
    /// The first advertisement with data.
    package private(set) var advertisement: [UInt8]?
    /// The first scan response with data.
    package private(set) var scanResponse: [UInt8]?
    /// The tags of comments before the first request, the first of each kind.
    package private(set) var tags: [String: String] = [:]

    /// The date and time at the beginning, from the tag `clock:`; `nil` without a valid one.
    package var clock: WallClock? { tags["clock"].flatMap(WallClock.init(captureTag:)) }

    /// The maximum number of generations of offers; further offers are added to the last
    /// generation.
    package static let generationLimit = 64
    /// The maximum number of offers of all generations together: more than there are handles.
    package static let offerLimit = 65_536

    /// The indices of the offers of the last generation, without their properties.
    private var offerIndices: [RecordedOffer: Int] = [:]
    private var offerCount = 0
    private var openWrites: [CaptureChannel: OpenWrites] = [:]
    private var openReads: [CaptureChannel: OpenReads] = [:]
    private var actions = CaptureActions()
    /// The last subscription of each channel.
    private var subscriptions: [CaptureChannel: Int] = [:]
    /// The last change of the subscription of each channel that may be refused, as no value came
    /// since, and the last subscription before it.
    private var changes: [CaptureChannel: (request: Int, subscription: Int?)] = [:]
    private var answers = AnswerAttribution()

    /// The writes to a channel that may be answered, in any number.
    private struct OpenWrites {
        var withResponse = Queue<Int>()
        /// Those of a capture without actions.
        var others: [Int] = []

        /// The next one to be answered: the first one with a response. A capture need not have the
        /// actions: then it is the last one, as the earlier ones had no response.
        var next: Int? { withResponse.first ?? others.last }

        mutating func popNext() -> Int? { withResponse.popFirst() ?? others.popLast() }
    }

    /// The reads of a channel that are not answered.
    private struct OpenReads {
        private var queue = Queue<Int>()
        /// The last one, as long as there is any.
        private(set) var last = 0

        var first: Int? { queue.first }

        mutating func append(_ read: Int) {
            queue.append(read)
            last = read
        }

        mutating func popFirst() -> Int? { queue.popFirst() }
    }

    /// Creates the conversations of a named connection; for `nil`, of the unnamed connection, or
    /// else of the first one.
    package init(_ capture: Capture, link: CaptureName? = nil) {
        let links = Self.links(of: capture)
        let link = link ?? (links.contains(nil) ? nil : links.first ?? nil)
        let names = Set(links)
        for line in capture.timedLines {
            switch line.line {
            case .comment(let text):
                guard let tag = text.tag, requests.isEmpty, tags[tag] == nil else { continue }
                var ending = text.tagged.flatMap(CaptureText.split)
                if let name = ending?.link, !names.contains(name) { ending = nil }
                if ending == nil || ending?.link == link {
                    tags[tag] = ending?.value ?? text.tagged
                }
            case .event(let event, link: link):
                actions.note(event, link: link)
                receive(event, line)
            case .packet(let packet):
                // Advertisements belong to no connection.
                let isAdvertisement = packet.channel.isAdvertising
                if isAdvertisement || packet.link == link { receive(packet, line) }
            default: break
            }
        }
    }

    /// Returns the names of a capture's connections, in the order of their first lines; `nil` for a
    /// connection without a name.
    package static func links(of capture: Capture) -> [CaptureName?] {
        var links: [CaptureName?] = []
        var known: Set<CaptureName?> = []
        for line in capture.lines {
            let link: CaptureName?
            switch line {
            case .event(.advertised, _), .event(.offers, _): continue
            case .event(_, let name): link = name
            case .packet(let packet):
                if packet.channel.isAdvertising { continue }
                link = packet.link
            default: continue
            }
            if known.insert(link).inserted { links.append(link) }
        }
        return links
    }

    /// Returns the index of the open conversation, or of a new one.
    private mutating func open(_ line: TimedLine) -> Int {
        if conversations.last.map({ $0.isEnded }) ?? true {
            let start = requests.count
            conversations.append(
                Conversation(
                    began: line.moment, requests: start..<start, generation: offers.count - 1))
            openWrites = [:]
            openReads = [:]
            subscriptions = [:]
            changes = [:]
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

    private mutating func receive(_ packet: CapturePacket, _ line: TimedLine) {
        let channel = packet.channel
        switch (packet.direction, channel) {
        // A directed advertisement has no data.
        case (.fromDevice, .advertisement):
            if advertisement?.isEmpty ?? true { advertisement = packet.bytes }
        case (.fromDevice, .scanResponse):
            if scanResponse?.isEmpty ?? true { scanResponse = packet.bytes }
        case (.toDevice, .advertisement), (.toDevice, .scanResponse): break
        case (.toDevice, _):
            let request = ask(.write(channel, packet.bytes), line)
            requests[request].action = packet.action
            // A write without a response is never answered.
            switch packet.action {
            case nil: openWrites[channel, default: OpenWrites()].others.append(request)
            case .write?:
                openWrites[channel, default: OpenWrites()].withResponse.append(request)
            default: break
            }
            answers.note(request, channel, packet.bytes)
        case (.fromDevice, _):
            let action = actions.action(of: packet)
            if action == .read {
                let read = popRead(channel) ?? ask(.read(channel), line)
                requests[read].outcome = .done
                return react(.answer(packet.bytes), to: read, line)
            }
            changes[channel] = nil
            react(
                .value(channel, packet.bytes, isIndication: action == .indicated),
                to: answers.request(for: channel, packet.bytes), line)
            guard isSteady(channel) else { return }
            reactions[reactions.count - 1].answered = subscriptions[channel]
            reactions[reactions.count - 1].isOfConnection = subscriptions[channel] == nil
        }
    }

    /// Returns `true` if values of a channel are sent because of a subscription, and answer no
    /// request.
    private func isSteady(_ channel: CaptureChannel) -> Bool {
        guard case .characteristic(let uuid) = channel else { return false }
        return CharacteristicCatalog.entry(uuid) != nil
    }

    // MARK: Events

    private mutating func receive(_ event: CaptureEvent, _ line: TimedLine) {
        switch event {
        case .connected(let mtu):
            // A connection that begins before the end of another one: the capture does not have
            // that end.
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
        case .read(let channel):
            openReads[channel, default: OpenReads()].append(ask(.read(channel), line))
        case .acknowledged(let channel):
            guard let write = popWrite(channel) else { return }
            requests[write].outcome = .done
            react(.acknowledged, to: write, line)
        case .refused(let channel, let code):
            let pending = isOfWrite(channel) ? popWrite(channel) : popRead(channel)
            guard let request = pending ?? undoChange(channel) else { return }
            requests[request].outcome = .refused(code)
            react(.refused(code), to: request, line)
        case .offers(let service, let characteristic, let properties):
            offer(
                RecordedOffer(
                    service: service, characteristic: characteristic, properties: properties))
        case .servicesChanged:
            if offers.count < Self.generationLimit {
                offers.append([])
                offerIndices = [:]
            }
            react(.servicesChanged(generation: offers.count - 1), line)
        case .disconnected(let reason):
            guard !(conversations.last?.isEnded ?? true) else { return }
            react(.disconnected(reason: reason), line)
            conversations[conversations.count - 1].isEnded = true
        case .confirmed, .encrypted, .advertised: break
        }
    }

    private mutating func popRead(_ channel: CaptureChannel) -> Int? {
        openReads[channel]?.popFirst()
    }

    private mutating func popWrite(_ channel: CaptureChannel) -> Int? {
        openWrites[channel]?.popNext()
    }

    /// `true` if a refusal is of a write, and not of a read: of the earlier one, as requests are
    /// answered in order. Without actions it is the later one.
    private func isOfWrite(_ channel: CaptureChannel) -> Bool {
        guard let write = openWrites[channel]?.next else { return false }
        guard let reads = openReads[channel], let first = reads.first else { return true }
        return requests[write].action == .write ? write < first : write > reads.last
    }

    private mutating func subscribe(_ channel: CaptureChannel, isOn: Bool, _ line: TimedLine) {
        let request = ask(.subscription(channel, isOn: isOn), line)
        conversations[requests[request].conversation].notesSubscriptions = true
        changes[channel] = (request, subscriptions[channel])
        if isOn { subscriptions[channel] = request }
    }

    /// Undoes the last change of a subscription, which is refused. Returns its request, or `nil` if
    /// there is none.
    private mutating func undoChange(_ channel: CaptureChannel) -> Int? {
        guard let change = changes.removeValue(forKey: channel) else { return nil }
        subscriptions[channel] = change.subscription
        return change.request
    }

    private mutating func offer(_ offer: RecordedOffer) {
        let generation = offers.count - 1
        var key = offer
        key.properties = []
        if let known = offerIndices[key] {
            offers[generation][known].properties.formUnion(offer.properties)
        } else if offerCount < Self.offerLimit {
            offerCount += 1
            offerIndices[key] = offers[generation].count
            offers[generation].append(offer)
        }
    }
}
