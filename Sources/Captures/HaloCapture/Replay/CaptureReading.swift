public import HaloProtocol

/// The reading of a packet of a capture: by the current decoders, and as stated in the file.
public struct CaptureReading: Hashable, Sendable {
    /// The result of decoding a packet: the `=` lines or the `!` line behind it.
    public enum Verdict: Hashable, Sendable {
        /// The reading of the packet, followed by the reading of the reply that the packet
        /// completes, if there is one.
        case reads([String])
        /// The reason why the packet cannot be decoded.
        case fails(String)

        /// The lines in the form of a capture.
        package var lines: [CaptureLine] {
            switch self {
            case .reads(let readings): readings.map { .reading(CaptureText($0)) }
            case .fails(let error): [.error(CaptureText(error))]
            }
        }
    }

    /// The number of the line of the packet, or of its last piece, counted from 1.
    public let line: Int
    /// The time of that line.
    public let moment: Moment
    /// The packet, with the pieces of a long frame joined.
    public let packet: WholePacket
    /// The status of decoding.
    public let status: Explanation.Status
    /// The result of the decoders; without readings for the value of an unknown characteristic.
    public internal(set) var verdict: Verdict
    /// The result stated in the file; `nil` if there is none.
    public internal(set) var stated: Verdict?
    /// The bytes of encoding the decoded value, if they differ; otherwise `nil`.
    public let reencoded: [UInt8]?
    /// The tags of the comments before the packet.
    public let tags: [String: String]
    /// The reply of many frames that the packet completes; `nil` if there is none.
    var joined: JoinedFrames?

    /// The frames of a joined reply, and those into which it splits.
    struct JoinedFrames: Hashable, Sendable {
        let frames: [Frame]
        let split: [Frame]
    }

    /// A packet that may consist of pieces, and so be longer than ``CapturePacket/maximumLength``.
    public struct WholePacket: Hashable, Sendable {
        /// The direction of the transfer.
        public let direction: Direction
        /// The name of the connection; `nil` if it has none.
        public let link: CaptureName?
        /// The channel of the packet.
        public let channel: CaptureChannel
        /// All bytes of the packet.
        public let bytes: [UInt8]
    }

    /// The declared exception of the packet; `nil` if there is none.
    public var exception: String? { tags["exception"] }
}
