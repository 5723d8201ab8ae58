/// One reading of a ring's accelerometer, as ``RawSensors`` sends it.
///
///     y z x                            2 bytes each; see ``RawSensors``
///
/// Rings have two forms of the numbers, and a frame does not say which it is. In twelve bits the
/// high half of each second byte is zero; in sixteen bits that is so of all three numbers by
/// chance only, once in some four thousand frames, and the difference is then below 0.03 g.
public struct Acceleration: Hashable, Sendable {
    /// The three numbers as they were sent, the first one on the wire first.
    @usableFromInline let first, second, third: UInt16

    /// Creates a reading of numbers of twelve bits: −2048 to 2047 counts, 512 a g.
    package init(x: Int, y: Int, z: Int) throws(ValueError) {
        func bytes(_ counts: Int) throws(ValueError) -> UInt16 {
            try ValueError.check("counts", counts, in: -2048...2047)
            let bits = UInt16(truncatingIfNeeded: counts)
            return (bits & 0x0FF0) << 4 | bits & 0x000F
        }
        (first, second, third) = (try bytes(y), try bytes(z), try bytes(x))
    }

    /// Creates a reading of numbers of sixteen bits, 8192 a g. One that could be read as twelve
    /// bits is changed by less than 0.002 g.
    package init(wide x: Int16, y: Int16, z: Int16) {
        (first, second) = (UInt16(bitPattern: y), UInt16(bitPattern: z))
        let third = UInt16(bitPattern: x)
        let isNarrow = Self.isNarrow(first, second, third)
        self.third = isNarrow ? third | Self.lowestWideBit : third
    }

    @inlinable @inline(__always)
    init<IO: FrameIO>(_ io: inout IO, _ packet: Self?) throws(PacketError) {
        let isNarrow = IO.isWatching && io.upcomingBytes & Self.wideBits == 0
        @inline(__always)
        func axis(
            _ name: FieldName, _ io: inout IO, _ bytes: UInt16?
        ) throws(PacketError) -> UInt16 {
            let bytes = try io.uint16(name, bytes, .axis, isBigEndian: true)
            io.means { Axis(bytes, isNarrow: isNarrow).description }
            return bytes
        }
        first = try axis("y", &io, packet?.first)
        second = try axis("z", &io, packet?.second)
        third = try axis("x", &io, packet?.third)
    }

    /// The first axis on the wire.
    @inlinable public var y: Axis { Axis(first, isNarrow: isNarrow) }
    /// The second axis on the wire.
    @inlinable public var z: Axis { Axis(second, isNarrow: isNarrow) }
    /// The third axis on the wire.
    @inlinable public var x: Axis { Axis(third, isNarrow: isNarrow) }

    @inlinable var isNarrow: Bool { Self.isNarrow(first, second, third) }

    /// Returns `true` for three numbers of twelve bits.
    @inlinable
    static func isNarrow(_ first: UInt16, _ second: UInt16, _ third: UInt16) -> Bool {
        (first | second | third) & 0x00F0 == 0
    }

    /// The bits of the next six bytes that are zero in numbers of twelve bits.
    @usableFromInline static var wideBits: UInt64 { 0xF000_F000_F000 }
    private static var lowestWideBit: UInt16 { 0x0010 }

    /// A signed number of twelve or sixteen bits.
    @frozen
    public struct Axis: Hashable, Sendable, CustomStringConvertible {
        /// The acceleration in counts.
        public let counts: Int16
        /// The counts of 1 g: 512 or 8192.
        public let countsPerG: Int

        @inlinable package static var narrowCountsPerG: Int { 512 }
        @inlinable package static var wideCountsPerG: Int { 8192 }

        @inlinable
        init(_ bytes: UInt16, isNarrow: Bool) {
            let bits = bytes &>> 4 & 0x0FF0 | bytes & 0x000F
            counts = isNarrow ? Int16(bitPattern: bits &<< 4) &>> 4 : Int16(bitPattern: bytes)
            countsPerG = isNarrow ? Self.narrowCountsPerG : Self.wideCountsPerG
        }

        /// The acceleration in g, the earth's acceleration.
        @inlinable public var g: Double { Double(counts) / Double(countsPerG) }

        /// The counts and the acceleration: `-77 (-0.15 g)`.
        public var description: String {
            let hundredths = Int(counts) * 100 / countsPerG
            return "\(counts) (\(DecimalText.hundredths(hundredths)) g)"
        }
    }
}
