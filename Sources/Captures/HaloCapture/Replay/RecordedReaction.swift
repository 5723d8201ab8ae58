package import HaloProtocol

/// A reaction of a device in a capture.
package struct RecordedReaction: Hashable, Sendable {
    /// A kind of reaction, with its values.
    package enum What: Hashable, Sendable {
        /// A notified or indicated value.
        case value(CaptureChannel, [UInt8], isIndication: Bool)
        /// The answer to a read.
        case answer([UInt8])
        /// The acknowledgement of a write.
        case acknowledged
        /// The refusal of a request.
        case refused(UInt8)
        /// A change of the services; `generation` is the generation of later offers.
        case servicesChanged(generation: Int)
        /// The end of the connection.
        case disconnected(reason: UInt8?)
    }

    /// The number of the line in the capture, counted from 1.
    package let line: Int
    /// The time of that line.
    package let moment: Moment
    /// The kind of reaction.
    package let what: What
    /// The index of the reaction's conversation.
    package let conversation: Int
    /// The index of the last request before the reaction in its conversation; `nil` if there is
    /// none.
    package let after: Int?
    /// The index of the answered request; `nil` if there is none, or it is not known.
    package internal(set) var answered: Int?
    /// `true` if the connection itself causes the reaction, and not the last request.
    package var isOfConnection = false
}
