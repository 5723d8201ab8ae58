import HaloProtocol

/// Makes a capture that can be given away: what it says of a person is replaced, its shape stays.
///
/// It goes over a capture twice: ``learn(_:)`` takes every line, then ``scrub(_:)`` takes every
/// line again and answers with those that stand for it.
///
/// *Replaced* are addresses, names, serial numbers, days of the calendar, everything that was
/// measured on a body, every byte that no decoder can name, and everything that people wrote. A
/// day is moved by a number of weeks, the same for all of them. Samples are those of a seeded
/// body and follow from the seed alone. Totals are drawn, and stay in their order. Texts become
/// texts of the same length, the same one wherever it stood. Zeros stay, for they say that there
/// is nothing. Checksums are made anew, right or wrong as they were.
///
/// *Not hidden* is when packets came, how many there are, in what order, and which are the same;
/// the time of day, also of measurements; how loud the device was heard; its model, firmware,
/// abilities and UUIDs; settings such as intervals, hours, language and units; the phone's
/// system; which slots of a day have values, and how many stages a sleep has; how long texts are
/// and where they have spaces; the battery's charge; the kind and length of workouts. Texts that
/// say model or version stay, but for what the capture itself says to be a name, a serial number
/// or an address. Whoever knows when somebody wore the ring, or has the same capture from
/// elsewhere, can recognise one by that. Whoever knows the seed can undo the dates and narrow
/// down the totals, so a seed that was used for something that matters is a secret too.
public struct Scrubber: Sendable {
    struct StreamKey: Hashable, Sendable {
        let link: CaptureName?
        let direction: Direction
    }

    /// What was done so far.
    public private(set) var report = ScrubReport()

    let options: ScrubOptions
    var packets: PacketScrubber
    private var streams: [StreamKey: BigDataStream] = [:]
    private var order: [StreamKey] = []
    private var pieces: [StreamKey: ScrubbedStream] = [:]
    private var isLearning = true
    private var names = ScrubbedNames()
    private var readings = ScrubbedReadings()

    /// A scrubber whose every draw follows from the seed.
    public init(seed: UInt64, _ options: ScrubOptions = ScrubOptions()) {
        self.options = options
        packets = PacketScrubber(seed: seed, options)
    }

    // MARK: First pass

    /// Takes in a line of the capture, before any line is scrubbed.
    public mutating func learn(_ line: CaptureLine) {
        guard isLearning else { return }
        switch line {
        case .packet(let packet): meet(packet.link)
        case .event(_, let link): meet(link)
        default: break
        }
        switch line {
        case .packet(let packet) where packet.channel == .bigData:
            let key = StreamKey(link: packet.link, direction: packet.direction)
            if streams[key] == nil { order.append(key) }
            streams[key, default: BigDataStream()].append(packet.bytes)
        case .packet(let packet): packets.learn(ScrubPacket(packet))
        case .comment(let text): packets.learn(text)
        default: break
        }
    }

    private mutating func finishLearning() {
        isLearning = false
        for key in order {
            guard let stream = streams.removeValue(forKey: key) else { continue }
            let scrubbed = ScrubbedStream(stream, key.direction)
            for packet in scrubbed.packets { packets.learn(packet) }
            pieces[key] = scrubbed
        }
        packets.finishLearning()
        for key in order { pieces[key]?.scrub(&packets) }
    }

    // MARK: Second pass

    /// What stands for the next line of the capture.
    ///
    /// A line that was not learnt before is scrubbed all the same, but without what others say.
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

    /// The tag of the comment that says that a capture was scrubbed.
    static let tag = "scrubbed"

    private var scrubbedKinds: String {
        ScrubKind.all.filter { !options.keeps($0) }.map(\.name).joined(separator: " ")
    }

    private mutating func replaced(_ line: CaptureLine) -> [CaptureLine] {
        switch line {
        case .version, .blank, .elapsed: return [line]
        case .name(let name, let uuid):
            return [.name(channelName(name), uuid)]
        case .event(let event, let link):
            return [.event(event, link: linkName(link))]
        case .packet(let packet): return [.packet(replaced(packet))]
        case .comment(let text):
            return replaced(text).map { [.comment($0)] } ?? []
        case .reading, .error:
            return readings.next(after: line).map { [$0] } ?? []
        }
    }

    /// What stands for a comment. One that holds for a connection still does.
    private mutating func replaced(_ text: CaptureText) -> CaptureText? {
        var old = text
        var link: CaptureName?
        if let tag = text.tag, let ending = CaptureText.split(text.tagged ?? ""),
            names.isLink(ending.link)
        {
            old = CaptureText("\(tag): \(ending.value)")
            link = linkName(ending.link)
        }
        let kind = PacketScrubber.kind(ofTag: text.tag)
        guard let new = packets.comment(old) else {
            if text.tag != Self.tag { report.count(kind) }
            return nil
        }
        if new != old { report.count(kind) }
        return CaptureText(new.text + CaptureText.ending(link))
    }

    private mutating func replaced(_ packet: CapturePacket) -> CapturePacket {
        report.packetCount += 1
        let key = StreamKey(link: packet.link, direction: packet.direction)
        let piece: ScrubbedPiece
        if packet.channel == .bigData, let known = pieces[key]?.next(packet.bytes) {
            piece = known
        } else {
            let whole = ScrubPacket(packet)
            piece = ScrubbedPiece(whole, packets.scrub(whole))
        }
        for (kind, number) in piece.replaced { report.count(kind, number) }
        if let problem = piece.problem {
            let line = report.lineCount
            report.note(
                ScrubReport.Obscured(line: line, channel: packet.channel, reason: problem))
        }
        readings.take(piece.whole, link: packet.link)
        return CapturePacket(
            unchecked: packet.direction, packet.action, link: linkName(packet.link),
            packet.channel, piece.bytes)
    }

    // MARK: Names

    private mutating func meet(_ link: CaptureName?) {
        if let link { _ = names.link(link) }
    }

    private mutating func linkName(_ name: CaptureName?) -> CaptureName? {
        guard let name, !options.keeps(.names) else { return name }
        return names.link(name)
    }

    private mutating func channelName(_ name: CaptureName) -> CaptureName {
        options.keeps(.names) || CaptureChannel.isKnown(name) ? name : names.channel(name)
    }
}

extension ScrubPacket {
    init(_ packet: CapturePacket) {
        self.init(direction: packet.direction, channel: packet.channel, bytes: packet.bytes)
    }
}
