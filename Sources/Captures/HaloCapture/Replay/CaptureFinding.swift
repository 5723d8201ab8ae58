public import HaloProtocol

/// A finding of a ``CaptureCheck``.
public struct CaptureFinding: Hashable, Sendable {
    /// A kind of finding; a list that can grow.
    public struct Kind: Hashable, Sendable, CustomStringConvertible {
        /// The name, as in the output of `halo replay --json`.
        public let description: String

        /// The decoders and the file have different readings.
        package static let reading = Kind(description: "reading")
        /// A packet cannot be decoded, and the file does not state the error.
        package static let unreadable = Kind(description: "unreadable")
        /// The decoded value encodes to other bytes.
        package static let encoding = Kind(description: "encoding")
        /// A reply of many frames splits into other frames.
        package static let splitting = Kind(description: "splitting")
        /// A session cannot decode the answer to a request.
        package static let malformed = Kind(description: "malformed")
        /// The file declares an exception that no difference needs.
        package static let needlessException = Kind(description: "needless exception")
        /// The packet has no decoder.
        package static let unknown = Kind(description: "unknown")
        /// A request has no answer.
        package static let unanswered = Kind(description: "unanswered")
        /// A part of an answer is missing.
        package static let incomplete = Kind(description: "incomplete")
        /// A request has no answer among the values that have come.
        package static let unmatched = Kind(description: "unmatched")
        /// The device sent an unsolicited value.
        package static let unsolicited = Kind(description: "unsolicited")
    }

    /// The severity of a finding.
    public enum Severity: Hashable, Sendable {
        /// A fact that may be no fault.
        case note
        /// A difference between the program and the capture.
        case difference
    }

    /// The number of the line in the capture, counted from 1.
    public let line: Int
    /// The time of that line.
    public let moment: Moment
    /// The kind of finding.
    public let kind: Kind
    /// The severity.
    public let severity: Severity
    /// The finding in words.
    public let text: String
    package let packet: CapturePacket?
    /// The exception that the capture declares for the line; `nil` if there is none.
    package let exception: String?
}

extension CaptureFinding: CustomStringConvertible {
    /// The line, the severity, and the finding.
    public var description: String {
        let declared = exception.map { " (declared: \(PrintableText.quoted($0.utf8)))" } ?? ""
        let word = severity == .note ? "note" : "difference"
        return "line \(line): \(word): \(kind): \(text)\(declared)"
    }
}
