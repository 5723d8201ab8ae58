public import HaloTransport

/// A fault between a device and a central.
///
/// A real Bluetooth link neither loses, repeats, reorders nor changes what it carries: it sends
/// again until the packet is through, or ends. Rings and operating systems do all of that above
/// the link: a ring drops a frame for which it has no buffer, a system service drops what an app
/// does not fetch, firmware sends a frame twice. These faults stand for that.
public enum LinkFault: Hashable, Sendable, CustomStringConvertible {
    /// The packet is lost. A write with response is still acknowledged, as by a ring that accepts a
    /// frame and does nothing. A subscription is acknowledged without effect.
    case loss
    /// The packet arrives twice.
    case duplication
    /// The packet arrives after the device's next notification, or after half a second without one.
    case reordering
    /// One bit is flipped. Bits are counted from the lowest of the first byte; where the value is
    /// shorter, counting wraps around.
    case corruption(bit: Int)
    /// Only the first bytes arrive.
    case truncation(length: Int)
    /// The packet and all later packets in its direction arrive late.
    case delay(Duration)
    /// The link is silent in both directions. A stall longer than the supervision timeout ends it.
    case stall(Duration)
    /// The link ends at once, as if the device had gone out of range.
    case disconnection
    /// The device's host refuses the request; the device never receives it.
    case refusal(ATTError)
    /// The request is never answered, and the device never receives it: after thirty seconds the
    /// link ends.
    case silence
    /// The ring refuses the written frame by a frame, and does nothing.
    case refusedCommand
    /// The MTU of the link stays 23.
    case shortPackets
    /// The connection fails.
    case failedConnection

    /// The effect in the past tense: `lost`, `delayed by 0.25 seconds`.
    public var description: String {
        switch self {
        case .loss: "lost"
        case .duplication: "arrived twice"
        case .reordering: "arrived after the next one"
        case .corruption(let bit): "bit \(bit) flipped"
        case .truncation(let length): "cut to \(length) bytes"
        case .delay(let duration): "delayed by \(duration)"
        case .stall(let duration): "link quiet for \(duration)"
        case .disconnection: "link lost"
        case .refusal(let error): "refused with ATT error \(error.code)"
        case .silence: "never answered"
        case .refusedCommand: "refused by a frame"
        case .shortPackets: "MTU held at 23"
        case .failedConnection: "was not established"
        }
    }

    /// The fault with a parameter derived from a random number, if it has one.
    func drawn(_ number: UInt64, length: Int) -> LinkFault {
        var random = SplitMix(seed: number)
        let length = Int64(max(length, 1))
        switch self {
        case .corruption: return .corruption(bit: Int(random.below(length * 8)))
        case .truncation: return .truncation(length: Int(random.below(length)))
        case .delay: return .delay(.microseconds(10_000 + random.below(1_990_000)))
        case .stall: return .stall(.microseconds(100_000 + random.below(6_900_000)))
        case .refusal: return .refusal(random.below(2) == 0 ? .unlikely : .insufficientResources)
        case .loss, .duplication, .reordering, .disconnection, .silence, .refusedCommand,
            .shortPackets, .failedConnection:
            return self
        }
    }

    /// `true` if the faults differ at most in their parameters.
    func hasKind(of other: LinkFault) -> Bool {
        drawn(0, length: 0) == other.drawn(0, length: 0)
    }

    /// `true` for a fault of the link itself, which needs no packet.
    var isOfLinks: Bool { hasKind(of: .stall(.zero)) || self == .disconnection }

    /// `true` if the device never receives the request.
    var isRejection: Bool { hasKind(of: .refusal(.unlikely)) || self == .silence }

    /// `true` if the fault holds back only the later packets in the same direction.
    var isDelay: Bool { hasKind(of: .delay(.zero)) }

    /// The value after the fault, or `nil` if it is unchanged.
    func changed(_ value: [UInt8]) -> [UInt8]? {
        if case .truncation(let length) = self { return Array(value.prefix(max(length, 0))) }
        guard case .corruption(let bit) = self, !value.isEmpty, bit >= 0 else { return nil }
        var value = value
        value[bit / 8 % value.count] ^= 1 << UInt8(bit % 8)
        return value
    }
}
