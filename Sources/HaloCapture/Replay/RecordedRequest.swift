public import HaloProtocol

/// Something that was asked of a device in a capture.
public struct RecordedRequest: Hashable, Sendable {
    /// What was asked.
    public enum What: Hashable, Sendable {
        /// A value was written.
        case write(CaptureChannel, [UInt8])
        /// A value was asked for.
        case read(CaptureChannel)
        /// Values were switched on or off.
        case subscription(CaptureChannel, isOn: Bool)
    }

    /// The line of the capture, counted from 1.
    public let line: Int
    /// When it was asked.
    public let moment: Moment
    /// What was asked.
    public let what: What

    /// Which of the capture's conversations it belongs to.
    package let conversation: Int
    /// How a value was written, if that was noted.
    package internal(set) var action: CaptureAction?
    /// What the device said to it itself, if it said anything.
    package internal(set) var outcome: Outcome?

    /// What a device says to a request on the level of attributes.
    package enum Outcome: Hashable, Sendable {
        /// It acknowledged a write, or gave a value.
        case done
        /// It said no.
        case refused(UInt8)
    }

    /// The channel that it concerns.
    public var channel: CaptureChannel { what.channel }

    /// The bytes of a write.
    package var bytes: [UInt8]? {
        if case .write(_, let bytes) = what { bytes } else { nil }
    }
}

extension RecordedRequest: CustomStringConvertible {
    /// What was asked, as a line of a capture that does not say how.
    public var description: String { what.description }
}

extension RecordedRequest.What: CustomStringConvertible {
    /// What was asked, as a line of a capture.
    public var description: String {
        switch self {
        case .write(let channel, let bytes):
            "> \(channel.words) \(HexText.bytes(bytes, separator: " "))"
        case .read(let channel): "* read \(channel.words)"
        case .subscription(let channel, true): "* subscribed \(channel.words)"
        case .subscription(let channel, false): "* unsubscribed \(channel.words)"
        }
    }
}

extension RecordedRequest.What {
    /// The channel that it concerns.
    package var channel: CaptureChannel {
        switch self {
        case .write(let channel, _), .read(let channel), .subscription(let channel, _): channel
        }
    }
}
