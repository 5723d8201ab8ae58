import HaloCapture
import HaloProtocol

struct HexLine: Sendable {
    private(set) var direction: Direction?
    private(set) var channel: CaptureChannel?
    private(set) var action: CaptureAction?
    private(set) var handle: UInt16?
    private(set) var bytes: HexLineBytes.Found?
    /// `true` if the program cut the bytes: points of omission follow them.
    private(set) var isCut = false

    private static let writing: [StaticString] = ["writ", "wrote", "send", "sent"]
    private static let receiving: [StaticString] = [
        "notif", "indicat", "receiv", "recv", "updated", "oncharacteristicchanged", "didupdate",
    ]
    private static let device: [StaticString] = ["ring", "device", "peripheral", "band", "watch"]

    /// Reads a line without its time.
    init(_ line: ArraySlice<UInt8>) {
        let uuid = HexLineUUID.find(in: line)
        var byName: Direction?
        var byArrow: Direction?
        var end = line.startIndex
        var isDeviceFirst = false
        var previous: ArraySlice<UInt8> = []
        var index = line.startIndex
        while index < line.endIndex {
            if let arrow = Self.arrow(line[index...], isFirst: index == line.startIndex) {
                if byArrow == nil {
                    byArrow = arrow.points == isDeviceFirst ? .fromDevice : .toDevice
                    end = index + arrow.length
                }
                index += arrow.length
                continue
            }
            guard TextCursor.isLetter(line[index]),
                index == line.startIndex || !HexLineBytes.isDigit(line[index - 1])
            else {
                index += 1
                continue
            }
            let word = line[index...].prefix { TextCursor.isLetter($0) }
            if HexLineBytes.isLiteral(line, at: word) { break }
            index = word.endIndex
            if Self.matches(word, Self.device) { isDeviceFirst = isDeviceFirst || byArrow == nil }
            if let found = Self.verb(word) {
                if direction == nil { end = index }
                direction = direction ?? found
            } else if let found = Self.name(word) {
                if byName == nil { end = index }
                byName = byName ?? found
            }
            action = action ?? Self.action(word, after: previous)
            previous = word
        }
        let handle = Self.handle(line)
        // Beside a handle, the name of a characteristic is a remark on the value.
        channel = uuid?.channel ?? (handle == nil ? Self.namedChannel(line) : nil)
        let directionEnd = end
        if let position = uuid?.range.upperBound { end = max(end, position) }
        direction = direction ?? uuid?.direction ?? byName ?? byArrow
        if channel == nil { self.handle = handle?.number }
        let hidden =
            [uuid?.range, handle?.range].compactMap(\.self) + HexLineBytes.addresses(in: line)
        var found = HexLineBytes.find(
            in: line, after: end, hiding: hidden, mayStand: direction != nil)
        if found == nil, let range = uuid?.range, directionEnd < range.lowerBound {
            // The value may precede its characteristic: `Writing 0300 to characteristic 2A37`.
            found = HexLineBytes.find(
                in: Self.beforeName(line[..<range.lowerBound]), after: directionEnd,
                hiding: hidden, mayStand: direction != nil)
        }
        isCut = found?.end.map { LogBytes.isCut(TextCursor(line[$0...])) } ?? false
        bytes = isCut ? nil : found
    }

    /// The line before a characteristic, without the words that introduce it.
    private static func beforeName(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var line = line
        for _ in 0..<3 {
            while let last = line.last, " (".utf8.contains(last) { line.removeLast() }
            let word = line.reversed().prefix { TextCursor.isLetter($0) }
            guard matches(ArraySlice(word.reversed()), ["characteristic", "to", "on"]) else {
                break
            }
            line.removeLast(word.count)
        }
        return line
    }

    /// The handle after the word for it, as in `handle: 0x0012`, with its range.
    private static func handle(
        _ line: ArraySlice<UInt8>
    ) -> (number: UInt16, range: Range<Int>)? {
        var cursor = TextCursor(line)
        while cursor.skip(past: "andle") {
            // The handle of a connection is none of an attribute.
            let before = line[..<cursor.rest.startIndex].suffix(16)
            let isOfLink =
                TextCursor(before).contains("conn") || TextCursor(before).contains("link")
            var value = cursor
            while let next = value.next, " :=(".utf8.contains(next) { value.skipByte() }
            let start = value.rest.startIndex
            let isMarked = value.skip("0x")
            guard !isOfLink, let number = value.hexadecimal(), isMarked || number.digits == 4,
                let handle = UInt16(exactly: number.value), handle > 0
            else { continue }
            return (handle, start..<value.rest.startIndex)
        }
        return nil
    }

    /// The action, from words without another meaning in logs. The word "command" alone is used for
    /// every kind of write to a ring, and "read" for notifications.
    private static func action(
        _ word: ArraySlice<UInt8>, after previous: ArraySlice<UInt8>
    ) -> CaptureAction? {
        if matches(word, ["notif"], isPrefix: true) { return .notified }
        if matches(word, ["indicat"], isPrefix: true) { return .indicated }
        if matches(previous, ["read"]), matches(word, ["response"]) { return .read }
        // As in `BT_ATT_OP_WRITE_REQ` and `BT_ATT_OP_HANDLE_VAL_NOT`.
        if matches(previous, ["val"]), matches(word, ["not"]) { return .notified }
        if matches(previous, ["val"]), matches(word, ["ind"]) { return .indicated }
        if matches(previous, ["write"]), matches(word, ["req"]) { return .write }
        if matches(previous, ["write"]), matches(word, ["cmd"]) { return .command }
        guard matches(previous, ["writing"]) else { return nil }
        return matches(word, ["command"]) ? .command : matches(word, ["request"]) ? .write : nil
    }

    private static func verb(_ word: ArraySlice<UInt8>) -> Direction? {
        if matches(word, ["sender"]) { return nil }
        if matches(word, writing, isPrefix: true) { return .toDevice }
        if matches(word, receiving, isPrefix: true) || matches(word, ["read"]) {
            return .fromDevice
        }
        return nil
    }

    private static func name(_ word: ArraySlice<UInt8>) -> Direction? {
        if matches(word, ["tx"]) || word.elementsEqual("OUT".utf8) { return .toDevice }
        if matches(word, ["rx"]) || word.elementsEqual("IN".utf8) { return .fromDevice }
        return nil
    }

    /// `true` if the word is one of the given ones, in upper or lower case.
    static func matches(
        _ word: ArraySlice<UInt8>, _ words: [StaticString], isPrefix: Bool = false
    ) -> Bool {
        words.contains { known in
            known.withUTF8Buffer { known in
                guard isPrefix ? word.count >= known.count : word.count == known.count else {
                    return false
                }
                return zip(word, known).allSatisfy { $0 | 0x20 == $1 }
            }
        }
    }

    private static let arrows: [(text: StaticString, isRight: Bool, isBare: Bool)] = [
        ("==>", true, false), ("<==", false, false), ("-->", true, false), ("->", true, false),
        ("=>", true, false), (">>", true, true), (">", true, true), ("<--", false, false),
        ("<-", false, false), ("<<", false, true), ("<", false, true), ("\u{2192}", true, false),
        ("\u{2190}", false, false),
    ]

    /// The arrow on a line, with its length, and `true` if it points to the right. An arrow without
    /// a shaft counts only at the start of a line.
    private static func arrow(
        _ text: ArraySlice<UInt8>, isFirst: Bool
    ) -> (points: Bool, length: Int)? {
        // The first bytes of arrows: most text has none of them.
        guard let first = text.first, "<=>-\u{2192}".utf8.contains(first) else { return nil }
        let cursor = TextCursor(text)
        for arrow in arrows where cursor.starts(with: arrow.text) {
            guard isFirst || !arrow.isBare else { continue }
            return (arrow.isRight, arrow.text.utf8CodeUnitCount)
        }
        return nil
    }

    /// Names in the traces of thebabush/junk, and of two characteristics of the Bluetooth SIG.
    private static let channelNames: [(text: StaticString, channel: CaptureChannel)] = [
        (" v1.write ", .uart), (" v1.notify ", .uart), (" v2.cmd ", .bigData),
        (" v2.notify ", .bigData), (" uart ", .uart), (" bigdata ", .bigData),
        (" dis.fw ", .characteristic(CharacteristicCatalog.firmwareRevision.uuid)),
        (" dis.hw ", .characteristic(CharacteristicCatalog.hardwareRevision.uuid)),
        (
            "Heart Rate Measurement:",
            .characteristic(CharacteristicCatalog.heartRateMeasurement.uuid)
        ),
        ("Battery Level:", .characteristic(CharacteristicCatalog.batteryLevel.uuid)),
    ]

    private static func namedChannel(_ line: ArraySlice<UInt8>) -> CaptureChannel? {
        let cursor = TextCursor(line)
        return channelNames.first { cursor.contains($0.text) }?.channel
    }
}

private enum HexLineUUID {
    private static let length = 36
    private static let introductions: [StaticString] = [
        "characteristic", "char", "uuid", "from", "to", "of", "for",
    ]

    /// The range of the UUID, its channel, and the direction of the values: `nil` for both.
    static func find(
        in line: ArraySlice<UInt8>
    ) -> (range: Range<Int>, channel: CaptureChannel, direction: Direction?)? {
        guard let (uuid, range) = long(line) ?? short(line) else { return nil }
        let channel = CaptureChannel(uuid)
        let write = channel.uuid(.toDevice)
        let notify = channel.uuid(.fromDevice)
        guard write != nil, notify != nil, write != notify else { return (range, channel, nil) }
        return (range, channel, uuid == write ? .toDevice : .fromDevice)
    }

    /// A UUID of 36 characters: the last one on the line, because a service may precede it.
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
            guard let uuid = TextCursor(line[range]).longUUID else { continue }
            found = (uuid, range)
            start = range.upperBound
        }
        return found
    }

    /// A UUID of four digits after a word that introduces it, and before more text.
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
