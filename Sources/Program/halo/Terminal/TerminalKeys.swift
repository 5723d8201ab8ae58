/// A key of a terminal.
enum TerminalKey: Hashable, Sendable {
    /// A printable character; a combining one is a key of its own.
    case character(Character)
    /// A letter with Ctrl, in lower case: Ctrl-L is `control("l")`.
    case control(Character)
    case enter
    case tab
    case backspace
    case delete
    case escape
    case up
    case down
    case left
    case right
    case home
    case end
    case pageUp
    case pageDown
}

/// A parser of the bytes that a terminal sends for keys.
///
/// Bytes may come in pieces of any size. An ESC at the end of a piece is either the Escape key or
/// the beginning of a sequence: the caller waits a moment for more bytes, and calls ``flush()`` if
/// none come. Unknown sequences and invalid UTF-8 give no key. The state has a fixed size.
struct TerminalKeys {
    private enum State {
        case ground
        /// The first bytes of a character: the value so far, the bytes missing, the least value
        /// that has as many bytes.
        case character(value: UInt32, missing: Int, least: UInt32)
        /// After ESC.
        case escape
        /// After `ESC [`, with the first number, and `false` once it has ended.
        case sequence(number: Int, isInNumber: Bool)
        /// After `ESC O`, or after `ESC [ [`, which the Linux console sends for F1 to F5.
        case shifted(isKnown: Bool)
        /// In a text for the program (OSC, DCS …): the bytes that may still belong to it.
        case string(left: Int, afterEscape: Bool)
    }

    private var state = State.ground

    /// The longest text for the program that is skipped; a longer one is read as keys.
    private static let stringLimit = 256
    private static let escapeByte: UInt8 = 0x1B

    /// `true` if the bytes so far end in the middle of a key: ``flush()`` is due when no more come.
    var isPending: Bool {
        if case .ground = state { false } else { true }
    }

    /// Returns the keys that are complete with these bytes.
    mutating func receive(_ bytes: some Sequence<UInt8>) -> [TerminalKey] {
        var keys: [TerminalKey] = []
        for byte in bytes { receive(byte, &keys) }
        return keys
    }

    /// Ends what is incomplete, because no more bytes came: a lone ESC is the Escape key, anything
    /// else gives no key.
    mutating func flush() -> [TerminalKey] {
        defer { state = .ground }
        if case .escape = state { return [.escape] }
        return []
    }

    private mutating func receive(_ byte: UInt8, _ keys: inout [TerminalKey]) {
        switch state {
        case .ground:
            begin(byte, &keys)
        case .character(let value, let missing, let least):
            guard byte & 0xC0 == 0x80 else {
                state = .ground
                return begin(byte, &keys)
            }
            continueCharacter(value << 6 | UInt32(byte & 0x3F), missing - 1, least, &keys)
        case .escape:
            escape(byte, &keys)
        case .sequence(let number, let isInNumber):
            sequence(byte, number, isInNumber, &keys)
        case .shifted(let isKnown):
            state = .ground
            if byte < 0x20 || byte == 0x7F { return begin(byte, &keys) }
            if isKnown, let key = Self.key(final: byte) { keys.append(key) }
        case .string(let left, let afterEscape):
            string(byte, left, afterEscape, &keys)
        }
    }

    /// Reads a byte that belongs to nothing before it.
    private mutating func begin(_ byte: UInt8, _ keys: inout [TerminalKey]) {
        switch byte {
        case Self.escapeByte: state = .escape
        case 0x0A, 0x0D: keys.append(.enter)
        case 0x09: keys.append(.tab)
        case 0x08, 0x7F: keys.append(.backspace)
        case 0x01...0x1A: keys.append(.control(Character(Unicode.Scalar(byte | 0x60))))
        case 0x20..<0x7F: keys.append(.character(Character(Unicode.Scalar(byte))))
        case 0xC2...0xDF: state = .character(value: UInt32(byte & 0x1F), missing: 1, least: 0x80)
        case 0xE0...0xEF: state = .character(value: UInt32(byte & 0x0F), missing: 2, least: 0x800)
        case 0xF0...0xF4:
            state = .character(value: UInt32(byte & 0x07), missing: 3, least: 0x10000)
        default: break
        }
    }

    private mutating func continueCharacter(
        _ value: UInt32, _ missing: Int, _ least: UInt32, _ keys: inout [TerminalKey]
    ) {
        if missing > 0 {
            state = .character(value: value, missing: missing, least: least)
            return
        }
        state = .ground
        // The controls from U+0080 on are no keys.
        guard value >= max(least, 0xA0), let scalar = Unicode.Scalar(value) else { return }
        keys.append(.character(Character(scalar)))
    }

    private mutating func escape(_ byte: UInt8, _ keys: inout [TerminalKey]) {
        switch byte {
        case UInt8(ascii: "["): state = .sequence(number: 0, isInNumber: true)
        case UInt8(ascii: "O"): state = .shifted(isKnown: true)
        case UInt8(ascii: "]"), UInt8(ascii: "P"), UInt8(ascii: "X"), UInt8(ascii: "^"),
            UInt8(ascii: "_"):
            state = .string(left: Self.stringLimit, afterEscape: false)
        case 0x20..<0x7F: state = .ground  // Alt with a key
        case 0x80...0xFF:
            // Alt with a letter outside of ASCII gives the letter.
            state = .ground
            begin(byte, &keys)
        default:
            // The Escape key, and another one behind it.
            keys.append(.escape)
            state = .ground
            begin(byte, &keys)
        }
    }

    private mutating func sequence(
        _ byte: UInt8, _ number: Int, _ isInNumber: Bool, _ keys: inout [TerminalKey]
    ) {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"):
            // Numbers of keys have two digits: a larger one is as unknown as 1000.
            let next = min(number * 10 + Int(byte & 0x0F), 1000)
            state = .sequence(number: isInNumber ? next : number, isInNumber: isInNumber)
        case 0x20..<0x40: state = .sequence(number: number, isInNumber: false)
        case UInt8(ascii: "["): state = .shifted(isKnown: false)
        case UInt8(ascii: "~"):
            state = .ground
            if let key = Self.key(number: number) { keys.append(key) }
        case 0x40..<0x7F:
            state = .ground
            if let key = Self.key(final: byte) { keys.append(key) }
        default:
            state = .ground
            begin(byte, &keys)
        }
    }

    private mutating func string(
        _ byte: UInt8, _ left: Int, _ afterEscape: Bool, _ keys: inout [TerminalKey]
    ) {
        if afterEscape, byte != UInt8(ascii: "\\") {
            // Another sequence begins: the text had no end.
            state = .escape
            receive(byte, &keys)
        } else if afterEscape || byte == 0x07 || left <= 1 {
            state = .ground
        } else {
            state = .string(left: left - 1, afterEscape: byte == Self.escapeByte)
        }
    }

    /// The key of `ESC [ X` and `ESC O X`.
    private static func key(final byte: UInt8) -> TerminalKey? {
        switch Unicode.Scalar(byte) {
        case "A": .up
        case "B": .down
        case "C": .right
        case "D": .left
        case "H": .home
        case "F": .end
        default: nil
        }
    }

    /// The key of `ESC [ N ~`.
    private static func key(number: Int) -> TerminalKey? {
        switch number {
        case 1, 7: .home
        case 3: .delete
        case 4, 8: .end
        case 5: .pageUp
        case 6: .pageDown
        default: nil
        }
    }
}
