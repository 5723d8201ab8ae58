public import HaloProtocol

/// A request to a device in a capture.
public struct RecordedRequest: Hashable, Sendable {
    /// A kind of request, with its values.
    public enum What: Hashable, Sendable {
        /// A write.
        case write(CaptureChannel, [UInt8])
        /// A read.
        case read(CaptureChannel)
        /// A switch of notifications.
        case subscription(CaptureChannel, isOn: Bool)
    }

    /// The number of the line in the capture, counted from 1.
    public let line: Int
    /// The time of that line.
    public let moment: Moment
    /// The kind of request.
    public let what: What

    /// The index of the request's conversation.
    package let conversation: Int
    /// The action of a write; `nil` if the capture does not have it.
    package internal(set) var action: CaptureAction?
    package internal(set) var outcome: Outcome?

    package enum Outcome: Hashable, Sendable {
        /// The acknowledgement of a write, or the value of a read.
        case done
        case refused(UInt8)
    }

    /// The channel of the request.
    public var channel: CaptureChannel { what.channel }

    var isRefused: Bool {
        if case .refused = outcome { true } else { false }
    }

    /// `true` if a replay can expect the request of a client, and answer it. A refused change of a
    /// subscription has no answer, and the backend answers requests for the descriptor that
    /// switches notifications.
    package var isReplayable: Bool {
        if case .subscription = what, isRefused { return false }
        return !channel.isClientConfiguration
    }

    package var bytes: [UInt8]? {
        if case .write(_, let bytes) = what { bytes } else { nil }
    }
}

extension RecordedRequest: CustomStringConvertible {
    /// The request as a line of a capture without an action.
    public var description: String { what.description }
}

extension RecordedRequest.What: CustomStringConvertible {
    /// The request as a line of a capture.
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
    package var channel: CaptureChannel {
        switch self {
        case .write(let channel, _), .read(let channel), .subscription(let channel, _): channel
        }
    }
}
