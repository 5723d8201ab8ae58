#if os(Linux)
internal import HaloProtocol

package struct DBusError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A category of errors, with its text for people.
    package enum Kind: String, CustomStringConvertible, Sendable {
        /// No bus listens at the address, or this user may not connect.
        case unreachable = "no bus can be reached"
        case invalidAddress = "that is not a bus address"
        case notAuthenticated = "the bus rejects this user"
        case disconnected = "the connection has ended"
        /// The callee replied with an error: ``DBusError/name`` and ``DBusError/details``.
        case remote = "the other side refuses"
        case timedOut = "no answer came in time"
        case cancelled = "the call was cancelled"
        /// Bytes are not valid D-Bus, or a message cannot be encoded.
        case malformed = "that is not a valid message"
        case limitExceeded = "too much is waiting"
        case unexpectedReply = "the answer is not what was expected"
        case noDescriptors = "no descriptors can be sent"

        package var description: String { rawValue }
    }

    package let kind: Kind
    /// The error's name as the callee replied it: `org.bluez.Error.Failed`.
    package let name: String?
    /// The text of the callee, or of the system.
    package let details: String?
    /// The fault in the bytes, if the kind is ``Kind/malformed``.
    package let wire: DBusWireError?

    package init(
        _ kind: Kind, name: String? = nil, details: String? = nil, wire: DBusWireError? = nil
    ) {
        self.kind = kind
        self.name = name
        self.details = details
        self.wire = wire
    }

    /// One sentence, without control characters, which could steer a terminal.
    package var description: String {
        let more = [name, details, wire?.description].compactMap { $0 }
        return more.isEmpty
            ? "\(kind)" : "\(kind): \(PrintableText.printable(more.joined(separator: ": ")))"
    }
}
#endif
