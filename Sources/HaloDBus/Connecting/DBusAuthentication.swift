#if os(Linux)
/// The client's side of what is said before the first message: who it is, and whether file
/// descriptors can travel.
///
/// Sans-I/O: bytes to send come out, those of the server go in. It offers EXTERNAL only: the
/// bus knows from the socket who is there. A bus that does not know our number, since we have
/// another one in a container, is asked once more without it.
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
        case new, named, unnamed, negotiating, ended
    }

    private let userID: UInt32
    private let wantsDescriptors: Bool
    private var state = State.new
    private var line = AuthenticationLine()
    private var hasSentData = false
    /// What the bus calls itself: 32 hexadecimal digits, as it said.
    public private(set) var busID: String?

    /// Somebody who is known to the system by this number.
    public init(userID: UInt32, wantsDescriptors: Bool = true) {
        self.userID = userID
        self.wantsDescriptors = wantsDescriptors
    }

    /// What is to be sent first: a zero byte, and who this is.
    public mutating func start() -> [UInt8] {
        state = .named
        let identity = AuthenticationLine.hexadecimal(Array(String(userID).utf8))
        return [0] + AuthenticationLine.encode("AUTH EXTERNAL \(identity)")
    }

    /// Takes in one byte of the server's.
    ///
    /// One, because what follows the last line are messages already.
    public mutating func receive(_ byte: UInt8) throws(DBusAuthenticationError) -> Step {
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
            guard wantsDescriptors else { return end(passesDescriptors: false) }
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
#endif
