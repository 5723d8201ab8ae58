import HaloProtocol
import HaloTransport

/// Parses one line, without its end.
struct LineParser {
    let line: ArraySlice<UInt8>
    var position: Int

    private let number: Int
    private let names: [CaptureName: BluetoothUUID]
    /// Whether packets can say what was done with them.
    let saysActions: Bool

    /// The column of the word that decides whether the line may follow those before it.
    private(set) var subject = 1

    init(_ line: ArraySlice<UInt8>, _ rules: CaptureRules) {
        var line = line
        while let last = line.last, Self.isSpace(last) { line.removeLast() }
        self.line = line
        number = rules.count + 1
        names = rules.names
        saysActions = rules.version != .one
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

    func fault(_ kind: CaptureError.Kind, at index: Int) -> CaptureError {
        CaptureError(kind, line: number, column: column(index))
    }

    /// Says which word the line stands or falls with.
    mutating func setSubject(_ word: ArraySlice<UInt8>) { subject = column(word.startIndex) }

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
                let byte = line[index]
                guard byte >= 0x20 && byte != 0x7F || byte == UInt8(ascii: "\t") else {
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

    mutating func word() throws(CaptureError) -> ArraySlice<UInt8> {
        try skipSpace()
        let start = position
        while position < line.endIndex, !Self.isSpace(line[position]) { position += 1 }
        return line[start..<position]
    }

    mutating func wordIfAny() throws(CaptureError) -> ArraySlice<UInt8>? {
        position == line.endIndex ? nil : try word()
    }

    mutating func end() throws(CaptureError) {
        guard let extra = try wordIfAny() else { return }
        throw fault(.extraWord, at: extra.startIndex)
    }

    func string(_ word: ArraySlice<UInt8>) -> String { String(decoding: word, as: UTF8.self) }

    func name(_ word: ArraySlice<UInt8>) throws(CaptureError) -> CaptureName {
        do throws(ValueError) {
            return try CaptureName(word)
        } catch {
            throw fault(.wrongName, at: word.startIndex)
        }
    }

    /// A word without the name of the connection that may precede it.
    func unlinked(
        _ word: ArraySlice<UInt8>
    ) throws(CaptureError) -> (CaptureName?, ArraySlice<UInt8>) {
        guard let slash = word.firstIndex(of: UInt8(ascii: "/")) else { return (nil, word) }
        return (try name(word[..<slash]), word[(slash + 1)...])
    }

    func channel(_ word: ArraySlice<UInt8>) throws(CaptureError) -> CaptureChannel {
        let text = string(word)
        if let known = CaptureChannel.known.first(where: { $0.name == text }) {
            return known.channel
        }
        if let uuid = Self.uuid(text) { return .characteristic(uuid) }
        if !names.isEmpty, let name = try? CaptureName(word), let uuid = names[name] {
            return .characteristic(uuid)
        }
        throw fault(.unknownChannel, at: word.startIndex)
    }

    mutating func channel() throws(CaptureError) -> CaptureChannel { try channel(try word()) }

    mutating func uuid() throws(CaptureError) -> BluetoothUUID {
        let word = try word()
        guard let uuid = Self.uuid(string(word)) else { throw fault(.notUUID, at: word.startIndex) }
        return uuid
    }

    private static func uuid(_ word: String) -> BluetoothUUID? {
        try? BluetoothUUID(parsing: word)
    }

    func number<Number: FixedWidthInteger>(
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

    func byte(_ word: ArraySlice<UInt8>) throws(CaptureError) -> UInt8 {
        let start = word.startIndex
        let byte = try digit(at: start) << 4 | digit(at: start + 1)
        guard word.count == 2 else { throw fault(.notByte, at: start + 2) }
        return byte
    }

    func digit(at index: Int) throws(CaptureError) -> UInt8 {
        guard index < line.endIndex, let value = HexText.value(ofDigit: line[index]) else {
            throw fault(.notByte, at: index)
        }
        return value
    }
}
