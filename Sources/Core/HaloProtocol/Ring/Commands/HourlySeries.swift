/// Hourly values of a day; their meaning is not known.
///
///     → 7A 01 daysAgo                  only 01 was ever sent; daysAgo 0 is the ring's today
///     ← 7A 00 partCount minutesPerSample    always 5 and 60
///     ← 7A 01 daysAgo 12 samples       the request's day again
///     ← 7A n  13 samples               n = 2 … 4
///     ← 7A FF                          no data for that day
///
/// Seen only on R12, and every sample was 0. One source calls it sleep, which the bytes do not
/// support; blood sugar or lipids are likelier. The frames hold 51 samples, the day has 24.
public enum HourlySeries: SlotLogCommand {
    @inlinable public static var facts: CommandFacts {
        CommandFacts(0x7A, "HourlySeries", "unidentified hourly series", .captured, onlyReads: true)
    }
    @inlinable public static var unit: FieldUnit { .none }
    @inlinable public static var quantity: BodyQuantity { .stress }

    /// A request for one day.
    public struct Request: RequestPacket {
        public typealias Owner = HourlySeries

        /// The series; only 01 is known.
        @usableFromInline package var kind: UInt8
        public var day: DaysAgo
        @usableFromInline package var unclaimed = InlineBytes()

        @usableFromInline package static let onlyKnownKind: UInt8 = 0x01

        public init(day: DaysAgo) {
            kind = Self.onlyKnownKind
            self.day = day
        }

        @inlinable
        public init<IO: FrameIO>(_ io: inout IO, _ packet: Self?) throws(PacketError) {
            kind = try io.uint8("kind", packet?.kind, .open)
            day = try DaysAgo(&io, packet?.day)
            unclaimed = try io.unclaimed(packet?.unclaimed)
        }

        /// Accepts frames of this day, and those without a day.
        public func isAnswered(by frame: Frame) -> Bool {
            HourlySeries.day(of: frame) ?? day == day
        }
    }
}
