#if os(Linux)
/// The client's side of the authentication, which precedes the first message.
///
/// Sans I/O: bytes of the server in, bytes to send out. The only mechanism is EXTERNAL: the bus
/// knows the user from the socket. In a container the bus may know the user by another number;
/// after a rejection the client tries again without a number.
package struct DBusAuthentication: Sendable {
    /// The next step of the caller.
    package enum Step: Hashable, Sendable {
        /// Sends these bytes, and waits for the server's next bytes.
        case send([UInt8])
        /// Waits for the server's next bytes.
        case wait
        /// Sends these bytes; messages follow.
        case done([UInt8], passesDescriptors: Bool)
    }

    private enum State: Hashable {
        case new, named, unnamed, negotiating, ended
    }

    private let userID: UInt32
    private var state = State.new
    private var line = AuthenticationLine()
    private var hasSentData = false
    /// The identifier of the bus, 32 hexadecimal digits.
    package private(set) var busID: String?

    /// Creates a client for a user, identified by the system's number.
    package init(userID: UInt32) {
        self.userID = userID
    }

    /// Starts: returns a zero byte and the first command.
    package mutating func start() -> [UInt8] {
        state = .named
        let identity = AuthenticationLine.hexadecimal(Array(String(userID).utf8))
        return [0] + AuthenticationLine.encode("AUTH EXTERNAL \(identity)")
    }

    /// Receives one byte.
    ///
    /// One only, because the bytes behind the last line are messages.
    package mutating func receive(_ byte: UInt8) throws(DBusAuthenticationError) -> Step {
        guard state != .ended, state != .new else { throw fail(.unexpected) }
        do throws(DBusAuthenticationError) {
            guard let words = try line.receive(byte) else { return .wait }
            return try answer(words)
        } catch {
            throw fail(error.kind)
        }
    }

    private mutating func answer(_ words: [String]) throws(DBusAuthenticationError) -> Step {
        switch (state, words.first) {
        case (.named, "OK"), (.unnamed, "OK"):
            guard words.count == 2, words[1].utf8.count == 32,
                AuthenticationLine.bytes(hexadecimal: words[1]) != nil
            else { throw DBusAuthenticationError(.unexpected) }
            busID = words[1]
            state = .negotiating
            return .send(AuthenticationLine.encode("NEGOTIATE_UNIX_FD"))
        case (.named, "DATA"), (.unnamed, "DATA"):
            guard !hasSentData else { throw DBusAuthenticationError(.unexpected) }
            hasSentData = true
            return .send(AuthenticationLine.encode("DATA"))
        case (.named, "REJECTED") where words.contains("EXTERNAL"):
            state = .unnamed
            hasSentData = false
            return .send(AuthenticationLine.encode("AUTH EXTERNAL"))
        case (.named, "REJECTED"), (.unnamed, "REJECTED"), (.unnamed, "ERROR"):
            throw DBusAuthenticationError(.rejected)
        case (.negotiating, "AGREE_UNIX_FD"):
            return end(passesDescriptors: true)
        case (.negotiating, "ERROR"):
            return end(passesDescriptors: false)
        default:
            throw DBusAuthenticationError(.unexpected)
        }
    }

    private mutating func end(passesDescriptors: Bool) -> Step {
        state = .ended
        return .done(
            AuthenticationLine.encode("BEGIN"), passesDescriptors: passesDescriptors)
    }

    private mutating func fail(_ kind: DBusAuthenticationError.Kind) -> DBusAuthenticationError {
        state = .ended
        return DBusAuthenticationError(kind)
    }
}

/// The bus's side of the authentication.
///
/// The only mechanism is EXTERNAL, with the user of the socket: a client that names another user is
/// rejected, and one that names none is accepted.
struct DBusServerAuthentication: Sendable {
    /// The maximum number of lines before `BEGIN`.
    static let maximumLines = 64

    private enum State: Hashable {
        case zero, waiting, asked, authenticated, done
    }

    private let userID: UInt32?
    private let busID: String
    private var state = State.zero
    private var line = AuthenticationLine()
    private var lineCount = 0
    private(set) var passesDescriptors = false

    /// Creates a server for a client. `userID` is `nil` if the system does not report the user.
    init(userID: UInt32?, busID: String) {
        self.userID = userID
        self.busID = busID
    }

    /// `true` when messages follow.
    var isDone: Bool { state == .done }

    /// Receives one byte; returns the reply.
    mutating func receive(_ byte: UInt8) throws(DBusAuthenticationError) -> [UInt8] {
        guard state != .zero else {
            guard byte == 0 else { throw DBusAuthenticationError(.unexpected) }
            state = .waiting
            return []
        }
        guard let words = try line.receive(byte) else { return [] }
        lineCount += 1
        guard lineCount <= Self.maximumLines else { throw DBusAuthenticationError(.lineTooLong) }
        let answer = answer(words)
        return answer.isEmpty ? [] : AuthenticationLine.encode(answer)
    }

    private mutating func answer(_ words: [String]) -> String {
        switch (state, words.first) {
        case (.waiting, "AUTH") where words.dropFirst().first == "EXTERNAL":
            guard let identity = words.dropFirst(2).first else {
                state = .asked
                return "DATA"
            }
            return decide(identity)
        case (.asked, "DATA"):
            return decide(words.dropFirst().first)
        case (.authenticated, "NEGOTIATE_UNIX_FD"):
            passesDescriptors = true
            return "AGREE_UNIX_FD"
        case (.authenticated, "BEGIN"):
            state = .done
            return ""
        case (.waiting, "AUTH"), (_, "CANCEL"), (_, "ERROR"):
            state = .waiting
            return "REJECTED EXTERNAL"
        default:
            return "ERROR"
        }
    }

    private mutating func decide(_ identity: String?) -> String {
        if let identity {
            let digits = AuthenticationLine.bytes(hexadecimal: identity)
            let number = digits.flatMap { UInt32(String(decoding: $0, as: UTF8.self)) }
            guard let number, userID == nil || number == userID else {
                state = .waiting
                return "REJECTED EXTERNAL"
            }
        }
        state = .authenticated
        return "OK \(busID)"
    }
}

/// One line of the authentication; encodes and decodes hexadecimal digits.
struct AuthenticationLine {
    /// The maximum length of a line in bytes.
    static let longest = 1 << 14
    private static let end = Array("\r\n".utf8)
    private var bytes: [UInt8] = []

    /// Receives one byte; returns the words of the line with its last byte, and `nil` before.
    mutating func receive(_ byte: UInt8) throws(DBusAuthenticationError) -> [String]? {
        guard byte != 0, byte < 0x80 else { throw DBusAuthenticationError(.unexpected) }
        bytes.append(byte)
        guard byte == UInt8(ascii: "\n"), bytes.dropLast().last == UInt8(ascii: "\r") else {
            guard bytes.count < Self.longest else { throw DBusAuthenticationError(.lineTooLong) }
            return nil
        }
        let words = bytes.dropLast(2).split(separator: UInt8(ascii: " "))
        bytes = []
        return words.map { String(decoding: $0, as: UTF8.self) }
    }

    static func encode(_ words: String) -> [UInt8] { Array(words.utf8) + end }

    static func hexadecimal(_ bytes: [UInt8]) -> String {
        let digits = Array("0123456789abcdef".utf8)
        let text = bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 0x0F)]] }
        return String(decoding: text, as: UTF8.self)
    }

    static func bytes(hexadecimal text: String) -> [UInt8]? {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let high = rest.popFirst() {
            guard let low = rest.popFirst(), let high = digit(high), let low = digit(low) else {
                return nil
            }
            bytes.append(high << 4 | low)
        }
        return bytes
    }

    static func digit(_ character: UInt8) -> UInt8? {
        switch character {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): character - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): character - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}

/// The reason why the authentication failed.
package struct DBusAuthenticationError: Error, Hashable, Sendable {
    /// A category of errors; more can be added.
    package struct Kind: Hashable, Sendable, CustomStringConvertible {
        /// A short text for people.
        package let description: String

        private init(_ description: String) { self.description = description }

        /// The bus rejects this user.
        package static let rejected = Kind("the bus does not let this user in")
        /// The other side breaks the protocol.
        package static let unexpected = Kind("the bus does not speak D-Bus while it authenticates")
        /// The other side exceeds the length of a line, or the number of lines.
        package static let lineTooLong = Kind("the bus sends too much while it authenticates")
    }

    /// The category.
    package let kind: Kind

    /// Creates an error.
    package init(_ kind: Kind) {
        self.kind = kind
    }
}

extension DBusAuthenticationError: CustomStringConvertible {
    /// One sentence.
    package var description: String { "\(kind)" }
}
#endif
