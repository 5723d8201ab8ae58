/// Joins the fragments of the L2CAP packets in one direction of one connection.
///
/// ```
/// length (2)  channel (2)  payload (length)
/// ```
///
/// It holds at most one packet, and so at most 65,539 bytes. The bytes of a channel that is not
/// decoded are only counted.
struct L2CAPAssembly: Sendable {
    static let headerLength = 4

    enum Progress: Hashable, Sendable {
        /// No packet: not yet, or none of a channel that is decoded.
        case incomplete
        case whole
        /// The fragment continues no packet, or exceeds the length of its packet.
        case stray
    }

    private var bytes = ContiguousArray<UInt8>()
    /// The number of received bytes of the packet.
    private var count = 0
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
        if isFollowed {
            fragment.withUnsafeBufferPointer { bytes.append(contentsOf: $0) }
        }
        count += fragment.count
        guard let length = Self.length(of: bytes.span) else { return .incomplete }
        if count < length {
            if !isFollowed { bytes.removeLast(bytes.count - Self.headerLength) }
            return .incomplete
        }
        isOpen = false
        guard count == length else {
            drop()
            return .stray
        }
        return bytes.count == length ? .whole : .incomplete
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

    /// `true` if the bytes are kept: until the channel is known, and if it is decoded.
    private var isFollowed: Bool {
        guard let number = bytes.span.littleEndian16(at: 2) else { return true }
        return L2CAPChannel(rawValue: number)?.isFollowed == true
    }
}
