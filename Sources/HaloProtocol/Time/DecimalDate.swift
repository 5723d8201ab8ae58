/// A date as rings write it: year since 2000, month and day, two decimal digits each.
///
/// Rings also send what is no date: three zeros for "unset", year 00 on firmware that forgot it.
/// So the bytes are kept as they are, and ``date`` says what they mean where they mean a day.
@frozen
public struct DecimalDate: Hashable, Sendable {
    /// Year since 2000, as it was sent.
    public var year: UInt8
    /// Month, as it was sent.
    public var month: UInt8
    /// Day of the month, as it was sent.
    public var day: UInt8

    /// The three bytes of an unset date.
    public static let unset = DecimalDate(year: 0, month: 0, day: 0)

    @inlinable @inline(__always)
    init(year: UInt8, month: UInt8, day: UInt8) {
        self.year = year
        self.month = month
        self.day = day
    }

    /// A date of the years 2000 to 2099.
    public init(_ date: CivilDate) throws(ValueError) {
        guard 2000...2099 ~= date.year else {
            throw ValueError("year", allowed: 2000...2099, found: Int64(date.year))
        }
        year = BinaryCodedDecimal.byte(date.year - 2000)
        month = BinaryCodedDecimal.byte(date.month)
        day = BinaryCodedDecimal.byte(date.day)
    }

    /// The day, if the bytes are one.
    public var date: CivilDate? {
        guard let year = BinaryCodedDecimal.number(year),
            let month = BinaryCodedDecimal.number(month),
            let day = BinaryCodedDecimal.number(day)
        else { return nil }
        return try? CivilDate(year: 2000 + year, month: month, day: day)
    }

    /// Whether all three bytes are zero.
    public var isUnset: Bool { self == .unset }
}

extension DecimalDate: CustomStringConvertible {
    /// The day, `unset`, or the bytes that are neither.
    public var description: String {
        if let date { return date.description }
        return isUnset ? "unset" : HexText.bytes([year, month, day], separator: "-")
    }
}

extension FieldReader where Self: ~Escapable {
    /// Year, month and day in decimal digits; whatever they are is kept.
    @inlinable @inline(__always)
    public mutating func decimalDate(_ name: FieldName) throws(PacketError) -> DecimalDate {
        let bytes = try integer(name, width: 3, isBigEndian: true).byteSwapped &>> 40
        let date = DecimalDate(
            year: UInt8(truncatingIfNeeded: bytes),
            month: UInt8(truncatingIfNeeded: bytes &>> 8),
            day: UInt8(truncatingIfNeeded: bytes &>> 16))
        means { date.description }
        return date
    }
}

extension FieldWriter {
    /// Year, month and day in decimal digits.
    @inlinable @inline(__always)
    public mutating func decimalDate(_ name: FieldName, _ date: DecimalDate) {
        put(UInt64(date.year), width: 1)
        put(UInt64(date.month), width: 1)
        put(UInt64(date.day), width: 1)
    }
}
