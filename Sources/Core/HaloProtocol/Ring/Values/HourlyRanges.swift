/// The minimum and the maximum of each hour of a day.
///
///     24 × (minimum, maximum), from the ring's midnight on
///
/// 0 is "not measured".
public struct HourlyRanges: Hashable, Sendable {
    /// Eight hours each, in words: a day needs no allocation, and no more memory than its bytes.
    @usableFromInline let night, day, evening: EightHours

    /// Minimum and maximum in turn.
    @usableFromInline
    struct EightHours: Hashable, Sendable {
        @usableFromInline let low, high: UInt64

        @inlinable var bytes: InlineBytes { InlineBytes(exactly: low, high, count: 16) }

        @inlinable @inline(__always)
        init<IO: ByteIO & ~Escapable>(_ io: inout IO) {
            low = io.next(8)
            high = io.next(8)
        }
    }

    @inlinable package static var hours: Int { 24 }
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
        case 0..<8: night.bytes[2 * hour + place]
        case 8..<16: day.bytes[2 * (hour - 8) + place]
        case 16..<Self.hours: evening.bytes[2 * (hour - 16) + place]
        default: 0
        }
    }

    @inlinable
    init<IO: ByteIO & ~Escapable>(
        _ io: inout IO, _ ranges: Self?, _ quantity: BodyQuantity, _ unit: FieldUnit = .none
    ) throws(PacketError) {
        if let ranges {
            for hours in [ranges.night, ranges.day, ranges.evening] {
                _ = try io.inlineBytes(
                    "minimumAndMaximum", hours.bytes, .ranges(quantity), count: hours.bytes.count)
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
        night = EightHours(&io)
        day = EightHours(&io)
        evening = EightHours(&io)
    }

    @usableFromInline
    init(_ bytes: Span<UInt8>) {
        var reader = ByteReader(bytes, sink: IgnoringSink())
        night = EightHours(&reader)
        day = EightHours(&reader)
        evening = EightHours(&reader)
    }

    /// Those of a day without values.
    @usableFromInline static var none: HourlyRanges {
        [UInt8](repeating: 0, count: length).withSpan { Self($0) }
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
