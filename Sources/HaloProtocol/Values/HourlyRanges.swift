/// The lowest and the highest value of each hour of a day.
///
///     24 × (least, most), from the ring's midnight on
///
/// 0 is "not measured".
public struct HourlyRanges: Hashable, Sendable {
    /// Least and most in turn, eight hours each: none of the many days of a record asks for memory.
    private let night, day, evening: InlineBytes

    /// How many hours there are.
    @inlinable public static var hours: Int { 24 }
    @usableFromInline static var length: Int { 2 * hours }

    /// The lowest and the highest value of each of twenty-four hours.
    public init(_ hours: [(least: UInt8, most: UInt8)]) throws(ValueError) {
        guard hours.count == Self.hours else {
            throw ValueError(
                "hours", allowed: Int64(Self.hours)...Int64(Self.hours),
                found: Int64(hours.count))
        }
        self = hours.flatMap { [$0.least, $0.most] }.withSpan { Self($0) }
    }

    /// The lowest value of an hour, 0 if there is none.
    public func least(hour: Int) -> UInt8 { value(hour, 0) }
    /// The highest value of an hour, 0 if there is none.
    public func most(hour: Int) -> UInt8 { value(hour, 1) }

    private func value(_ hour: Int, _ place: Int) -> UInt8 {
        switch hour {
        case 0..<8: night[2 * hour + place]
        case 8..<16: day[2 * (hour - 8) + place]
        case 16..<Self.hours: evening[2 * (hour - 16) + place]
        default: 0
        }
    }

    @inlinable
    init<Sink: FieldSink>(
        from reader: inout ByteReader<Sink>, _ unit: FieldUnit
    ) throws(PacketError) {
        self = try reader.run("leastAndMost", count: Self.length, unit) { Self($0) }
    }

    @usableFromInline
    init(_ bytes: Span<UInt8>) {
        var reader = ByteReader(bytes, sink: IgnoringSink())
        night = InlineBytes(low: reader.take(8), high: reader.take(8), count: 16)
        day = InlineBytes(low: reader.take(8), high: reader.take(8), count: 16)
        evening = InlineBytes(low: reader.take(8), high: reader.take(8), count: 16)
    }

    func encode(into writer: inout ByteWriter) {
        for bytes in [night, day, evening] {
            writer.inlineBytes("leastAndMost", bytes, count: bytes.count)
        }
    }
}

#if !hasFeature(Embedded)
extension HourlyRanges: CustomReflectable {
    /// The lowest and the highest value of each hour in turn, as they were sent.
    public var customMirror: Mirror {
        let values = (0..<Self.hours).flatMap { [least(hour: $0), most(hour: $0)] }
        return Mirror(self, children: ["values": values], displayStyle: .struct)
    }
}
#endif
