import HaloCapture
import HaloProtocol

/// The characteristic that a line of a log names by its number.
struct HexLineUUID {
    /// Where on the line the number stands.
    private(set) var range: Range<Int>?
    /// The channel that the characteristic belongs to.
    private(set) var channel: CaptureChannel?
    /// The way that values go over it, where they go one way only.
    private(set) var direction: Direction?

    private static let length = 36
    private static let introductions: [StaticString] = [
        "characteristic", "char", "uuid", "from", "to", "of", "for",
    ]

    init(_ line: ArraySlice<UInt8>) {
        guard let found = Self.long(line) ?? Self.short(line) else { return }
        range = found.range
        let channel = CaptureChannel(found.uuid)
        self.channel = channel
        if let write = channel.uuid(.toDevice), let notify = channel.uuid(.fromDevice),
            write != notify
        {
            direction = found.uuid == write ? .toDevice : .fromDevice
        }
    }

    /// Thirty-two digits in five groups; the last ones on the line, for a service may precede.
    private static func long(
        _ line: ArraySlice<UInt8>
    ) -> (uuid: BluetoothUUID, range: Range<Int>)? {
        var found: (BluetoothUUID, Range<Int>)?
        var start = line.startIndex
        while let hyphen = line[start...].firstIndex(of: UInt8(ascii: "-")) {
            start = hyphen + 1
            let first = hyphen - 8
            guard first >= line.startIndex, first + length <= line.endIndex else { continue }
            let range = first..<first + length
            let text = String(decoding: line[range], as: UTF8.self)
            guard text.utf8.count == length, let uuid = try? BluetoothUUID(parsing: text) else {
                continue
            }
            found = (uuid, range)
            start = range.upperBound
        }
        return found
    }

    /// Four digits behind a word that introduces them, with more behind them.
    private static func short(
        _ line: ArraySlice<UInt8>
    ) -> (uuid: BluetoothUUID, range: Range<Int>)? {
        var index = line.startIndex
        while index < line.endIndex {
            guard TextCursor.isLetter(line[index]) else {
                index += 1
                continue
            }
            let word = line[index...].prefix { TextCursor.isLetter($0) }
            index = word.endIndex
            guard HexLine.matches(word, introductions) else { continue }
            var cursor = TextCursor(line[index...])
            while let next = cursor.next, " (:=\"".utf8.contains(next) { cursor.skipByte() }
            _ = cursor.skip("0x")
            let start = cursor.rest.startIndex
            guard let number = cursor.hexadecimal(), number.digits == 4,
                let end = cursor.next, !TextCursor.isLetter(end), !HexLineBytes.isDigit(end),
                let short = UInt32(exactly: number.value)
            else { continue }
            return (BluetoothUUID(short), start..<start + 4)
        }
        return nil
    }
}
