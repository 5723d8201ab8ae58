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

extension Capture {
    /// The capture without what it says of a person, and what was replaced; see ``Scrubber``.
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

/// What a scrubber is to leave alone.
public struct ScrubOptions: Hashable, Sendable {
    /// What stays as it is.
    public var kept: Set<ScrubKind>

    /// Everything is replaced but the given kinds.
    public init(keeping kept: Set<ScrubKind> = []) {
        self.kept = kept
    }

    func keeps(_ kind: ScrubKind) -> Bool { kept.contains(kind) }
}

/// A kind of thing that scrubbing replaces; a list that can grow.
public struct ScrubKind: Hashable, Sendable {
    /// The name, as reports and the command line write it.
    public let name: String

    /// What tells one device from another: addresses, system identifiers, maker's data.
    public static let addresses = ScrubKind(name: "addresses")
    /// What people call devices, phones, connections and files.
    public static let names = ScrubKind(name: "names")
    /// Serial numbers.
    public static let serials = ScrubKind(name: "serials")
    /// Days of the calendar; times of day stay.
    public static let dates = ScrubKind(name: "dates")
    /// What was measured on a body, what that body is like and what its wearer wants of it.
    public static let health = ScrubKind(name: "health")
    /// Bytes that nobody can name: messages, contacts and places are among them.
    public static let unknown = ScrubKind(name: "unknown")
    /// What people wrote between the packets.
    public static let comments = ScrubKind(name: "comments")

    /// All kinds, in the order of reports.
    public static let all: [ScrubKind] = [
        addresses, names, serials, dates, health, unknown, comments,
    ]

    private init(name: String) {
        self.name = name
    }

    /// The kind of that name.
    public init?(named name: String) {
        guard let kind = Self.all.first(where: { $0.name == name }) else { return nil }
        self = kind
    }
}

extension ScrubKind: CustomStringConvertible {
    /// The name.
    public var description: String { name }
}

/// The short names of connections and characteristics, numbered in the order of their appearance.
struct ScrubbedNames: Sendable {
    private var links: [CaptureName: CaptureName] = [:]
    private var channels: [CaptureName: CaptureName] = [:]

    mutating func link(_ name: CaptureName) -> CaptureName { Self.numbered("link", name, &links) }

    /// Whether a connection of that name was met.
    func isLink(_ name: CaptureName) -> Bool { links[name] != nil }

    mutating func channel(_ name: CaptureName) -> CaptureName {
        Self.numbered("name", name, &channels)
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
