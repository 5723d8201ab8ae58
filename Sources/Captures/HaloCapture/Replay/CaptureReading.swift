package import HaloProtocol

/// The reading of a packet of a capture: by the current decoders, and as stated in the file.
package struct CaptureReading: Hashable, Sendable {
    /// The result of decoding a packet: the `=` lines or the `!` line behind it.
    package enum Verdict: Hashable, Sendable {
        /// The reading of the packet, followed by the reading of the reply that the packet
        /// completes, if there is one.
        case reads([String])
        /// The reason why the packet cannot be decoded.
        case fails(String)

        package var lines: [CaptureLine] {
            switch self {
            case .reads(let readings): readings.map { .reading(CaptureText($0)) }
            case .fails(let error): [.error(CaptureText(error))]
            }
        }
    }

    /// The number of the line of the packet, or of its last piece, counted from 1.
    package let line: Int
    package let moment: Moment
    /// The packet, with the pieces of a long frame joined: so it may be longer than
    /// ``CapturePacket/maximumLength``.
    package let packet: CapturePacket
    package let status: Explanation.Status
    /// The result of the decoders; without readings for the value of an unknown characteristic.
    package internal(set) var verdict: Verdict
    package internal(set) var stated: Verdict?
    /// The bytes of encoding the decoded value, if they differ; otherwise `nil`.
    package let reencoded: [UInt8]?
    /// The declared exception, from a comment before the packet; `nil` without one.
    package let exception: String?
    /// The reply of many frames that the packet completes; `nil` if there is none.
    package internal(set) var joined: JoinedFrames?

    package struct JoinedFrames: Hashable, Sendable {
        package let frames: [Frame]
        package let split: [Frame]
    }
}
