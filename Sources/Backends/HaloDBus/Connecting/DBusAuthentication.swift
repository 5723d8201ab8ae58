#if os(Linux)
/// The client's side of the authentication, which precedes the first message.
///
/// Sans I/O: bytes of the server in, bytes to send out. The only mechanism is EXTERNAL: the bus
/// knows the user from the socket. In a container the bus may know the user by another number;
/// after a rejection the client tries again without a number.
package struct DBusAuthentication: Sendable {
    enum State: Hashable {
        case named, unnamed, negotiating, done, failed
    }

    let userID: UInt32
    private(set) var state = State.named
    private(set) var line = AuthenticationLine()
    private(set) var hasSentData = false
    /// The identifier of the bus, 32 hexadecimal digits.
    package private(set) var busID: String?
    private(set) var passesDescriptors = false

    /// Returns a zero byte and the first command, which come before all replies.
    package func start() -> [UInt8] {
        let identity = AuthenticationLine.hexadecimal(String(userID).utf8)
        return [0] + AuthenticationLine.encode("AUTH EXTERNAL \(identity)")
    }

    /// `true` once the last command has been returned: messages follow it.
    package var isDone: Bool { state == .done }

    /// Receives one byte, and returns what is to be sent.
    ///
    /// One only, because the bytes behind the last line are messages.
    package mutating func receive(_ byte: UInt8) throws(DBusAuthenticationError) -> [UInt8] {
        guard !isDone, state != .failed else { throw .unexpected }
        do throws(DBusAuthenticationError) {
            guard let words = try line.receive(byte) else { return [] }
            return AuthenticationLine.encode(try answer(words))
        } catch {
            state = .failed
            throw error
        }
    }

    private mutating func answer(_ words: [String]) throws(DBusAuthenticationError) -> String {
        switch (state, words.first) {
        case (.named, "OK"), (.unnamed, "OK"):
            guard words.count == 2, words[1].utf8.count == 32,
                AuthenticationLine.bytes(hexadecimal: words[1]) != nil
            else { throw .unexpected }
            busID = words[1]
            state = .negotiating
            return "NEGOTIATE_UNIX_FD"
        case (.named, "DATA"), (.unnamed, "DATA"):
            guard !hasSentData else { throw .unexpected }
            hasSentData = true
            return "DATA"
        case (.named, "REJECTED") where words.contains("EXTERNAL"):
            state = .unnamed
            hasSentData = false
            return "AUTH EXTERNAL"
        case (.named, "REJECTED"), (.unnamed, "REJECTED"), (.unnamed, "ERROR"):
            throw .rejected
        case (.negotiating, "AGREE_UNIX_FD"), (.negotiating, "ERROR"):
            passesDescriptors = words.first == "AGREE_UNIX_FD"
            state = .done
            return "BEGIN"
        default:
            throw .unexpected
        }
    }
}
#endif
