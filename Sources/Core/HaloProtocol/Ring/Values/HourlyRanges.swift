/// The minimum and the maximum of each hour of a day.
///
///     24 × (minimum, maximum), from the ring's midnight on
///
/// 0 is "not measured".
public struct HourlyRanges: Hashable, Sendable {
    /// Minimum and maximum in turn, eight hours in each: a day needs no allocation.
    @usableFromInline let night, day, evening: InlineBytes

    /// The number of hours in a day, 24.
    @inlinable public static var hours: Int { 24 }
    @usableFromInline static var length: Int { 2 * hours }

    /// Creates ranges from the minimum and the maximum of each of twenty-four hours.
    public init(_ hours: [(minimum: UInt8, maximum: UInt8)]) throws(ValueError) {
        try ValueError.check("hours", hours.count, in: Int64(Self.hours)...Int64(Self.hours))
        self = hours.flatMap { [$0.minimum, $0.maximum] }.withSpan { Self($0) }
    }

    /// Returns the minimum of an hour, 0 if there is none.
    public func minimum(hour: Int) -> UInt8 { value(hour, 0) }
    /// Returns the maximum of an hour, 0 if there is none.
    public func maximum(hour: Int) -> UInt8 { value(hour, 1) }

    private func value(_ hour: Int, _ place: Int) -> UInt8 {
        switch hour {
        case 0..<8: night[2 * hour + place]
        case 8..<16: day[2 * (hour - 8) + place]
        case 16..<Self.hours: evening[2 * (hour - 16) + place]
        default: 0
        }
    }

    @inlinable
    init<IO: ByteIO & ~Escapable>(
        _ io: inout IO, _ ranges: Self?, _ quantity: BodyQuantity, _ unit: FieldUnit = .none
    ) throws(PacketError) {
        if let ranges {
            for bytes in [ranges.night, ranges.day, ranges.evening] {
                _ = try io.inlineBytes(
                    "minimumAndMaximum", bytes, .ranges(quantity), count: bytes.count)
            }
            self = ranges
            return
        }
        if IO.isWatching || io.remaining < Self.length {
            self = try io.byteArray(
                "minimumAndMaximum", nil, .ranges(quantity), count: Self.length, unit
            )
            .withSpan { Self($0) }
            return
        }
        night = InlineBytes(low: io.next(8), high: io.next(8), count: 16)
        day = InlineBytes(low: io.next(8), high: io.next(8), count: 16)
        evening = InlineBytes(low: io.next(8), high: io.next(8), count: 16)
    }

    @usableFromInline
    init(_ bytes: Span<UInt8>) {
        var reader = ByteReader(bytes, sink: IgnoringSink())
        night = InlineBytes(low: reader.next(8), high: reader.next(8), count: 16)
        day = InlineBytes(low: reader.next(8), high: reader.next(8), count: 16)
        evening = InlineBytes(low: reader.next(8), high: reader.next(8), count: 16)
    }
}

#if !hasFeature(Embedded)
extension HourlyRanges: CustomReflectable {
    /// The minimum and the maximum of each hour in turn, as they were sent.
    public var customMirror: Mirror {
        let values = (0..<Self.hours).flatMap { [minimum(hour: $0), maximum(hour: $0)] }
        return Mirror(self, children: ["values": values], displayStyle: .struct)
    }
}
#endif
