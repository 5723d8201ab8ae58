#if os(Linux)
/// The client's side of the authentication, which precedes the first message.
///
/// Sans I/O: bytes of the server in, bytes to send out. The only mechanism is EXTERNAL: the bus
/// knows the user from the socket. In a container the bus may know the user by another number;
/// after a rejection the client tries again without a number.
package struct DBusAuthentication: Sendable {
    package enum Step: Hashable, Sendable {
        case send([UInt8])
        case wait
        /// Sends these bytes; messages follow.
        case done([UInt8], passesDescriptors: Bool)
    }

    private enum State: Hashable {
        case named, unnamed, negotiating, ended
    }

    private let userID: UInt32
    private var state = State.named
    private var line = AuthenticationLine()
    private var hasSentData = false
    /// The identifier of the bus, 32 hexadecimal digits.
    package private(set) var busID: String?

    package init(userID: UInt32) {
        self.userID = userID
    }

    /// Returns a zero byte and the first command, which come before all replies.
    package func start() -> [UInt8] {
        let identity = AuthenticationLine.hexadecimal(String(userID).utf8)
        return [0] + AuthenticationLine.encode("AUTH EXTERNAL \(identity)")
    }

    /// Receives one byte.
    ///
    /// One only, because the bytes behind the last line are messages.
    package mutating func receive(_ byte: UInt8) throws(DBusAuthenticationError) -> Step {
        guard state != .ended else { throw .unexpected }
        do throws(DBusAuthenticationError) {
            guard let words = try line.receive(byte) else { return .wait }
            return try answer(words)
        } catch {
            state = .ended
            throw error
        }
    }

    private mutating func answer(_ words: [String]) throws(DBusAuthenticationError) -> Step {
        switch (state, words.first) {
        case (.named, "OK"), (.unnamed, "OK"):
            guard words.count == 2, words[1].utf8.count == 32,
                AuthenticationLine.bytes(hexadecimal: words[1]) != nil
            else { throw .unexpected }
            busID = words[1]
            state = .negotiating
            return .send(AuthenticationLine.encode("NEGOTIATE_UNIX_FD"))
        case (.named, "DATA"), (.unnamed, "DATA"):
            guard !hasSentData else { throw .unexpected }
            hasSentData = true
            return .send(AuthenticationLine.encode("DATA"))
        case (.named, "REJECTED") where words.contains("EXTERNAL"):
            state = .unnamed
            hasSentData = false
            return .send(AuthenticationLine.encode("AUTH EXTERNAL"))
        case (.named, "REJECTED"), (.unnamed, "REJECTED"), (.unnamed, "ERROR"):
            throw .rejected
        case (.negotiating, "AGREE_UNIX_FD"):
            return end(passesDescriptors: true)
        case (.negotiating, "ERROR"):
            return end(passesDescriptors: false)
        default:
            throw .unexpected
        }
    }

    private mutating func end(passesDescriptors: Bool) -> Step {
        state = .ended
        return .done(
            AuthenticationLine.encode("BEGIN"), passesDescriptors: passesDescriptors)
    }
}
#endif
