import HaloProtocol
import HaloTransport

/// A parser of one line, without its line end.
struct LineParser {
    private let line: ArraySlice<UInt8>
    private var position: Int

    private let number: Int
    private let names: [CaptureName: BluetoothUUID]

    /// The column of the word that decides whether the line may follow those before it.
    private(set) var subject = 1

    init(_ line: ArraySlice<UInt8>, _ rules: CaptureRules) {
        var line = line
        while let last = line.last, Self.isSpace(last) { line.removeLast() }
        self.line = line
        number = rules.count + 1
        names = rules.names
        position = line.startIndex
    }

    static func isSpace(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t")
    }

    static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    mutating func parse() throws(CaptureError) -> CaptureLine {
        try checkText()
        guard let sign = line.first else { return .blank }
        position += 1
        switch sign {
        case UInt8(ascii: "#"):
            if position < line.endIndex, line[position] == UInt8(ascii: " ") { position += 1 }
            return .comment(try rest())
        case UInt8(ascii: "="): return .reading(try text())
        case UInt8(ascii: "!"): return .error(try text())
        case UInt8(ascii: ">"): return .packet(try packet(.toDevice))
        case UInt8(ascii: "<"): return .packet(try packet(.fromDevice))
        case UInt8(ascii: "*"): return try event()
        case UInt8(ascii: "+"): return try elapsed()
        case UInt8(ascii: "@"): return try declaration()
        default: return try version()
        }
    }

    private func fault(_ kind: CaptureError.Kind, at index: Int) -> CaptureError {
        CaptureError(kind, line: number, column: column(index))
    }

    private mutating func setSubject(_ word: ArraySlice<UInt8>) {
        subject = column(word.startIndex)
    }

    private func column(_ index: Int) -> Int { index - line.startIndex + 1 }
}

// MARK: Text

extension LineParser {
    private func checkText() throws(CaptureError) {
        let isPlain = line.allSatisfy { $0 >= 0x20 && $0 < 0x7F }
        if isPlain { return }
        var parser = Unicode.UTF8.ForwardParser()
        var bytes = line.makeIterator()
        var index = line.startIndex
        while true {
            switch parser.parseScalar(from: &bytes) {
            case .valid(let encoded):
                guard CaptureText.isAllowed(line[index]) else {
                    throw fault(.controlCharacter, at: index)
                }
                index += encoded.count
            case .emptyInput: return
            case .error: throw fault(.notText, at: index)
            }
        }
    }

    private func rest() throws(CaptureError) -> CaptureText {
        guard line.endIndex - position <= CaptureText.maximumLength else {
            throw fault(.lineTooLong, at: position + CaptureText.maximumLength)
        }
        return CaptureText(String(decoding: line[position...], as: UTF8.self))
    }

    private mutating func text() throws(CaptureError) -> CaptureText {
        let start = position
        if start == line.endIndex { return "" }
        try skipSpace()
        position = start + 1
        return try rest()
    }
}

// MARK: Words

extension LineParser {
    private mutating func skipSpace() throws(CaptureError) {
        guard position < line.endIndex else { throw fault(.missingWord, at: position) }
        guard Self.isSpace(line[position]) else { throw fault(.missingSpace, at: position) }
        while position < line.endIndex, Self.isSpace(line[position]) { position += 1 }
    }

    private mutating func word() throws(CaptureError) -> ArraySlice<UInt8> {
        try skipSpace()
        let start = position
        while position < line.endIndex, !Self.isSpace(line[position]) { position += 1 }
        return line[start..<position]
    }

    private mutating func wordIfAny() throws(CaptureError) -> ArraySlice<UInt8>? {
        position == line.endIndex ? nil : try word()
    }

    private mutating func end() throws(CaptureError) {
        guard let extra = try wordIfAny() else { return }
        throw fault(.extraWord, at: extra.startIndex)
    }

    private func string(_ word: ArraySlice<UInt8>) -> String {
        String(decoding: word, as: UTF8.self)
    }

    private func name(_ word: ArraySlice<UInt8>) throws(CaptureError) -> CaptureName {
        guard let name = try? CaptureName(word) else {
            throw fault(.wrongName, at: word.startIndex)
        }
        return name
    }

    /// Returns a word without the name of the connection that may precede it.
    private func unlinked(
        _ word: ArraySlice<UInt8>
    ) throws(CaptureError) -> (CaptureName?, ArraySlice<UInt8>) {
        guard let slash = word.firstIndex(of: UInt8(ascii: "/")) else { return (nil, word) }
        return (try name(word[..<slash]), word[(slash + 1)...])
    }

    private func channel(_ word: ArraySlice<UInt8>) throws(CaptureError) -> CaptureChannel {
        let text = string(word)
        if let known = CaptureChannel.known.first(where: { $0.name == text }) {
            return known.channel
        }
        if let uuid = characteristic(word) { return .characteristic(uuid) }
        guard let colon = word.firstIndex(of: UInt8(ascii: ":")),
            let uuid = characteristic(word[..<colon])
        else { throw fault(.unknownChannel, at: word.startIndex) }
        guard let type = Self.uuid(string(word[(colon + 1)...])) else {
            throw fault(.notUUID, at: colon + 1)
        }
        return .descriptor(type, of: uuid)
    }

    /// Returns the characteristic with a UUID or a declared name, otherwise `nil`.
    private func characteristic(_ word: ArraySlice<UInt8>) -> BluetoothUUID? {
        if let uuid = Self.uuid(string(word)) { return uuid }
        guard !names.isEmpty, let name = try? CaptureName(word) else { return nil }
        return CaptureChannel.isKnown(name) ? nil : names[name]
    }

    private mutating func channel() throws(CaptureError) -> CaptureChannel {
        let word = try word()
        setSubject(word)
        return try channel(word)
    }

    private mutating func uuid() throws(CaptureError) -> BluetoothUUID {
        let word = try word()
        guard let uuid = Self.uuid(string(word)) else { throw fault(.notUUID, at: word.startIndex) }
        return uuid
    }

    private static func uuid(_ word: String) -> BluetoothUUID? {
        try? BluetoothUUID(parsing: word)
    }

    private func number<Number: FixedWidthInteger>(
        _ word: ArraySlice<UInt8>, _ type: Number.Type = Number.self
    ) throws(CaptureError) -> Number {
        let isNegative = Number.isSigned && word.first == UInt8(ascii: "-")
        let digits = isNegative ? word.dropFirst() : word
        guard !digits.isEmpty, digits.allSatisfy(Self.isDigit) else {
            throw fault(.notNumber, at: word.startIndex)
        }
        guard let number = Number(string(word)) else {
            throw fault(.outOfRange, at: word.startIndex)
        }
        return number
    }

    private func byte(_ word: ArraySlice<UInt8>) throws(CaptureError) -> UInt8 {
        let start = word.startIndex
        let byte = try digit(at: start) << 4 | digit(at: start + 1)
        guard word.count == 2 else { throw fault(.notByte, at: start + 2) }
        return byte
    }

    private func digit(at index: Int) throws(CaptureError) -> UInt8 {
        guard index < line.endIndex, let value = HexText.value(ofDigit: line[index]) else {
            throw fault(.notByte, at: index)
        }
        return value
    }
}

extension LineParser {
    private mutating func version() throws(CaptureError) -> CaptureLine {
        let keyword = line.prefix { !Self.isSpace($0) }
        guard string(keyword) == CaptureLine.versionWord else {
            throw fault(.unknownLine, at: line.startIndex)
        }
        position = keyword.endIndex
        let number = try word()
        guard string(number) == CaptureLine.versionNumber else {
            throw fault(.unknownVersion, at: number.startIndex)
        }
        try end()
        return .version
    }

    private mutating func packet(_ direction: Direction) throws(CaptureError) -> CapturePacket {
        let (link, channelWord) = try unlinked(try word())
        let channel = try channel(channelWord)
        let action = try action(direction)
        var bytes: [UInt8] = []
        bytes.reserveCapacity((line.endIndex - position) / 2)
        while position < line.endIndex {
            if Self.isSpace(line[position]) {
                position += 1
                continue
            }
            guard bytes.count < CapturePacket.maximumLength else {
                throw fault(.tooManyBytes, at: position)
            }
            bytes.append(try digit(at: position) << 4 | digit(at: position + 1))
            position += 2
        }
        return CapturePacket(unchecked: direction, action, link: link, channel, bytes)
    }

    /// Returns the action if the next word is one, otherwise `nil`. No action's word could be
    /// bytes.
    private mutating func action(_ direction: Direction) throws(CaptureError) -> CaptureAction? {
        let start = position
        guard let word = try wordIfAny(), let action = CaptureAction(rawValue: string(word))
        else {
            position = start
            return nil
        }
        guard action.direction == direction else { throw fault(.wrongAction, at: word.startIndex) }
        setSubject(word)
        return action
    }

    private mutating func declaration() throws(CaptureError) -> CaptureLine {
        let nameWord = try word()
        let name = try name(nameWord)
        setSubject(nameWord)
        let uuid = try uuid()
        try end()
        return .name(name, uuid)
    }

    private mutating func elapsed() throws(CaptureError) -> CaptureLine {
        let word = try word()
        setSubject(word)
        try end()
        let text = word.dropLast()
        let (number, places) =
            switch text.last {
            case UInt8(ascii: "u"): (text.dropLast(), 0)
            case UInt8(ascii: "m"): (text.dropLast(), 3)
            default: (text, 6)
            }
        let whole = number.prefix { $0 != UInt8(ascii: ".") }
        let fraction = number[whole.endIndex...].dropFirst()
        let hasPoint = whole.count < number.count
        guard word.last == UInt8(ascii: "s"), hasPoint != fraction.isEmpty,
            fraction.count <= places, !whole.isEmpty,
            whole.allSatisfy(Self.isDigit), fraction.allSatisfy(Self.isDigit)
        else { throw fault(.notNumber, at: word.startIndex) }
        var microseconds: UInt64 = 0
        for place in 0..<whole.count + places {
            let rest =
                place < whole.count
                ? whole.dropFirst(place) : fraction.dropFirst(place - whole.count)
            let digit = UInt64((rest.first ?? UInt8(ascii: "0")) &- UInt8(ascii: "0"))
            let (product, isTooLarge) = microseconds.multipliedReportingOverflow(by: 10)
            let (sum, overflow) = product.addingReportingOverflow(digit)
            guard !isTooLarge, !overflow else { throw fault(.outOfRange, at: word.startIndex) }
            microseconds = sum
        }
        return .elapsed(microseconds: microseconds)
    }
}

// MARK: Events

extension LineParser {
    private mutating func event() throws(CaptureError) -> CaptureLine {
        let (link, name) = try unlinked(try word())
        let event: CaptureEvent
        switch string(name) {
        case "connected": event = .connected(mtu: try option("mtu"))
        case "mtu": event = .mtu(try subjectNumber())
        case "subscribed": event = .subscribed(try channel())
        case "unsubscribed": event = .unsubscribed(try channel())
        case "read": event = .read(try channel())
        case "acknowledged": event = .acknowledged(try channel())
        case "confirmed": event = .confirmed(try channel())
        case "refused": event = .refused(try channel(), code: try byte(try word()))
        case "offers": event = try offer()
        case "services-changed": event = .servicesChanged
        case "encrypted": event = .encrypted
        case "disconnected": event = .disconnected(reason: try wordIfAny().map(byte))
        case "advertised": event = .advertised(rssi: try option("rssi"))
        default: throw fault(.unknownEvent, at: name.startIndex)
        }
        try end()
        return .event(event, link: link)
    }

    private mutating func option<Number: FixedWidthInteger>(
        _ keyword: String
    ) throws(CaptureError) -> Number? {
        guard let word = try wordIfAny() else { return nil }
        guard string(word) == keyword else { throw fault(.extraWord, at: word.startIndex) }
        return try subjectNumber()
    }

    private mutating func subjectNumber<Number: FixedWidthInteger>() throws(CaptureError) -> Number
    {
        let word = try word()
        setSubject(word)
        return try number(word)
    }

    private mutating func offer() throws(CaptureError) -> CaptureEvent {
        let service = try uuid()
        let characteristic = try uuid()
        var properties: GATTProperties = []
        while let word = try wordIfAny() {
            let text = string(word)
            guard let known = GATTProperties.captureWords.first(where: { $0.word == text }),
                properties.isDisjoint(with: known.property)
            else { throw fault(.unknownProperty, at: word.startIndex) }
            properties.insert(known.property)
        }
        return .offers(service: service, characteristic: characteristic, properties)
    }
}
