/// Ends a ``RealtimeMeasurement``.
///
///     → 6A quantity value              value: the one that the vendor's app shows; others send 0
///     ← 6A quantity value              the ring's own last value for the heart rate and blood
///                                      oxygen, 0 for stress and variability
///
/// One more report may come before the reply; some rings never reply.
public enum StopMeasurement: RequestCommand, SingleReplyCommand {
    @inlinable public static var facts: CommandFacts {
        CommandFacts(0x6A, "StopMeasurement", "end of a measurement", .captured)
    }

    /// A request to end a measurement.
    @frozen
    public struct Request: RequestPacket {
        public typealias Owner = StopMeasurement

        public var quantity: RealtimeMeasurement.Quantity
        /// The value that the app shows; its use in the ring is not known.
        public var value: UInt8
        @usableFromInline package var unclaimed = InlineBytes()

        @inlinable @inline(__always)
        public init(_ quantity: RealtimeMeasurement.Quantity, value: UInt8 = 0) {
            self.quantity = quantity
            self.value = value
        }

        @inlinable @inline(__always)
        public init<IO: FrameIO>(_ io: inout IO, _ packet: Self?) throws(PacketError) {
            quantity = try io.code("quantity", packet?.quantity, .open)
            value = try io.uint8(
                "value", packet?.value, IO.isWatching ? Reported(quantity).facts.value : .measured,
                IO.isWatching ? Reported(quantity).facts.unit : .none)
            unclaimed = try io.unclaimed(packet?.unclaimed)
        }

        /// Accepts the end of this quantity, and frames that cannot be decoded.
        public func isAnswered(by frame: Frame) -> Bool {
            guard let reply = try? Reply(decoding: frame) else { return true }
            return reply.quantity == quantity
        }
    }

    /// The end of a measurement.
    @frozen
    public struct Reply: ReplyPacket {
        public typealias Owner = StopMeasurement

        public var quantity: Reported<RealtimeMeasurement.Quantity>
        /// The last value; 0 for quantities whose value the ring does not repeat.
        public var value: UInt8
        @usableFromInline package var unclaimed = InlineBytes()

        package init(_ quantity: RealtimeMeasurement.Quantity, value: UInt8 = 0) {
            self.quantity = Reported(quantity)
            self.value = value
        }

        @inlinable @inline(__always)
        public init<IO: FrameIO>(_ io: inout IO, _ packet: Self?) throws(PacketError) {
            quantity = try io.reported("quantity", packet?.quantity, .open)
            value = try io.uint8(
                "value", packet?.value, IO.isWatching ? quantity.facts.value : .measured,
                IO.isWatching ? quantity.facts.unit : .none)
            unclaimed = try io.unclaimed(packet?.unclaimed)
        }
    }
}
