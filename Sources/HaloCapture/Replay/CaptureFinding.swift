public import HaloProtocol

/// Something about a capture that a check found.
public struct CaptureFinding: Hashable, Sendable {
    /// What it is; a list that can grow.
    public struct Kind: Hashable, Sendable {
        /// The name, as `halo replay --json` writes it.
        public let name: String

        /// The decoders say something else than the file.
        public static let reading = Kind(name: "reading")
        /// A packet cannot be read, and the file does not say so.
        public static let unreadable = Kind(name: "unreadable")
        /// What was decoded encodes to other bytes.
        public static let encoding = Kind(name: "encoding")
        /// A reply of many frames splits into other frames.
        public static let splitting = Kind(name: "splitting")
        /// A session cannot read the answer to a request.
        public static let malformed = Kind(name: "malformed")
        /// The file declares an exception to a rule that is kept.
        public static let needlessException = Kind(name: "needless exception")
        /// Nobody has described the packet.
        public static let unknown = Kind(name: "unknown")
        /// Nothing came for a request.
        public static let unanswered = Kind(name: "unanswered")
        /// A part of an answer did not come.
        public static let incomplete = Kind(name: "incomplete")
        /// What came is no answer to the request, says the session.
        public static let unmatched = Kind(name: "unmatched")
        /// The device said something that nobody had asked for.
        public static let unsolicited = Kind(name: "unsolicited")
    }

    /// How much it matters.
    public enum Severity: Hashable, Sendable {
        /// It can be so.
        case note
        /// The program and the capture do not agree.
        case difference
    }

    /// The line of the capture, counted from 1.
    public let line: Int
    /// When that was.
    public let moment: Moment
    /// What it is.
    public let kind: Kind
    /// How much it matters.
    public let severity: Severity
    /// What was found, in words.
    public let text: String
    /// The packet that it is about, if it is about one.
    public let packet: CaptureReading.WholePacket?
    /// Why it may be so, if the capture declares an `exception:`.
    public let exception: String?
}

extension CaptureFinding: CustomStringConvertible {
    /// The line, how much it matters, and what was found.
    public var description: String {
        let declared = exception.map { " (declared: \(PrintableText.quoted($0.utf8)))" } ?? ""
        let word = severity == .note ? "note" : "difference"
        return "line \(line): \(word): \(kind): \(text)\(declared)"
    }
}

extension CaptureFinding.Kind: CustomStringConvertible {
    /// The name.
    public var description: String { name }
}
