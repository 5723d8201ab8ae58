/// A bearer of the attribute protocol on its own channel with credits (Enhanced ATT). Several such
/// channels can have pending requests at once, so each has its own decoder.
struct EnhancedBearer<Attributes: AttributeDecoder>: Sendable {
    /// The channel number in packets to the controller, assigned by the other side.
    let outwardChannel: UInt16
    /// The channel number in packets to the host, assigned by this side.
    let inwardChannel: UInt16
    var outward = SegmentAssembly()
    var inward = SegmentAssembly()
    var attributes = Attributes()
}

/// Joins the units (SDUs) of one direction of a channel with credits. The first packet of each unit
/// begins with the unit's length, in two bytes.
struct SegmentAssembly: Sendable {
    /// The length of the length field in bytes.
    static let headerLength = 2

    private var bytes = ContiguousArray<UInt8>()
    private var length = 0
    /// `true` if a unit has begun and is not whole.
    private(set) var isOpen = false

    /// Appends the payload of a packet.
    mutating func append(_ payload: Span<UInt8>) -> L2CAPAssembly.Progress {
        var rest = payload
        if !isOpen {
            guard let length = payload.littleEndian16(at: 0) else { return .stray }
            self.length = Int(length)
            isOpen = true
            rest = payload.extracting(droppingFirst: Self.headerLength)
        }
        guard rest.count <= length - bytes.count else {
            drop()
            return .stray
        }
        rest.withUnsafeBufferPointer { bytes.append(contentsOf: $0) }
        if bytes.count < length { return .incomplete }
        isOpen = false
        return .whole
    }

    /// Drops the unit that is not whole.
    mutating func drop() {
        isOpen = false
        bytes.removeAll(keepingCapacity: true)
    }

    /// Moves out the storage with the whole unit; ``restore(_:)`` moves it back.
    mutating func removeUnit() -> ContiguousArray<UInt8> {
        var unit = ContiguousArray<UInt8>()
        swap(&unit, &bytes)
        return unit
    }

    /// Moves the storage back, so that the next unit needs no allocation.
    mutating func restore(_ storage: consuming ContiguousArray<UInt8>) {
        bytes = storage
        drop()
    }
}
