import HaloCapture
import HaloProtocol

/// What a line of a log says about a packet: which way it went, over what, and its bytes.
struct HexLine: Sendable {
    /// Which way it went, if the line says so.
    private(set) var direction: Direction?
    /// Over which channel, if the line says so.
    private(set) var channel: CaptureChannel?
    /// What was done with the packet, if the line says so.
    private(set) var action: CaptureAction?
    /// What the packet was.
    private(set) var bytes: HexLineBytes.Found?
    /// Whether it says what another line says, too: it repeats a value for the eye, or tells of
    /// a descriptor.
    private(set) var isRepetition = false
    /// Whether the app's call is logged, which is logged again when it is done.
    private(set) var isCall = false
    /// Whether the line tells of a call that is done.
    private(set) var isDone = false

    private static let writing: [StaticString] = ["writ", "wrote", "send", "sent"]
    private static let receiving: [StaticString] = [
        "notif", "indicat", "receiv", "recv", "updated", "oncharacteristicchanged", "didupdate",
    ]
    private static let device: [StaticString] = ["ring", "device", "peripheral", "band", "watch"]

    /// Reads a line, its time already passed over.
    init(_ line: ArraySlice<UInt8>) {
        let uuid = HexLineUUID(line)
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
                    end = max(end, index + arrow.length)
                }
                index += arrow.length
                continue
            }
            guard TextCursor.isLetter(line[index]) else {
                index += 1
                continue
            }
            if index > line.startIndex, HexLineBytes.isDigit(line[index - 1]) {
                index += 1
                continue
            }
            let word = line[index...].prefix { TextCursor.isLetter($0) }
            if HexLineBytes.isLiteral(line, at: word) { break }
            index = word.endIndex
            if Self.matches(word, Self.device) { isDeviceFirst = isDeviceFirst || byArrow == nil }
            if let found = Self.verb(word) {
                if direction == nil { end = max(end, index) }
                direction = direction ?? found
            } else if let found = Self.name(word) {
                if byName == nil { end = max(end, index) }
                byName = byName ?? found
            }
            note(word, after: previous)
            previous = word
        }
        channel = uuid.channel ?? Self.namedChannel(line)
        if let position = uuid.range?.upperBound { end = max(end, position) }
        direction = direction ?? uuid.direction ?? byName ?? byArrow
        if TextCursor(line).contains("\"(0x)") || TextCursor(line).contains("Application: \"") {
            isRepetition = true
        }
        bytes = HexLineBytes.find(
            in: line, after: end, hiding: uuid.range, mayStand: direction != nil)
    }

    private mutating func note(_ word: ArraySlice<UInt8>, after previous: ArraySlice<UInt8>) {
        action = action ?? Self.action(word, after: previous)
        if Self.matches(word, ["descr"], isPrefix: true) { isRepetition = true }
        if Self.matches(word, ["writecharacteristic"]) { isCall = true }
        if Self.matches(word, ["written"]) { isDone = true }
    }

    /// What was done, in words that are not said of anything else: "command" alone is said of
    /// what a ring is told, however it is written, and "read" of what was notified.
    private static func action(
        _ word: ArraySlice<UInt8>, after previous: ArraySlice<UInt8>
    ) -> CaptureAction? {
        if matches(word, ["notif"], isPrefix: true) { return .notified }
        if matches(word, ["indicat"], isPrefix: true) { return .indicated }
        if matches(previous, ["read"]), matches(word, ["response"]) { return .read }
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

    /// Whether the word is one of those, in any case.
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

    /// An arrow, whether it points to the right, and how long it is. One without a shaft counts
    /// only at the start of a line.
    private static func arrow(
        _ text: ArraySlice<UInt8>, isFirst: Bool
    ) -> (points: Bool, length: Int)? {
        let arrows: [(StaticString, Bool, Bool)] = [
            ("-->", true, false), ("->", true, false), ("=>", true, false), (">>", true, true),
            (">", true, true), ("<--", false, false), ("<-", false, false), ("<<", false, true),
            ("<", false, true), ("\u{2192}", true, false), ("\u{2190}", false, false),
        ]
        let cursor = TextCursor(text)
        for (arrow, isRight, isBare) in arrows where cursor.starts(with: arrow) {
            guard isFirst || !isBare else { continue }
            return (isRight, arrow.utf8CodeUnitCount)
        }
        return nil
    }

    /// The channel by a name on the line: those of the traces of thebabush/junk, and what the
    /// Bluetooth SIG calls two characteristics.
    private static func namedChannel(_ line: ArraySlice<UInt8>) -> CaptureChannel? {
        let names: [(StaticString, CaptureChannel)] = [
            (" v1.write ", .uart), (" v1.notify ", .uart), (" v2.cmd ", .bigData),
            (" v2.notify ", .bigData), (" uart ", .uart), (" bigdata ", .bigData),
            (" dis.fw ", .characteristic(CharacteristicCatalog.firmwareRevision.uuid)),
            (" dis.hw ", .characteristic(CharacteristicCatalog.hardwareRevision.uuid)),
            (
                "Heart Rate Measurement",
                .characteristic(CharacteristicCatalog.heartRateMeasurement.uuid)
            ),
            ("Battery Level", .characteristic(CharacteristicCatalog.batteryLevel.uuid)),
        ]
        let cursor = TextCursor(line)
        return names.first { cursor.contains($0.0) }?.1
    }
}

extension TextCursor {
    /// Whether the words come at all.
    func contains(_ words: StaticString) -> Bool {
        var copy = self
        return copy.skip(past: words)
    }
}
