public import HaloProtocol

/// What a packet of a capture says, to the decoders of today and to the file.
public struct CaptureReading: Hashable, Sendable {
    /// What stands behind a packet: the `=` lines or the `!` line.
    public enum Verdict: Hashable, Sendable {
        /// It says this; the second one is what the reply says that it completes.
        case reads([String])
        /// It cannot be read, because of this.
        case fails(String)

        /// The lines of a capture.
        package var lines: [CaptureLine] {
            switch self {
            case .reads(let readings): readings.map { .reading(CaptureText($0)) }
            case .fails(let error): [.error(CaptureText(error))]
            }
        }
    }

    /// The line of the packet, or of its last piece, counted from 1.
    public let line: Int
    /// When that was.
    public let moment: Moment
    /// The packet; the pieces of a long frame are joined.
    public let packet: WholePacket
    /// How far it was understood.
    public let status: Explanation.Status
    /// What the decoders say; nothing of the value of a characteristic that nobody knows.
    public internal(set) var verdict: Verdict
    /// What the file says; nothing if it says nothing.
    public internal(set) var stated: Verdict?
    /// The bytes that come of encoding what was decoded, where they are others.
    public let reencoded: [UInt8]?
    /// The tags of the comments before it.
    public let tags: [String: String]

    /// A packet that may have travelled in pieces, and be longer than one.
    public struct WholePacket: Hashable, Sendable {
        /// Which way it went.
        public let direction: Direction
        /// Which connection, where there are several.
        public let link: CaptureName?
        /// Where it was written, or where it came from.
        public let channel: CaptureChannel
        /// All its bytes.
        public let bytes: [UInt8]
    }

    /// Why the packet may be out of order, if the file says so.
    public var exception: String? { tags["exception"] }
}
