public import HaloCapture
public import HaloProtocol
import HaloTransport

/// Writes a capture as a file for Wireshark or `btmon`, line by line as the lines come.
///
/// The file shows what an app's host would have recorded: its controller's events and the packets
/// of the attribute protocol. What a capture does not say is made up as a host would do it:
///
/// - Each connection has a handle of its own. Where the first line of a connection is not
///   `* connected`, it is connected to just before.
/// - A device has what `* offers` says, and whatever else is written, read or heard, in the service
///   it usually has or in one of its own. All that ``foresee(_:at:)`` was told of is discovered as
///   soon as the connection stands; what was not is discovered before it is first used.
/// - A line that does not say what was done, as none of version 1 does, is a write command, or
///   the answer to `* read` of its channel, or else a notification. Requests that overlap are
///   written one after another, each when the one before it was answered, or after 30 s.
/// - An answer to a read that nobody noted has its question just before. Signatures are zeros.
/// - Switching notifications is a write that is acknowledged at once. Long answers are
///   read in pieces, long requests are prepared in pieces.
/// - Where a value is too long for one packet, both sides agree on 517 bytes.
/// - An address that no `# address:` says is C0:00:00:00:00:01, the next connection's 02.
/// - Time begins when `# clock:` says, else at midnight on 1 January 2026, UTC.
///
/// ```swift
/// var exporter = CaptureExporter(.pcapng)
/// for line in capture.timedLines { try exporter.put(line) }
/// try exporter.finish()
/// let bytes = exporter.take()
/// ```
public struct CaptureExporter: Sendable {
    /// How many connections by name can be told apart.
    public static let maximumLinkCount = 256

    /// When a capture begins that does not say it: 2026-01-01 00:00:00 UTC, in seconds since 1970.
    static let usualStart: Int64 = 1_767_225_600

    private var air: ExportAir
    private var actions = CaptureActions()
    private var foreseenActions = CaptureActions()
    /// An advertisement whose data may follow.
    private var announced: (link: Int, moment: Moment)?
    private var strengths: [Int: Int8] = [:]
    private var links: [ExportLink] = []
    private var numbers: [CaptureName?: Int] = [:]
    private var nextHandle: UInt16 = 0x0040
    private var start = Self.usualStart * 1_000_000
    private var addresses: [CaptureName?: DeviceAddress] = [:]
    private var last = Moment.origin

    /// Begins a file.
    public init(_ format: ExportFormat) {
        air = ExportAir(format)
    }

    /// Hands over what was written since the last time.
    public mutating func take() -> [UInt8] { air.take() }

    /// How many bytes nobody took yet.
    public var pendingCount: Int { air.pendingCount }

    /// How many lines were left out: acknowledgements, refusals and confirmations of nothing.
    public var omissionCount: Int {
        links.reduce(0) { $0 + $1.omissionCount }
    }

    /// Takes note of a line that will be put later; all of them, or none, before the first is put.
    ///
    /// It takes memory for the characteristics that occur, not for the lines.
    public mutating func foresee(_ line: CaptureLine, at moment: Moment) throws(ExportError) {
        if case .comment(let comment) = line { note(comment) }
        guard let (step, link) = try step(line, isForeseen: true) else { return }
        switch step {
        case .announced, .heard: break
        default: links[link].foresight.note(step)
        }
    }

    /// Takes note of a line that will be put later.
    public mutating func foresee(_ line: TimedLine) throws(ExportError) {
        try foresee(line.line, at: line.moment)
    }

    /// Writes a line.
    public mutating func put(_ line: CaptureLine, at moment: Moment) throws(ExportError) {
        last = max(last, moment)
        if case .comment(let comment) = line { note(comment) }
        guard let (step, link) = try step(line, isForeseen: false) else { return }
        try write(step, on: link)
    }

    /// Writes a line.
    public mutating func put(_ line: TimedLine) throws(ExportError) {
        try put(line.line, at: line.moment)
    }

    /// Says that no line follows: what was held back is written.
    public mutating func finish() throws(ExportError) {
        writeAnnounced()
        air.time = time(last)
        for index in links.indices { try links[index].finish(at: last, into: &air) }
    }

    // MARK: Lines

    /// What a line says and of which connection; nothing if it says nothing that is exported.
    private mutating func step(
        _ line: CaptureLine, isForeseen: Bool
    ) throws(ExportError) -> (ExportStep, link: Int)? {
        switch line {
        case .event(let event, let name):
            let link = try link(name)
            if isForeseen {
                foreseenActions.note(event, link: name)
            } else {
                actions.note(event, link: name)
            }
            return (ExportStep(event), link)
        case .packet(let packet):
            let link = try link(packet.link)
            switch (packet.channel, packet.direction) {
            case (.advertisement, .fromDevice), (.scanResponse, .fromDevice):
                return (.heard(packet.channel, packet.bytes), link)
            default:
                let action =
                    isForeseen ? foreseenActions.action(of: packet) : actions.action(of: packet)
                return (.value(action, packet.channel, packet.bytes), link)
            }
        case .version, .blank, .comment, .name, .elapsed, .reading, .error:
            return nil
        }
    }

    private mutating func link(_ name: CaptureName?) throws(ExportError) -> Int {
        if let number = numbers[name] { return number }
        guard links.count < Self.maximumLinkCount else { throw ExportError(.tooManyLinks) }
        let number = links.count
        numbers[name] = number
        let usual = DeviceAddress(0xC000_0000_0001 + UInt64(number), isRandom: true)
        links.append(ExportLink(number, address: addresses[name] ?? usual))
        return number
    }

    /// Notes what a comment says of the clock and of addresses, unless time has passed before it.
    private mutating func note(_ comment: CaptureText) {
        guard last == .origin, let text = comment.tagged else { return }
        switch comment.tag {
        case "clock":
            start = WallClock(captureTag: text)?.microseconds ?? start
        case "address":
            guard let said = CaptureAddress(text), addresses.count < Self.maximumLinkCount,
                addresses[said.link] == nil
            else { return }
            addresses[said.link] = said.address
            if let number = numbers[said.link] { links[number].address = said.address }
        default:
            break
        }
    }

    // MARK: Steps

    private mutating func write(_ step: ExportStep, on link: Int) throws(ExportError) {
        if case .heard = step, announced?.link == link { announced = nil }
        writeAnnounced()
        air.time = time(last)
        switch step {
        case .announced(let strength):
            announced = (link, last)
            strengths[link] = strength
        case .heard(let channel, let data):
            hear(data, isScanResponse: channel == .scanResponse, on: link)
        default:
            try links[link].take(step, at: last, nextHandle: &nextHandle, into: &air)
        }
    }

    /// Writes an advertisement of which nobody noted the data.
    private mutating func writeAnnounced() {
        guard let (link, moment) = announced else { return }
        announced = nil
        air.time = time(moment)
        hear([], isScanResponse: false, on: link)
    }

    private mutating func hear(
        _ data: [UInt8], isScanResponse: Bool, on link: Int
    ) {
        let reports = HCIEventPacket.advertisements(
            links[link].address, data, isScanResponse: isScanResponse,
            strength: strengths[link])
        for report in reports { air.put(report) }
    }

    private func time(_ moment: Moment) -> Int64 {
        Moment(microseconds: start).advanced(byMicroseconds: moment.microseconds).microseconds
    }
}

/// Why a capture cannot be exported.
public struct ExportError: Error, Hashable, Sendable {
    /// What is the matter; a list that can grow.
    public struct Kind: Hashable, Sendable {
        let words: String

        /// A device has more characteristics than there are handles for them.
        public static let tooManyAttributes = Kind(
            words: "a device has more characteristics than a connection has handles")
        /// There are more connections by name than are kept apart.
        public static let tooManyLinks = Kind(
            words: "there are more than \(CaptureExporter.maximumLinkCount) names of connections")
        /// The file cannot be written.
        public static let file = Kind(words: "the file cannot be written")
    }

    /// What is the matter.
    public let kind: Kind
    /// Why the file cannot be written, if that is the matter.
    public let file: FileError?

    init(_ kind: Kind) {
        self.kind = kind
        file = nil
    }

    init(_ file: FileError) {
        kind = .file
        self.file = file
    }
}

extension ExportError: CustomStringConvertible {
    /// One sentence.
    public var description: String { file.map { "\($0)" } ?? "\(kind)." }
}

extension ExportError.Kind: CustomStringConvertible {
    /// What is the matter.
    public var description: String { words }
}

extension Capture {
    /// The capture as a file for Wireshark or `btmon`.
    public func exported(as format: ExportFormat) throws(ExportError) -> [UInt8] {
        var exporter = CaptureExporter(format)
        for line in timedLines { try exporter.foresee(line) }
        for line in timedLines { try exporter.put(line) }
        try exporter.finish()
        return exporter.take()
    }

    /// Writes the capture to a file for Wireshark or `btmon`, which appears when it is whole.
    ///
    /// What a program says to a virtual device, or to a real one, becomes such a file if it is
    /// recorded:
    ///
    /// ```swift
    /// let recorder = CaptureRecorder()
    /// let ring = try await Ring.connect(over: RecordingTransport(bluetooth, to: recorder))
    /// _ = try await ring.battery()
    /// try recorder.capture().export(as: .pcapng, to: "ring.pcapng")
    /// ```
    public func export(as format: ExportFormat, to path: String) throws(ExportError) {
        let bytes = try exported(as: format)
        do throws(FileError) {
            var file = try FileOutput(path)
            try file.write(bytes)
            try file.commit()
        } catch {
            throw ExportError(error)
        }
    }
}
