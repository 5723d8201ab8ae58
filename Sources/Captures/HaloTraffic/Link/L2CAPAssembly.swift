/// Joins the fragments of the L2CAP packets in one direction of one connection, or the payloads of
/// the packets of a channel with credits to units (SDUs).
///
/// ```
/// packet:  length (2)  channel (2)  payload (length)
/// unit:    length (2)  payload (length)
/// ```
///
/// It holds at most one packet, and so at most 65,539 bytes. The bytes of a channel that is not
/// decoded are only counted.
struct L2CAPAssembly: Sendable {
    static let headerLength = 4
    static let unitHeaderLength = 2

    enum Progress: Hashable, Sendable {
        case incomplete
        case whole
        /// The packet is complete, but its channel is not decoded, or was not when it began.
        case passed
        /// The fragment continues no packet, or exceeds the length of its packet.
        case stray
    }

    private let headerLength: Int
    private var bytes = ContiguousArray<UInt8>()
    /// The number of received bytes of the packet.
    private var count = 0
    /// `true` if packets of dynamic channels are kept too.
    var followsDynamic = false
    private(set) var isOpen = false

    init(headerLength: Int = Self.headerLength) {
        self.headerLength = headerLength
    }

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
        if isFollowed {
            fragment.withUnsafeBufferPointer { bytes.append(contentsOf: $0) }
        }
        count += fragment.count
        guard let number = bytes.span.littleEndian16(at: 0) else { return .incomplete }
        let length = Int(number) + headerLength
        if count < length {
            if !isFollowed { bytes.removeLast(bytes.count - Self.headerLength) }
            return .incomplete
        }
        isOpen = false
        guard count == length else {
            drop()
            return .stray
        }
        return bytes.count == length ? .whole : .passed
    }

    mutating func drop() {
        isOpen = false
        bytes.removeAll(keepingCapacity: true)
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

    /// `true` if the bytes are kept: those of a unit; those of a packet until the channel is known,
    /// and if it is decoded.
    private var isFollowed: Bool {
        guard headerLength == Self.headerLength, let number = bytes.span.littleEndian16(at: 2)
        else { return true }
        return L2CAPChannel(rawValue: number)?.isFollowed
            ?? (followsDynamic && number >= L2CAPChannel.firstDynamic)
    }
}
