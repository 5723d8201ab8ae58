/// Joins what goes one way over a channel with credits: the first packet of each unit begins with
/// the unit's length, in two bytes.
struct SegmentAssembly: Sendable {
    /// How long the length is.
    static let headerLength = 2

    private var bytes = ContiguousArray<UInt8>()
    private var length = 0
    /// Whether a unit has begun and is not whole.
    private(set) var isOpen = false

    /// Takes in the payload of a packet.
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

    /// Forgets the unit that is not whole.
    mutating func drop() {
        isOpen = false
        bytes.removeAll(keepingCapacity: true)
    }

    /// Gives away the storage with the unit that is whole; ``restore(_:)`` gives it back.
    mutating func takeUnit() -> ContiguousArray<UInt8> {
        var unit = ContiguousArray<UInt8>()
        swap(&unit, &bytes)
        return unit
    }

    /// Takes back the storage, so that the next unit needs none of its own.
    mutating func restore(_ storage: consuming ContiguousArray<UInt8>) {
        bytes = storage
        drop()
    }
}
