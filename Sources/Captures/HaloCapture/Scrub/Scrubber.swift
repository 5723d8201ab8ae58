import HaloProtocol

/// A scrubber that makes a capture publishable: personal data are replaced, the structure is kept.
///
/// A capture needs two passes: every line goes to ``learn(_:)``, then every line again to
/// ``scrub(_:)``, which returns its substitutes.
///
/// *Replaced* are addresses, names, serial numbers, days of the calendar, all values measured on a
/// body, every byte unknown to the decoders, and all text by people. All days are shifted by the
/// same number of weeks. Samples are those of a seeded body and follow from the seed alone. Totals
/// are drawn, and keep their order. A text becomes a text of the same length, the same one
/// everywhere. Zeros are kept, because they mean "none". Checksums are computed anew; wrong ones
/// stay wrong.
///
/// *Not hidden* are the times, the number and the order of packets, and the equality of packets;
/// the time of day, also of measurements; the signal strength; the device's model, firmware,
/// capabilities and UUIDs; settings such as intervals, hours, language and units; the phone's
/// system; which slots of a day have values, and the number of stages of a sleep; the lengths and
/// spaces of texts; the battery's charge; the kind and length of workouts. Names, serial numbers
/// and addresses of the capture are replaced also where they are in what is kept: in the text of a
/// model or a version, in settings, in UUIDs. They are found in each usual spelling: an address in
/// either byte order, with any separators or none, hexadecimal or decimal, and in the form EUI-64;
/// a name in another case or another normal form of Unicode, and each of its words; both as text,
/// as UTF-16, and as the digits of its bytes.
///
/// *Limits*: other encodings, such as Base64, nicknames and parts of an address are not found. In
/// what is kept, a thousand texts and a thousand addresses are searched for, the
/// device's own ones before those of advertisements and comments. 50,000 packets, as many
/// addresses, and four megabytes of texts have the same substitute each time.
///
/// Readers who know when a person wore the ring, or have the same capture from elsewhere, can
/// recognise it. Readers who know the seed can undo the dates and narrow down the totals, so the
/// seed of a real capture is a secret too.
public struct Scrubber: Sendable {
    private typealias Stream = CapturePacket.Stream

    /// The counts of replacements so far.
    public private(set) var report = ScrubReport()

    private let options: ScrubOptions
    private var packets: PacketScrubber
    private var streams: [Stream: BigDataStream] = [:]
    private var order: [Stream] = []
    private var pieces: [Stream: ScrubbedStream] = [:]
    private var isLearning = true
    /// The new names of connections and characteristics, numbered in the order of their appearance.
    private var linkNames: [CaptureName: CaptureName] = [:]
    private var channelNames: [CaptureName: CaptureName] = [:]
    private var readings = ScrubbedReadings()

    /// Creates a scrubber; the seed determines every draw.
    public init(seed: UInt64, _ options: ScrubOptions = ScrubOptions()) {
        self.options = options
        packets = PacketScrubber(seed: seed, options)
    }

    // MARK: First pass

    /// Collects the secrets of a line, before any line is scrubbed.
    public mutating func learn(_ line: CaptureLine) {
        guard isLearning else { return }
        switch line {
        case .packet(let packet):
            learn(packet.link)
            guard packet.channel == .bigData else { return packets.fields.learn(packet) }
            let key = packet.stream
            if streams[key] == nil { order.append(key) }
            streams[key, default: BigDataStream()].append(packet.bytes)
        case .event(_, let link): learn(link)
        case .comment(let text): CommentScrubber.learn(text, into: &packets.fields)
        default: break
        }
    }

    private mutating func finishLearning() {
        isLearning = false
        for key in order {
            guard let stream = streams.removeValue(forKey: key) else { continue }
            let scrubbed = ScrubbedStream(stream, key.direction)
            scrubbed.forEachPacket { packets.fields.learn($0) }
            pieces[key] = scrubbed
        }
        packets.fields.finishLearning()
        for key in order { pieces[key]?.scrub(&packets) }
    }

    // MARK: Second pass

    /// Returns the substitutes for the next line of the capture.
    ///
    /// A line that was not in the first pass is scrubbed all the same, but without the secrets of
    /// that pass.
    public mutating func scrub(_ line: CaptureLine) -> [CaptureLine] {
        if isLearning { finishLearning() }
        report.lineCount += 1
        guard report.lineCount > 1 else {
            let note = CaptureLine.comment(CaptureText("\(Self.tag): \(scrubbedKinds)"))
            if case .version = line { return [line, note] }
            return [note] + replaced(line)
        }
        return replaced(line)
    }

    static let tag = "scrubbed"

    private var scrubbedKinds: String {
        ScrubKind.all.filter { !options.keeps($0) }.map(\.name).joined(separator: " ")
    }

    private mutating func replaced(_ line: CaptureLine) -> [CaptureLine] {
        switch line {
        case .version, .blank, .elapsed: return [line]
        case .name(let name, let uuid):
            return [.name(channelName(name), packets.fields.secrets.redacted(uuid))]
        case .event(let event, let link):
            return [.event(packets.fields.secrets.redacted(event), link: linkName(link))]
        case .packet(let packet): return [.packet(replaced(packet))]
        case .comment(let text):
            return replaced(text).map { [.comment($0)] } ?? []
        case .reading, .error:
            return readings.next(after: line).map { [$0] } ?? []
        }
    }

    /// Returns the substitute for a comment; `nil` if it is dropped. The ending of a connection's
    /// tag gets the connection's new name.
    private mutating func replaced(_ text: CaptureText) -> CaptureText? {
        var old = text
        var link: CaptureName?
        if let tag = text.tag, let ending = CaptureText.split(text.tagged ?? ""),
            linkNames[ending.link] != nil
        {
            old = CaptureText("\(tag): \(ending.value)")
            link = linkName(ending.link)
        }
        let kind = CommentScrubber.kind(ofTag: text.tag)
        guard let new = CommentScrubber.substitute(for: old, &packets.fields) else {
            if text.tag != Self.tag { report.count(kind) }
            return nil
        }
        if new != old { report.count(kind) }
        return CaptureText(new.text + CaptureText.ending(link))
    }

    private mutating func replaced(_ packet: CapturePacket) -> CapturePacket {
        report.packetCount += 1
        let outcome: PacketScrubber.Outcome
        let whole: CapturePacket?
        if packet.channel == .bigData, let known = pieces[packet.stream]?.next(packet.bytes) {
            (outcome, whole) = known
        } else {
            outcome = packets.scrub(
                CapturePacket(unchecked: packet.direction, nil, packet.channel, packet.bytes))
            whole = CapturePacket(
                unchecked: packet.direction, nil, packet.channel, outcome.bytes)
        }
        for (kind, number) in outcome.replaced { report.count(kind, number) }
        let channel = packets.fields.secrets.redacted(packet.channel)
        if let problem = outcome.problem {
            // Reports are published too.
            report.note(
                ScrubReport.Obscured(
                    line: report.lineCount, channel: channel, reason: problem))
        }
        readings.startReply(whole, link: packet.link)
        return CapturePacket(
            unchecked: packet.direction, packet.action, link: linkName(packet.link),
            channel, outcome.bytes)
    }

    // MARK: Names

    private mutating func learn(_ link: CaptureName?) {
        if let link { _ = Self.numbered("link", link, &linkNames) }
    }

    private mutating func linkName(_ name: CaptureName?) -> CaptureName? {
        guard let name, !options.keeps(.names) else { return name }
        return Self.numbered("link", name, &linkNames)
    }

    private mutating func channelName(_ name: CaptureName) -> CaptureName {
        options.keeps(.names) || CaptureChannel.isKnown(name)
            ? name : Self.numbered("name", name, &channelNames)
    }

    private static func numbered(
        _ word: String, _ name: CaptureName, _ known: inout [CaptureName: CaptureName]
    ) -> CaptureName {
        if let new = known[name] { return new }
        let new = (try? CaptureName("\(word)-\(known.count + 1)")) ?? name
        known[name] = new
        return new
    }
}

extension KnownSecrets {
    /// Returns a channel with the secrets in its UUIDs replaced.
    func redacted(_ channel: CaptureChannel) -> CaptureChannel {
        switch channel {
        case .characteristic(let uuid): .characteristic(redacted(uuid))
        case .descriptor(let type, of: let uuid): .descriptor(redacted(type), of: redacted(uuid))
        case .uart, .bigData, .family, .advertisement, .scanResponse: channel
        }
    }

    func redacted(_ event: CaptureEvent) -> CaptureEvent {
        switch event {
        case .subscribed(let channel): .subscribed(redacted(channel))
        case .unsubscribed(let channel): .unsubscribed(redacted(channel))
        case .read(let channel): .read(redacted(channel))
        case .acknowledged(let channel): .acknowledged(redacted(channel))
        case .refused(let channel, let code): .refused(redacted(channel), code: code)
        case .confirmed(let channel): .confirmed(redacted(channel))
        case .offers(let service, let characteristic, let properties):
            .offers(
                service: redacted(service), characteristic: redacted(characteristic), properties)
        case .connected, .mtu, .servicesChanged, .encrypted, .disconnected, .advertised: event
        }
    }
}

extension Capture {
    /// Returns the capture without personal data, and the counts of replacements; see ``Scrubber``.
    public func scrubbed(
        seed: UInt64, _ options: ScrubOptions = ScrubOptions()
    ) throws(CaptureError) -> (capture: Capture, report: ScrubReport) {
        var scrubber = Scrubber(seed: seed, options)
        for line in lines { scrubber.learn(line) }
        var capture = Capture()
        for line in lines {
            for new in scrubber.scrub(line) { try capture.append(new) }
        }
        return (capture, scrubber.report)
    }
}

/// The `=` and `!` lines of scrubbed packets, from the decoders of the new bytes.
private struct ScrubbedReadings: Sendable {
    private var packet: CapturePacket?
    /// The reading of the reply that the packet completes; `nil` if there is none.
    private var reply: String?
    /// The number of lines after the packet so far.
    private var count = 0
    /// The replies to each command since its last request.
    private var replies = RecordedReplies()

    /// Begins with a packet, to which further lines belong.
    mutating func startReply(_ packet: CapturePacket?, link: CaptureName?) {
        self.packet = packet
        count = 0
        reply = packet.flatMap { replies.receive($0, link: link)?.reading }
    }

    /// Returns the substitute for a reading or an error; `nil` if there is none.
    mutating func next(after line: CaptureLine) -> CaptureLine? {
        defer { count += 1 }
        guard let explanation = packet?.explanation else { return nil }
        if count == 0 {
            return explanation.problem.map { .error(CaptureText($0)) }
                ?? .reading(CaptureText(explanation.reading))
        }
        guard count == 1, explanation.problem == nil else { return nil }
        return reply.map { .reading(CaptureText($0)) }
    }
}
