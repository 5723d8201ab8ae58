/// The lowest and the highest value of each hour of a day.
///
///     24 × (least, most), from the ring's midnight on
///
/// 0 is "not measured".
public struct HourlyRanges: Hashable, Sendable {
    /// Least and most in turn: 48 bytes.
    let values: [UInt8]

    /// How many hours there are.
    public static let hours = 24
    static let length = 2 * hours

    /// The lowest and the highest value of each of twenty-four hours.
    public init(_ hours: [(least: UInt8, most: UInt8)]) throws(ValueError) {
        guard hours.count == Self.hours else {
            throw ValueError(
                "hours", allowed: Int64(Self.hours)...Int64(Self.hours),
                found: Int64(hours.count))
        }
        values = hours.flatMap { [$0.least, $0.most] }
    }

    /// The lowest value of an hour, 0 if there is none.
    public func least(hour: Int) -> UInt8 { value(hour, 0) }
    /// The highest value of an hour, 0 if there is none.
    public func most(hour: Int) -> UInt8 { value(hour, 1) }

    private func value(_ hour: Int, _ place: Int) -> UInt8 {
        0..<Self.hours ~= hour ? values[2 * hour + place] : 0
    }

    init<Sink: FieldSink>(
        from reader: inout ByteReader<Sink>, _ unit: FieldUnit
    ) throws(PacketError) {
        values = try reader.byteArray("leastAndMost", count: Self.length, unit)
    }

    func encode(into writer: inout ByteWriter) {
        writer.byteArray("leastAndMost", values)
    }
}
