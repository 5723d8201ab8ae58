package import HaloProtocol

/// A reaction of a device in a capture.
package struct RecordedReaction: Hashable, Sendable {
    package enum What: Hashable, Sendable {
        /// A notified or indicated value.
        case value(CaptureChannel, [UInt8], isIndication: Bool)
        case answer([UInt8])
        case acknowledged
        case refused(UInt8)
        /// A change of the services; `generation` is the generation of later offers.
        case servicesChanged(generation: Int)
        case disconnected(reason: UInt8?)
    }

    /// The number of the line in the capture, counted from 1.
    package let line: Int
    package let moment: Moment
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
