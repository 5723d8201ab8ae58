package import HaloProtocol

/// Something that a device did in a capture.
package struct RecordedReaction: Hashable, Sendable {
    /// What it did.
    package enum What: Hashable, Sendable {
        /// It sent a value by itself.
        case value(CaptureChannel, [UInt8], isIndication: Bool)
        /// It answered a read.
        case answer([UInt8])
        /// It acknowledged a write.
        case acknowledged
        /// It refused a request.
        case refused(UInt8)
        /// It said that it offers something else: which of the capture's offers, from here on.
        case servicesChanged(edition: Int)
        /// The connection ended.
        case disconnected(reason: UInt8?)
    }

    /// The line of the capture, counted from 1.
    package let line: Int
    /// When it happened.
    package let moment: Moment
    /// What it did.
    package internal(set) var what: What
    /// Which conversation it belongs to.
    package let conversation: Int
    /// The last request before it, of the same conversation; nothing if there was none.
    package let after: Int?
    /// The request that it answers, as far as that can be told.
    package internal(set) var answered: Int?
    /// Whether it comes of the connection itself, and not of what was asked last.
    package var isOfConnection = false
}
