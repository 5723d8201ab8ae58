/// A day of something that is counted by the hour; nobody knows what.
///
///     → 7A 01 daysAgo                  01 is all that was ever sent; 0 days ago is its today
///     ← 7A 00 count minutes            count was always 5, minutes always 60
///     ← 7A 01 daysAgo 12 samples       the request's day again
///     ← 7A n  13 samples               n = 2 … 4
///     ← 7A FF                          nothing stored for that day
///
/// Seen only on R12, and every sample was 0. One source calls it sleep, which the bytes do not
/// support; blood sugar or lipids are likelier. The frames hold 51 samples, the day has 24.
public enum HourlySeries:
    SlotLogCommand, DayCommand, RequestCommand, ManyFrameCommand
{
    @inlinable public static var opcode: UInt8 { 0x7A }
    @inlinable public static var name: FieldName { "HourlySeries" }
    @inlinable public static var title: FieldName { "unidentified hourly series" }
    @inlinable public static var evidence: Evidence { .captured }
    @inlinable public static var unit: FieldUnit { .none }
    @inlinable public static var onlyReads: Bool { true }

    /// How the log says which day it is of.
    public typealias Day = DaysAgo
    /// The whole answer.
    public typealias Reply = SlotLog<HourlySeries>
    /// One frame of the answer.
    public typealias Part = SlotLogPart<HourlySeries>
    /// Joins the frames.
    public typealias Assembly = SlotLogAssembly<HourlySeries>

    /// Asks for one day.
    public struct Request: RequestPacket {
        public typealias Owner = HourlySeries

        /// Which series: ``onlyKnownKind``, until somebody finds another.
        public var kind: UInt8
        /// The wanted day.
        public var day: DaysAgo
        /// What follows; zeros so far.
        public let unclaimed: InlineBytes

        /// The kind that apps ask for.
        public static let onlyKnownKind: UInt8 = 0x01

        /// Asks for a day.
        public init(day: DaysAgo) {
            kind = Self.onlyKnownKind
            self.day = day
            unclaimed = InlineBytes()
        }

        @inlinable
        public init<Sink: FieldSink>(from reader: inout FrameReader<Sink>) throws(PacketError) {
            kind = try reader.uint8("kind")
            day = try DaysAgo(from: &reader)
            unclaimed = try reader.unclaimed()
        }

        /// Whether a frame says this day, or none.
        public func isAnswered(by frame: Frame) -> Bool {
            guard let found = HourlySeries.day(of: frame) else { return true }
            return found == day
        }

        public func encode(into writer: inout FrameWriter) {
            writer.uint8("kind", kind)
            day.encode(into: &writer)
            writer.unclaimed(unclaimed)
        }
    }
}
