/// Joins the fragments of the L2CAP packets that go one way over one connection.
///
/// ```
/// length (2)  channel (2)  payload (length)
/// ```
///
/// It holds one packet at most, and so never more than 65,539 bytes. Of a channel that nobody
/// follows it only counts them.
struct L2CAPAssembly: Sendable {
    /// How long the header of a packet is.
    static let headerLength = 4

    /// What came of a fragment.
    enum Progress: Hashable, Sendable {
        /// It was not the last one.
        case incomplete
        /// The packet is whole, and can be taken out.
        case whole
        /// The packet is over, and is of a channel that nobody follows.
        case passed
        /// There was nothing to continue, or more came than the packet's length says.
        case stray
    }

    private var bytes = ContiguousArray<UInt8>()
    /// How long the packet will be; 0 until that is known.
    private var length = 0
    /// How much of the packet has come.
    private var count = 0
    /// Whether packets of channels that the two sides agree on are kept too.
    var followsDynamic = false
    /// Whether a packet has begun and is not whole.
    private(set) var isOpen = false

    /// How long the packet is that begins so, with its header, if its header says so yet.
    @inline(__always) static func length(of packet: Span<UInt8>) -> Int? {
        packet.littleEndian16(at: 0).map { Int($0) + headerLength }
    }

    /// Begins a packet; what was not whole until then is gone.
    mutating func begin(_ fragment: Span<UInt8>) -> Progress {
        drop()
        isOpen = true
        return append(fragment)
    }

    /// Continues a packet.
    mutating func append(_ fragment: Span<UInt8>) -> Progress {
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

    /// Forgets the packet that is not whole.
    mutating func drop() {
        isOpen = false
        bytes.removeAll(keepingCapacity: true)
        length = 0
        count = 0
    }

    /// Gives away the storage with the packet that is whole; ``restore(_:)`` gives it back.
    mutating func takePacket() -> ContiguousArray<UInt8> {
        var packet = ContiguousArray<UInt8>()
        swap(&packet, &bytes)
        return packet
    }

    /// Takes back the storage, so that the next packet needs none of its own.
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

/// A channel with a fixed number, as the Core Specification (volume 3, part A, 2.1) assigns them.
enum L2CAPChannel: UInt16, Hashable, Sendable {
    /// What the two sides of a classic link agree on.
    case signalling = 0x0001
    /// Broadcasts on a classic link.
    case connectionless = 0x0002
    /// The attribute protocol.
    case attributes = 0x0004
    /// What the two sides of a low energy link agree on.
    case lowEnergySignalling = 0x0005
    /// Pairing on a low energy link.
    case security = 0x0006
    /// Pairing on a classic link.
    case classicSecurity = 0x0007

    /// The first number that the two sides can agree on for a channel.
    static let firstDynamic: UInt16 = 0x0040

    /// Whether only low energy links have it; else only classic ones do.
    var isLowEnergy: Bool {
        switch self {
        case .attributes, .lowEnergySignalling, .security: true
        case .signalling, .connectionless, .classicSecurity: false
        }
    }

    /// Whether what goes over it is looked into.
    var isFollowed: Bool {
        switch self {
        case .attributes, .lowEnergySignalling, .signalling: true
        case .connectionless, .security, .classicSecurity: false
        }
    }
}

/// The commands of the signalling channels that are looked at (volume 3, part A, 4).
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
/// The specification opens bearers of attributes with the last two; Linux (BlueZ 5.66) was seen
/// to open them one by one with the two before.
enum L2CAPCommand {
    static let connectionRequest: UInt8 = 0x02
    static let disconnectionRequest: UInt8 = 0x06
    static let lowEnergyConnectionRequest: UInt8 = 0x14
    static let lowEnergyConnectionResponse: UInt8 = 0x15
    static let creditBasedConnectionRequest: UInt8 = 0x17
    static let creditBasedConnectionResponse: UInt8 = 0x18

    /// How long the header of a command is.
    static let headerLength = 4
    /// Where the channels begin in the parameters of a credit based request or response.
    static let channelsOffset = 8

    /// Whom a connection is for: attributes on a classic link.
    static let attributes: UInt16 = 0x001F
    /// Attributes on credit based channels.
    static let enhancedAttributes: UInt16 = 0x0027
}
