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

    /// A reading.
    @inlinable @inline(__always)
    public init(x: Axis, y: Axis, z: Axis) {
        self.x = x
        self.y = y
        self.z = z
    }

    /// The acceleration along x in multiples of the earth's.
    @inlinable public var gX: Double { x.g }
    /// The acceleration along y in multiples of the earth's.
    @inlinable public var gY: Double { y.g }
    /// The acceleration along z in multiples of the earth's.
    @inlinable public var gZ: Double { z.g }

    @inlinable @inline(__always)
    init<Sink: FieldSink>(from reader: inout FrameReader<Sink>) throws(PacketError) {
        y = try Axis("y", from: &reader)
        z = try Axis("z", from: &reader)
        x = try Axis("x", from: &reader)
    }

    @inlinable @inline(__always)
    func encode(into writer: inout FrameWriter) {
        writer.uint16BigEndian("y", y.bytes)
        writer.uint16BigEndian("z", z.bytes)
        writer.uint16BigEndian("x", x.bytes)
    }

    /// A signed number of twelve bits, spread over two bytes.
    @frozen
    public struct Axis: Hashable, Sendable {
        /// The two bytes, the first one higher.
        ///
        /// The high half of the second byte belongs to no number; it is kept as it came.
        @usableFromInline let bytes: UInt16

        /// How many counts are the earth's acceleration.
        @inlinable public static var countsPerG: Int { 512 }

        @inlinable @inline(__always)
        init(bytes: UInt16) {
            self.bytes = bytes
        }

        /// A reading of −2048 to 2047 counts.
        public init(counts: Int) throws(ValueError) {
            guard -2048...2047 ~= counts else {
                throw ValueError("counts", allowed: -2048...2047, found: Int64(counts))
            }
            let bits = UInt16(truncatingIfNeeded: counts)
            bytes = (bits & 0x0FF0) << 4 | bits & 0x000F
        }

        /// The number as the sensor counts: 512 is the earth's acceleration.
        @inlinable public var counts: Int16 {
            let bits = bytes &>> 4 & 0x0FF0 | bytes & 0x000F
            return Int16(bitPattern: bits &<< 4) &>> 4
        }

        /// The acceleration in multiples of the earth's.
        @inlinable public var g: Double { Double(counts) / Double(Self.countsPerG) }

        @inlinable @inline(__always)
        init<Sink: FieldSink>(
            _ name: FieldName, from reader: inout FrameReader<Sink>
        ) throws(PacketError) {
            self.init(bytes: try reader.uint16BigEndian(name))
            let axis = self
            reader.means { axis.description }
        }
    }
}

extension Acceleration.Axis: CustomStringConvertible {
    /// `-77 (-0.15 g)`.
    public var description: String {
        let hundredths = Int(counts) * 100 / Self.countsPerG
        return "\(counts) (\(DecimalText.hundredths(hundredths)) g)"
    }
}
