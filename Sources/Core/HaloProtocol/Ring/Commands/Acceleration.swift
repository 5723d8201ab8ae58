/// One reading of a ring's accelerometer, as ``RawSensors`` sends it.
///
///     y z x                            2 bytes each; see ``RawSensors``
public struct Acceleration: Hashable, Sendable {
    /// The first axis on the wire.
    public var y: Axis
    /// The second axis on the wire.
    public var z: Axis
    /// The third axis on the wire.
    public var x: Axis

    package init(x: Axis, y: Axis, z: Axis) {
        self.x = x
        self.y = y
        self.z = z
    }

    @inlinable @inline(__always)
    init<IO: FrameIO>(_ io: inout IO, _ packet: Self?) throws(PacketError) {
        y = try Axis("y", &io, packet?.y)
        z = try Axis("z", &io, packet?.z)
        x = try Axis("x", &io, packet?.x)
    }

    /// A signed number of twelve bits, spread over two bytes.
    @frozen
    public struct Axis: Hashable, Sendable, CustomStringConvertible {
        /// The two bytes, the first one higher.
        ///
        /// The high half of the second byte is no part of the number; it is kept as it was sent.
        @usableFromInline let bytes: UInt16

        @inlinable package static var countsPerG: Int { 512 }

        /// Creates a reading of −2048 to 2047 counts.
        package init(counts: Int) throws(ValueError) {
            try ValueError.check("counts", counts, in: -2048...2047)
            let bits = UInt16(truncatingIfNeeded: counts)
            bytes = (bits & 0x0FF0) << 4 | bits & 0x000F
        }

        /// The acceleration in counts: 512 is 1 g.
        @inlinable public var counts: Int16 {
            let bits = bytes &>> 4 & 0x0FF0 | bytes & 0x000F
            return Int16(bitPattern: bits &<< 4) &>> 4
        }

        /// The acceleration in g, the earth's acceleration.
        @inlinable public var g: Double { Double(counts) / Double(Self.countsPerG) }

        @inlinable @inline(__always)
        init<IO: FrameIO>(
            _ name: FieldName, _ io: inout IO, _ axis: Self?
        ) throws(PacketError) {
            bytes = try io.uint16(name, axis?.bytes, .axis, isBigEndian: true)
            let axis = self
            io.means { axis.description }
        }

        /// The counts and the acceleration: `-77 (-0.15 g)`.
        public var description: String {
            let hundredths = Int(counts) * 100 / Self.countsPerG
            return "\(counts) (\(DecimalText.hundredths(hundredths)) g)"
        }
    }
}
