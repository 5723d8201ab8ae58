import HaloCapture
import HaloProtocol

/// Reads logs with one packet on a line, as apps and Bluetooth tools write them: an optional time,
/// a direction, an optional characteristic, the bytes.
///
/// ```
/// > 03 00 00 00 00 00 00 00 00 00 00 00 00 00 00 03
/// [2025-12-11 22:54:15.123] TX (6e400002-b5a3-f393-e0a9-e50e24dcca9e): 03 00 …
/// 2026-09-06T02:16:07.480-04:00 rx v1.notify 78070100000000000000000000000080
/// colmi_r02_client.client: Received packet bytearray(b'\x03R\x00…')
/// ```
///
/// **Direction.** Words for writing and sending mean to the device, words for receiving and
/// notifying from the device. Without them the characteristic decides, then the words TX and RX
/// from the app's point of view, then an arrow. A line with a direction and no bytes sets the
/// direction of the next line, if that is a ring's frame.
///
/// **Channel.** The characteristic on the line decides. Without one, sixteen bytes with a correct
/// checksum are a ring's frame, and BC begins a long frame. Any other value is one of an unnamed
/// characteristic, which the options of the import can name.
///
/// Addresses and UUIDs are no values, and a value before points of omission is not whole.
struct HexLineParser: TextLineParser {
    var lines = TextLines()
    private var clock = TextClock()
    private var channels = ChannelGuess()
    private var number = 0
    private var carried: Direction?
    /// The characteristics of values that the log does not name, by the options of the import.
    private let unnamed: [Direction: BluetoothUUID]

    init(unnamed: [Direction: BluetoothUUID] = [:]) {
        self.unnamed = unnamed
    }

    /// The number of the first lines of a text that have a packet; `nil` if the text does not look
    /// like such a log: of the lines from the first packet on, one of fifty has to be a packet.
    static func packetCount(in lines: ArraySlice<ContiguousArray<UInt8>>) -> Int? {
        var count = 0
        var packets = 0
        for line in lines where !line.isEmpty && line.first != UInt8(ascii: "#") {
            if packets > 0 { count += 1 }
            var clock = TextClock()
            var cursor = TextCursor(TextLines.withoutColours(line)[...])
            HexLineTime.read(&cursor, &clock)
            let found = HexLine(cursor.rest)
            guard let bytes = found.bytes?.bytes else { continue }
            let isFrame = (try? Frame(decoding: bytes.span)) != nil
            if isFrame || found.direction != nil && bytes.count > 1 { packets += 1 }
        }
        return packets > 0 && packets * 50 >= count ? packets : nil
    }

    mutating func finish(into sink: inout some RecordSink) throws(TrafficError) {
        guard number > 0 else {
            throw TrafficError(
                .unknownFormat, at: 0, hint: "no line of the text has a direction and bytes")
        }
    }

    private var position: FilePosition {
        FilePosition(number: number + 1, offset: lines.offset, microseconds: clock.microseconds)
    }

    mutating func readLine(into sink: inout some RecordSink) {
        defer { lines.removeLine() }
        if lines.isTooLong { return sink.note(.beyondLimits, at: position) }
        let plain = TextLines.withoutColours(lines.text)
        var cursor = TextCursor(plain[...])
        if cursor.starts(with: "#") || cursor.starts(with: "//") { return }
        if let day = HexLineTime.dateAtEnd(plain[...]) { clock.day = day }
        HexLineTime.read(&cursor, &clock)
        let line = HexLine(cursor.rest)
        let carried = carried
        self.carried = line.bytes == nil ? line.direction : nil
        if line.isCut { return sink.note(.cutByRecorder, at: position) }
        guard let found = line.bytes else { return }
        guard found.bytes.count <= CapturePacket.maximumLength else {
            return sink.note(.beyondLimits, at: position)
        }
        let isFrame = (try? Frame(decoding: found.bytes.span)) != nil
        // A line without its end may have been cut, so it counts only with a correct checksum.
        if !lines.isWhole, !found.isClosed, !isFrame {
            return sink.note(.unfinishedPacket, at: position)
        }
        guard let direction = line.direction ?? (isFrame ? carried : nil) else {
            return sink.note(.unknownLine, at: position)
        }
        let action = line.action.flatMap { $0.direction == direction ? $0 : nil }
        let named = line.channel ?? unnamed[direction].map { CaptureChannel($0, direction) }
        let kind: RecordKind
        if let handle = line.handle {
            kind = .attribute(direction, handle, action)
        } else if let channel = channels.channel(
            of: found.bytes.span, direction, named: named)
        {
            kind = .value(direction, channel, action)
        } else if found.bytes.count > 1 {
            kind = .value(direction, CaptureChannel(.unnamed(handle: 0), direction), action)
        } else {
            // One number without a name may be anything.
            return sink.note(.unknownLine, at: position)
        }
        sink.receive(kind, found.bytes.span, at: position)
        number += 1
    }
}

struct ChannelGuess: Sendable {
    private var pieces: [Direction: BigDataFrame.Pieces] = [:]
    private var hasFrames: [Direction: Bool] = [:]

    mutating func channel(
        of bytes: Span<UInt8>, _ direction: Direction, named: CaptureChannel?
    ) -> CaptureChannel? {
        if let named, named != .bigData {
            if named == .uart { hasFrames[direction] = true }
            return named
        }
        let isFrame = (try? Frame(decoding: bytes)) != nil
        if isFrame, named == nil {
            hasFrames[direction] = true
            return .uart
        }
        if pieces[direction, default: BigDataFrame.Pieces()].receive(bytes)
            || BigDataFrame.announcedLength(of: bytes) != nil
        {
            return .bigData
        }
        if named == nil, bytes.count == Frame.length, hasFrames[direction] == true {
            return .uart
        }
        return named
    }
}
