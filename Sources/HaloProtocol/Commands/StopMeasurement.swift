/// Ends a ``RealtimeMeasurement``.
///
///     → 6A quantity value              value: what the vendor's app shows; others send 0
///     ← 6A quantity value              the ring's own last value for the heart rate and blood
///                                      oxygen, 0 for stress and variability
///
/// One more report may come before the answer; some rings never answer.
public enum StopMeasurement: RequestCommand, SingleReplyCommand {
    @inlinable public static var opcode: UInt8 { 0x6A }
    @inlinable public static var name: FieldName { "StopMeasurement" }
    @inlinable public static var title: FieldName { "end of a measurement" }
    @inlinable public static var evidence: Evidence { .captured }

    /// Ends a measurement.
    public struct Request: RequestPacket {
        public typealias Owner = StopMeasurement

        /// What is being measured.
        public var quantity: RealtimeMeasurement.Quantity
        /// The value that the app shows; what the ring does with it is not known.
        public var value: UInt8
        /// What follows; zeros so far.
        public let unclaimed: InlineBytes

        /// Ends a measurement.
        @inlinable @inline(__always)
        public init(_ quantity: RealtimeMeasurement.Quantity, value: UInt8 = 0) {
            self.quantity = quantity
            self.value = value
            unclaimed = InlineBytes()
        }

        @inlinable @inline(__always)
        public init<Sink: FieldSink>(from reader: inout FrameReader<Sink>) throws(PacketError) {
            quantity = try reader.code("quantity")
            value = try reader.uint8(
                "value", Sink.isWatching ? Reported(quantity).unit : .none)
            unclaimed = try reader.unclaimed()
        }

        /// The end of another measurement is not the end of this one.
        public func isAnswered(by frame: Frame) -> Bool {
            guard let reply = try? Reply(decoding: frame) else { return true }
            return reply.quantity == quantity
        }

        @inlinable @inline(__always)
        public func encode(into writer: inout FrameWriter) {
            writer.code("quantity", quantity)
            writer.uint8("value", value)
            writer.unclaimed(unclaimed)
        }
    }

    /// The measurement has ended.
    public struct Reply: ReplyPacket {
        public typealias Owner = StopMeasurement

        /// What was being measured.
        public var quantity: Reported<RealtimeMeasurement.Quantity>
        /// The last value, where the ring says one.
        public var value: UInt8
        /// What follows; zeros so far.
        public let unclaimed: InlineBytes

        /// The end of a measurement.
        @inlinable @inline(__always)
        public init(_ quantity: RealtimeMeasurement.Quantity, value: UInt8 = 0) {
            self.quantity = Reported(quantity)
            self.value = value
            unclaimed = InlineBytes()
        }

        @inlinable @inline(__always)
        public init<Sink: FieldSink>(from reader: inout FrameReader<Sink>) throws(PacketError) {
            quantity = try reader.reported("quantity")
            value = try reader.uint8("value", Sink.isWatching ? quantity.unit : .none)
            unclaimed = try reader.unclaimed()
        }

        @inlinable @inline(__always)
        public func encode(into writer: inout FrameWriter) {
            writer.reported("quantity", quantity)
            writer.uint8("value", value)
            writer.unclaimed(unclaimed)
        }
    }
}
