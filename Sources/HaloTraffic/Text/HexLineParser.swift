import HaloCapture
import HaloProtocol

/// Reads logs that have a packet on a line, as apps, rings' projects and Bluetooth tools write
/// them: a time perhaps, a direction, a characteristic perhaps, the bytes.
///
/// ```
/// > 03 00 00 00 00 00 00 00 00 00 00 00 00 00 00 03
/// [2025-12-11 22:54:15.123] TX (6e400002-b5a3-f393-e0a9-e50e24dcca9e): 03 00 …
/// 2026-09-06T02:16:07.480-04:00 rx v1.notify 78070100000000000000000000000080
/// I    13:28:13.836    Notification received from 6e400003-…, value: (0x) 03-52-00-…
/// colmi_r02_client.client: Received packet bytearray(b'\x03R\x00…')
/// ```
///
/// **Direction.** What is written or sent goes to the device, what is received or notified comes
/// from it; else the characteristic tells, else the words TX and RX, as the app sees them, else
/// an arrow. A line that has a direction and no bytes lends it to the next line, if that holds a
/// ring's frame.
///
/// **Channel.** The characteristic that the line names; else sixteen bytes with the right sum
/// are a ring's frame, and BC begins a long one, up to its length. Nothing else is guessed.
///
/// What says the same again is left out: nRF Connect logs a write up to three times.
struct HexLineParser: UnitParser {
    private var lines = TextLines()
    private var clock = TextClock()
    private var channels = ChannelGuess()
    private var number = 0
    private var lent: Direction?
    private var called: ContiguousArray<UInt8>?

    init() {}

    static func looksLike(_ beginning: Span<UInt8>) -> Bool {
        var count = 0
        var packets = 0
        var lines = TextLines.first(2048, of: beginning)
        let isCut = beginning.count >= TrafficFormat.detectionLength
        if isCut, lines.count > 1 { lines.removeLast() }
        for line in lines where !line.isEmpty && line.first != UInt8(ascii: "#") {
            count += 1
            var clock = TextClock()
            var cursor = TextCursor(TextLines.withoutColours(line)[...])
            HexLineTime.read(&cursor, &clock)
            let found = HexLine(cursor.rest)
            guard let bytes = found.bytes?.bytes else { continue }
            let isFrame = (try? Frame(decoding: bytes.span)) != nil
            if isFrame || found.direction != nil && bytes.count > 1 { packets += 1 }
        }
        return packets > 0 && packets * 50 >= count
    }

    mutating func parse(
        _ bytes: Span<UInt8>, at offset: Int, into sink: inout some RecordSink
    ) throws(TrafficError) -> UnitStep {
        let step = try lines.take(bytes, at: offset)
        if lines.isWhole { readLine(isCut: false, into: &sink) }
        return step
    }

    mutating func finish(
        _ rest: Span<UInt8>, at offset: Int, into sink: inout some RecordSink
    ) throws(TrafficError) {
        if rest.count > 0 { _ = try lines.take(rest, at: offset, isLast: true) }
        if lines.isWhole || !lines.text.isEmpty {
            readLine(isCut: !lines.isWhole, into: &sink)
        }
        guard number > 0 else {
            throw TrafficError(
                .unknownFormat, at: 0, hint: "no line of the text has a direction and bytes")
        }
    }

    private mutating func readLine(isCut: Bool, into sink: inout some RecordSink) {
        let line = lines.text
        let offset = lines.offset
        let isTooLong = lines.isTooLong
        lines.removeLine()
        if isTooLong {
            sink.note(.beyondLimits, at: place(offset))
        } else {
            read(line, at: offset, isCut: isCut, into: &sink)
        }
    }

    private func place(_ offset: Int) -> RecordPlace {
        RecordPlace(number: number + 1, offset: offset, microseconds: clock.microseconds)
    }

    private mutating func read(
        _ text: ContiguousArray<UInt8>, at offset: Int, isCut: Bool,
        into sink: inout some RecordSink
    ) {
        let plain = TextLines.withoutColours(text)
        var cursor = TextCursor(plain[...])
        if cursor.starts(with: "#") || cursor.starts(with: "//") { return }
        if let day = HexLineTime.dateAtEnd(plain[...]) { clock.day = day }
        HexLineTime.read(&cursor, &clock)
        let line = HexLine(cursor.rest)
        if line.isRepetition { return }
        let lent = lent
        self.lent = line.bytes == nil ? line.direction : nil
        guard let found = line.bytes else { return }
        guard found.bytes.count <= CapturePacket.maximumLength else {
            return sink.note(.beyondLimits, at: place(offset))
        }
        if isAgain(line, found.bytes) { return }
        let isFrame = (try? Frame(decoding: found.bytes.span)) != nil
        // Half a value is another value: of a line without its end, only what proves itself.
        if isCut, !found.isClosed, !isFrame {
            return sink.note(.unfinishedPacket, at: place(offset))
        }
        guard let direction = line.direction ?? (isFrame ? lent : nil),
            let channel = channels.channel(
                of: found.bytes.span, direction, named: line.channel)
        else { return sink.note(.unknownLine, at: place(offset)) }
        let action = line.action.flatMap { $0.direction == direction ? $0 : nil }
        sink.take(.value(direction, channel, action), found.bytes.span, at: place(offset))
        number += 1
    }

    /// Whether the line tells of a write whose call was read before.
    private mutating func isAgain(_ line: HexLine, _ bytes: ContiguousArray<UInt8>) -> Bool {
        guard line.direction == .toDevice else { return false }
        if line.isDone, called == bytes {
            called = nil
            return true
        }
        called = line.isCall ? bytes : nil
        return false
    }
}
