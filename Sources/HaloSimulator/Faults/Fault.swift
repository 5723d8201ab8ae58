public import HaloTransport

/// Something that goes wrong between a device and a central.
///
/// A real link of Bluetooth neither loses, repeats, reorders nor changes what it carries: it asks
/// for it again until it is through, or ends. Rings and operating systems do all of that, above
/// the link: a ring drops a frame for which it has no room, a service of the system drops what an
/// app does not fetch, a firmware sends a frame twice. These faults stand for that.
public enum Fault: Hashable, Sendable {
    /// It is lost. A write with a response is answered nevertheless, as by a ring that takes a
    /// frame and does nothing; a subscription is accepted and not kept.
    case loss
    /// It arrives twice.
    case duplication
    /// It arrives behind what follows it: behind the next notification that the device sends
    /// within half a second, or late by that.
    case reordering
    /// One bit is flipped: the bit of that number, counted from the first byte's lowest, and again
    /// from the beginning where the value is shorter.
    case corruption(bit: Int)
    /// Only its first bytes arrive.
    case truncation(length: Int)
    /// It arrives later, and with it all that follows in its direction.
    case delay(Duration)
    /// The link is quiet for a time, in both directions; beyond the supervision timeout, it ends.
    case stall(Duration)
    /// The link ends at once, as if the device had gone out of reach.
    case disconnection
    /// The device's host refuses the request, and the device never hears of it.
    case refusal(ATTError)
    /// The request is never answered, and the device never hears of it: after thirty seconds the
    /// link ends.
    case silence
    /// The ring refuses the frame that was written, by a frame, and does nothing.
    case refusedCommand
    /// Nobody agrees on longer packets: the MTU of the link stays 23.
    case shortPackets
    /// The link does not come about.
    case failedConnection
}

extension Fault: CustomStringConvertible {
    /// What happened, in the past: `lost`, `delayed by 0.25 seconds`.
    public var description: String {
        switch self {
        case .loss: "lost"
        case .duplication: "arrived twice"
        case .reordering: "arrived behind the next one"
        case .corruption(let bit): "bit \(bit) flipped"
        case .truncation(let length): "cut to \(length) bytes"
        case .delay(let duration): "delayed by \(duration)"
        case .stall(let duration): "link quiet for \(duration)"
        case .disconnection: "link lost"
        case .refusal(let error): "refused with ATT error \(error.code)"
        case .silence: "never answered"
        case .refusedCommand: "refused by a frame"
        case .shortPackets: "MTU held at 23"
        case .failedConnection: "did not come about"
        }
    }
}
