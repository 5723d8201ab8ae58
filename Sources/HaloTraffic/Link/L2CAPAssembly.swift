/// Joins the fragments of the L2CAP packets in one direction of one connection.
///
/// ```
/// length (2)  channel (2)  payload (length)
/// ```
///
/// It holds at most one packet, and so at most 65,539 bytes. The bytes of a channel that is not
/// decoded are only counted.
struct L2CAPAssembly: Sendable {
    /// The length of a packet's header in bytes.
    static let headerLength = 4

    /// The result of a fragment.
    enum Progress: Hashable, Sendable {
        /// The packet is incomplete.
        case incomplete
        /// The packet is complete, and can be removed.
        case whole
        /// The packet is complete, but its channel is not decoded.
        case passed
        /// The fragment continues no packet, or exceeds the length of its packet.
        case stray
    }

    private var bytes = ContiguousArray<UInt8>()
    /// The length of the packet in bytes, with its header; 0 until it is known.
    private var length = 0
    /// The number of received bytes of the packet.
    private var count = 0
    /// `true` if packets of dynamic channels are kept too.
    var followsDynamic = false
    /// `true` if a packet has begun and is not whole.
    private(set) var isOpen = false

    /// The length of a packet by its first bytes, with the header; `nil` without a whole length
    /// field.
    @inline(__always) static func length(of packet: Span<UInt8>) -> Int? {
        packet.littleEndian16(at: 0).map { Int($0) + headerLength }
    }

    /// Continues a packet, or begins one. A new beginning drops an unfinished packet.
    mutating func append(_ fragment: Span<UInt8>, isStart: Bool) -> Progress {
        if isStart {
            drop()
            isOpen = true
        }
        guard isOpen else { return .stray }
        if length == 0 || isFollowed {
            fragment.withUnsafeBufferPointer { bytes.append(contentsOf: $0) }
        }
        count += fragment.count
        if length == 0, count >= Self.headerLength {
            length = Self.length(of: bytes.span) ?? 0
        }
        guard length > 0 else { return .incomplete }
        if count < length {
            if !isFollowed { bytes.removeLast(max(0, bytes.count - Self.headerLength)) }
            return .incomplete
        }
        isOpen = false
        if count > length { return .stray }
        return isFollowed ? .whole : .passed
    }

    /// Drops the unfinished packet.
    mutating func drop() {
        isOpen = false
        bytes.removeAll(keepingCapacity: true)
        length = 0
        count = 0
    }

    /// Moves out the storage with the whole packet. ``restore(_:)`` moves it back.
    mutating func removePacket() -> ContiguousArray<UInt8> {
        var packet = ContiguousArray<UInt8>()
        swap(&packet, &bytes)
        return packet
    }

    /// Moves the storage back, so that the next packet needs no allocation.
    mutating func restore(_ storage: consuming ContiguousArray<UInt8>) {
        bytes = storage
        drop()
    }

    private var isFollowed: Bool {
        guard let number = bytes.span.littleEndian16(at: 2) else { return true }
        return L2CAPChannel(rawValue: number)?.isFollowed
            ?? (followsDynamic && number >= L2CAPChannel.firstDynamic)
    }
}

/// A channel with a fixed number, as assigned by the Core Specification (volume 3, part A, 2.1).
enum L2CAPChannel: UInt16, Hashable, Sendable {
    /// Signalling on a classic link.
    case signalling = 0x0001
    /// Broadcasts on a classic link.
    case connectionless = 0x0002
    /// The attribute protocol.
    case attributes = 0x0004
    /// Signalling on a low energy link.
    case lowEnergySignalling = 0x0005
    /// Pairing on a low energy link.
    case security = 0x0006
    /// Pairing on a classic link.
    case classicSecurity = 0x0007

    /// The lowest number of a dynamic channel. The two sides agree on dynamic channels.
    static let firstDynamic: UInt16 = 0x0040

    /// `true` for channels of low energy links; the others are those of classic links.
    var isLowEnergy: Bool {
        switch self {
        case .attributes, .lowEnergySignalling, .security: true
        case .signalling, .connectionless, .classicSecurity: false
        }
    }

    /// `true` for channels whose packets are decoded.
    var isFollowed: Bool {
        switch self {
        case .attributes, .lowEnergySignalling, .signalling: true
        case .connectionless, .security, .classicSecurity: false
        }
    }
}

/// The commands of the signalling channels that are decoded (volume 3, part A, 4).
///
/// ```
/// code (1)  identifier (1)  length (2)  then
/// connection request:               PSM (2)  source channel (2)
/// disconnection request:            destination channel (2)  source channel (2)
/// low energy connection request:    PSM (2)  source channel (2)  MTU (2)  MPS (2)  credits (2)
/// low energy connection response:   destination channel (2)  MTU (2)  MPS (2)  credits (2) …
/// credit based connection request:  PSM (2)  MTU (2)  MPS (2)  credits (2)  source channels (2…)
/// credit based connection response: MTU (2)  MPS (2)  credits (2)  result (2)  destinations (2…)
/// ```
///
/// By the specification, the last two open bearers of attributes. Linux (BlueZ 5.66) was seen to
/// open them one by one with the two before.
enum L2CAPCommand {
    static let connectionRequest: UInt8 = 0x02
    static let disconnectionRequest: UInt8 = 0x06
    /// A peripheral's request for other parameters of the connection.
    static let parameterUpdateRequest: UInt8 = 0x12
    static let lowEnergyConnectionRequest: UInt8 = 0x14
    static let lowEnergyConnectionResponse: UInt8 = 0x15
    static let creditBasedConnectionRequest: UInt8 = 0x17
    static let creditBasedConnectionResponse: UInt8 = 0x18

    /// The length of a command's header in bytes.
    static let headerLength = 4
    /// The offset of the channels in the parameters of a credit based request or response.
    static let channelsOffset = 8

    /// The PSM of attributes on a classic link.
    static let attributes: UInt16 = 0x001F
    /// The PSM of attributes on credit based channels.
    static let enhancedAttributes: UInt16 = 0x0027
}

/// The codes of the security manager's commands that show the role of their sender (Core
/// Specification, volume 3, part H, 3.5 and 3.6.7).
enum SecurityCommand {
    static let pairingRequest: UInt8 = 0x01
    static let pairingResponse: UInt8 = 0x02
    static let securityRequest: UInt8 = 0x0B
}
