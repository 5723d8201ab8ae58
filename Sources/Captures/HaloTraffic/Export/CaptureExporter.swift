public import HaloCapture
public import HaloProtocol
import HaloTransport

/// Writes a capture as a file for Wireshark or `btmon`, line by line.
///
/// The file has the contents of a recording on the app's host: its controller's events and the
/// packets of the attribute protocol. Contents that a capture lacks are made up as a host would
/// send them:
///
/// - Each connection has a handle of its own. Where the first line of a connection is not `*
///   connected`, a connection event is written just before it.
/// - A device has the characteristics of `* offers`, and all others that are used, in their usual
///   service or in one of their own. Those of lines passed to ``prepare(for:at:)`` are discovered
///   as soon as the connection is open, the others before their first use. Values of descriptors
///   that nothing was prepared for are left out.
/// - A line without an action is a write command, or the answer to `* read` of its channel, or else
///   a notification. Requests that overlap are written one after another, each after the response
///   to the one before it, or after 30 s.
/// - The answer to a read without `* read` has its request just before it. Signatures are zeros.
/// - Switching notifications is a write that is acknowledged at once, or refused at once if the
///   line of its refusal was passed to ``prepare(for:at:)``. Long answers are read in pieces, long
///   requests are written in pieces.
/// - Where a value is too long for one packet, both sides agree on an MTU of 517.
/// - Without `# address:`, the address is C0:00:00:00:00:01, the next connection's 02.
/// - Time begins at `# clock:`, else at midnight on 1 January 2026, UTC.
///
/// ```swift
/// var exporter = CaptureExporter(.pcapng)
/// for line in capture.timedLines { try exporter.write(line) }
/// try exporter.finish()
/// let bytes = exporter.drain()
/// ```
public struct CaptureExporter: Sendable {
    package static let maximumLinkCount = 256

    /// The beginning of a capture without a clock: 2026-01-01 00:00:00 UTC, in seconds since 1970.
    static let usualStart: Int64 = 1_767_225_600

    private var air: ExportAir
    private var actions = CaptureActions()
    private var preparedActions = CaptureActions()
    /// An advertisement that a line with its data may follow.
    private var announced: (link: Int, moment: Moment)?
    private var strengths: [Int: Int8] = [:]
    private var links: [ExportLink] = []
    private var numbers: [CaptureName?: Int] = [:]
    private var nextHandle: UInt16 = 0x0040
    private var start = Self.usualStart * 1_000_000
    private var addresses: [CaptureName?: DeviceAddress] = [:]
    private var last = Moment.origin

    /// Begins a file in a format.
    public init(_ format: ExportFormat) {
        air = ExportAir(format)
    }

    /// Removes and returns the bytes that were written since the last time.
    public mutating func drain() -> [UInt8] { air.drain() }

    /// The number of bytes to be drained.
    public var pendingCount: Int { air.pendingCount }

    /// The number of lines that were left out: responses and confirmations without a request, and
    /// values of descriptors that nothing was prepared for.
    package var omissionCount: Int {
        links.reduce(0) { $0 + $1.omissionCount }
    }

    /// Notes a line that will be written later. Either all lines or none are noted, before the
    /// first is written.
    ///
    /// The memory grows with the number of characteristics, not of lines.
    public mutating func prepare(for line: CaptureLine, at moment: Moment) throws(ExportError) {
        if case .comment(let comment) = line { note(comment) }
        guard let (step, link) = try step(line, isPreparing: true) else { return }
        switch step {
        case .event(.advertised), .advertisement: break
        default: links[link].foresight.note(step)
        }
    }

    /// Notes a line that will be written later.
    public mutating func prepare(for line: TimedLine) throws(ExportError) {
        try prepare(for: line.line, at: line.moment)
    }

    /// Writes a line.
    public mutating func write(_ line: CaptureLine, at moment: Moment) throws(ExportError) {
        last = max(last, moment)
        if case .comment(let comment) = line { note(comment) }
        guard let (step, link) = try step(line, isPreparing: false) else { return }
        if case .advertisement = step, announced?.link == link { announced = nil }
        writeAnnounced()
        air.time = time(last)
        switch step {
        case .event(.advertised(let strength)):
            announced = (link, last)
            strengths[link] = strength
        case .advertisement(let channel, let data):
            writeAdvertisement(data, isScanResponse: channel == .scanResponse, on: link)
        default:
            try links[link].receive(step, at: last, nextHandle: &nextHandle, into: &air)
        }
    }

    /// Writes a line.
    public mutating func write(_ line: TimedLine) throws(ExportError) {
        try write(line.line, at: line.moment)
    }

    /// Writes the lines that still wait, and ends the file.
    public mutating func finish() throws(ExportError) {
        writeAnnounced()
        air.time = time(last)
        for index in links.indices { try links[index].finish(at: last, into: &air) }
    }

    // MARK: Lines

    /// The step of a line with the index of its link, or `nil` if the line is not exported.
    private mutating func step(
        _ line: CaptureLine, isPreparing: Bool
    ) throws(ExportError) -> (ExportStep, link: Int)? {
        switch line {
        case .event(let event, let name):
            let link = try link(name)
            if isPreparing {
                preparedActions.note(event, link: name)
            } else {
                actions.note(event, link: name)
            }
            return (.event(event), link)
        case .packet(let packet):
            let link = try link(packet.link)
            switch (packet.channel, packet.direction) {
            case (.advertisement, .fromDevice), (.scanResponse, .fromDevice):
                return (.advertisement(packet.channel, packet.bytes), link)
            default:
                let action =
                    isPreparing ? preparedActions.action(of: packet) : actions.action(of: packet)
                return (.value(action, packet.channel, packet.bytes), link)
            }
        case .version, .blank, .comment, .name, .elapsed, .reading, .error:
            return nil
        }
    }

    private mutating func link(_ name: CaptureName?) throws(ExportError) -> Int {
        if let number = numbers[name] { return number }
        guard links.count < Self.maximumLinkCount else { throw .tooManyLinks }
        let number = links.count
        numbers[name] = number
        let usual = DeviceAddress(0xC000_0000_0001 + UInt64(number), isRandom: true)
        links.append(ExportLink(number, address: addresses[name] ?? usual))
        return number
    }

    /// Notes the clock or an address in a comment. Comments after time has passed are ignored.
    private mutating func note(_ comment: CaptureText) {
        guard last == .origin, let text = comment.tagged else { return }
        switch comment.tag {
        case "clock":
            start = WallClock(captureTag: text)?.microseconds ?? start
        case "address":
            guard let tag = CaptureAddress(text), addresses.count < Self.maximumLinkCount,
                addresses[tag.link] == nil
            else { return }
            addresses[tag.link] = tag.address
            if let number = numbers[tag.link] { links[number].address = tag.address }
        default:
            break
        }
    }

    // MARK: Steps

    /// Writes an advertisement without data.
    private mutating func writeAnnounced() {
        guard let (link, moment) = announced else { return }
        announced = nil
        air.time = time(moment)
        writeAdvertisement([], isScanResponse: false, on: link)
    }

    private mutating func writeAdvertisement(
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

extension Capture {
    /// The capture as a file for Wireshark or `btmon`.
    public func exported(as format: ExportFormat) throws(ExportError) -> [UInt8] {
        var exporter = CaptureExporter(format)
        for line in timedLines { try exporter.prepare(for: line) }
        for line in timedLines { try exporter.write(line) }
        try exporter.finish()
        return exporter.drain()
    }

    /// Writes the capture to a file for Wireshark or `btmon`. The file appears only once it is
    /// complete.
    ///
    /// A recorder makes such a file of a program's conversation with a virtual or a real device:
    ///
    /// ```swift
    /// let recorder = CaptureRecorder()
    /// let ring = try await Ring.connect(over: RecordingTransport(bluetooth, to: recorder))
    /// _ = try await ring.battery()
    /// try recorder.capture().export(as: .pcapng, to: "ring.pcapng")
    /// ```
    public func export(as format: ExportFormat, to path: String) throws(ExportError) {
        let bytes = try exported(as: format)
        try mapError(ExportError.init(_:)) { () throws(FileError) in
            var file = try FileOutput(path)
            try file.write(bytes)
            try file.commit()
        }
    }
}
