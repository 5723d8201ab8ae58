#if os(Linux)
/// The bus's side of the authentication.
///
/// The only mechanism is EXTERNAL, with the user of the socket: a client that names another user is
/// rejected, and one that names none is accepted.
struct DBusServerAuthentication: Sendable {
    static let maximumLines = 64

    enum State: Hashable {
        case zero, waiting, asked, authenticated, done
    }

    /// The user of the socket; `nil` if the system does not report it.
    let userID: UInt32?
    let busID: String
    private(set) var state = State.zero
    private(set) var line = AuthenticationLine()
    private(set) var lineCount = 0
    private(set) var passesDescriptors = false

    var isDone: Bool { state == .done }

    mutating func receive(_ byte: UInt8) throws(DBusAuthenticationError) -> [UInt8] {
        guard state != .zero else {
            guard byte == 0 else { throw .unexpected }
            state = .waiting
            return []
        }
        guard let words = try line.receive(byte) else { return [] }
        lineCount += 1
        guard lineCount <= Self.maximumLines else { throw .lineTooLong }
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
#endif
