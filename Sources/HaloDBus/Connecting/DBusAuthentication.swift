/// The client's side of what is said before the first message: who it is, and whether file
/// descriptors can travel.
///
/// Sans-I/O: bytes to send come out, lines of the server go in. It offers EXTERNAL only: the
/// bus knows from the socket who is there.
public struct DBusAuthentication: Sendable {
    /// What is to be done next.
    public enum Step: Hashable, Sendable {
        /// These bytes are to be sent, then more of the server's are awaited.
        case send([UInt8])
        /// More bytes of the server's are awaited.
        case wait
        /// These bytes are to be sent, and messages follow.
        case done([UInt8], passesDescriptors: Bool)
    }

    private enum State: Hashable {
        case new, identified, negotiating, ended
    }

    private let userID: UInt32
    private let wantsDescriptors: Bool
    private var state = State.new
    private var line: [UInt8] = []
    private var triedAnonymousData = false
    /// What the bus calls itself: 32 hexadecimal digits, as it said.
    public private(set) var busID: String?

    /// How long a line of the server's may be.
    static let longestLine = 1 << 14

    /// Somebody who is known to the system by this number.
    public init(userID: UInt32, wantsDescriptors: Bool = true) {
        self.userID = userID
        self.wantsDescriptors = wantsDescriptors
    }

    /// What is to be sent first: a zero byte, and who this is.
    public mutating func start() -> [UInt8] {
        state = .identified
        let digits = Array("0123456789abcdef".utf8)
        var identity: [UInt8] = []
        for character in String(userID).utf8 {
            identity.append(digits[Int(character >> 4)])
            identity.append(digits[Int(character & 0x0F)])
        }
        return [0] + Array("AUTH EXTERNAL ".utf8) + identity + Self.lineEnd
    }

    /// Takes in one byte of the server's.
    ///
    /// One, because what follows the last line are messages already.
    public mutating func receive(_ byte: UInt8) throws(DBusAuthenticationError) -> Step {
        guard state != .ended, state != .new else { throw fail(.unexpected) }
        line.append(byte)
        guard line.suffix(2) == Self.lineEnd[...] else {
            guard line.count < Self.longestLine else { throw fail(.lineTooLong) }
            return .wait
        }
        let words = line.dropLast(2).split(separator: UInt8(ascii: " "))
        line = []
        return try answer(words.map { String(decoding: $0, as: UTF8.self) })
    }

    private mutating func answer(_ words: [String]) throws(DBusAuthenticationError) -> Step {
        switch (state, words.first) {
        case (.identified, "OK"):
            busID = words.count > 1 ? words[1] : nil
            guard wantsDescriptors else { return end(passesDescriptors: false) }
            state = .negotiating
            return .send(Array("NEGOTIATE_UNIX_FD".utf8) + Self.lineEnd)
        case (.identified, "DATA"):
            guard !triedAnonymousData else { throw fail(.unexpected) }
            triedAnonymousData = true
            return .send(Array("DATA".utf8) + Self.lineEnd)
        case (.identified, "REJECTED"):
            throw fail(.rejected)
        case (.negotiating, "AGREE_UNIX_FD"):
            return end(passesDescriptors: true)
        case (.negotiating, "ERROR"):
            return end(passesDescriptors: false)
        default:
            throw fail(.unexpected)
        }
    }

    private mutating func end(passesDescriptors: Bool) -> Step {
        state = .ended
        return .done(Array("BEGIN".utf8) + Self.lineEnd, passesDescriptors: passesDescriptors)
    }

    private mutating func fail(_ kind: DBusAuthenticationError.Kind) -> DBusAuthenticationError {
        state = .ended
        return DBusAuthenticationError(kind)
    }

    static let lineEnd = Array("\r\n".utf8)
}

/// Why nobody was let in.
public struct DBusAuthenticationError: Error, Hashable, Sendable {
    /// What went wrong; a list that can grow.
    public struct Kind: Hashable, Sendable {
        let code: UInt8

        /// The bus does not know this user.
        public static let rejected = Kind(code: 0)
        /// The bus says something that has no place there.
        public static let unexpected = Kind(code: 1)
        /// The bus talks without end.
        public static let lineTooLong = Kind(code: 2)
    }

    /// What went wrong.
    public let kind: Kind

    /// Says what went wrong.
    public init(_ kind: Kind) {
        self.kind = kind
    }
}

extension DBusAuthenticationError: CustomStringConvertible {
    /// One sentence.
    public var description: String {
        switch kind {
        case .rejected: "the bus does not let this user in"
        case .lineTooLong: "the bus talks without end before it lets anybody in"
        default: "the bus does not speak D-Bus before it lets anybody in"
        }
    }
}
