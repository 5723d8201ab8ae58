/// A date in binary-coded decimal: year since 2000, month and day.
///
/// Rings also send bytes that are no date: three zeros for "unset", or the year 00 from firmware
/// without a year. The bytes are kept, and ``date`` is `nil` if they are no date.
@frozen
public struct DecimalDate: Hashable, Sendable, CustomStringConvertible {
    /// The byte of the year since 2000.
    @usableFromInline package var year: UInt8
    @usableFromInline package var month: UInt8
    @usableFromInline package var day: UInt8

    /// An unset date, three zeros.
    package static let unset = DecimalDate(year: 0, month: 0, day: 0)

    @inlinable @inline(__always)
    init(year: UInt8, month: UInt8, day: UInt8) {
        self.year = year
        self.month = month
        self.day = day
    }

    /// Creates a date from 2000 to 2099.
    public init(_ date: CivilDate) throws(ValueError) {
        try ValueError.check("year", date.year, in: 2000...2099)
        year = BinaryCodedDecimal.byte(date.year - 2000)
        month = BinaryCodedDecimal.byte(date.month)
        day = BinaryCodedDecimal.byte(date.day)
    }

    /// The date, or `nil` if the bytes are no date.
    public var date: CivilDate? {
        guard let year = BinaryCodedDecimal.number(year),
            let month = BinaryCodedDecimal.number(month),
            let day = BinaryCodedDecimal.number(day)
        else { return nil }
        return try? CivilDate(year: 2000 + year, month: month, day: day)
    }

    /// The date, `unset`, or the bytes.
    public var description: String {
        if let date { return date.description }
        return self == .unset ? "unset" : HexText.bytes([year, month, day], separator: "-")
    }
}

extension FieldIO where Self: ~Escapable {
    /// Year, month and day in binary-coded decimal; invalid bytes are kept.
    @inlinable @inline(__always)
    public mutating func decimalDate(
        _ name: FieldName, _ value: DecimalDate?
    ) throws(PacketError) -> DecimalDate {
        // The swap takes back that of the big-endian number: both go.
        let bytes =
            try integer(
                name,
                value.map { UInt64($0.year) &<< 16 | UInt64($0.month) &<< 8 | UInt64($0.day) },
                width: 3, isBigEndian: true, role: .value,
                secrecy: .decimalDate, unit: .none
            ).byteSwapped &>> 40
        let date = DecimalDate(
            year: UInt8(truncatingIfNeeded: bytes), month: UInt8(truncatingIfNeeded: bytes &>> 8),
            day: UInt8(truncatingIfNeeded: bytes &>> 16))
        means { date.description }
        return date
    }

    /// Year since 2000, month, day, hour, minute and second in binary-coded decimal; bytes that are
    /// no date and time are an error.
    @inlinable @inline(__always)
    public mutating func decimalDateTime(
        _ name: FieldName, _ value: CivilDateTime?
    ) throws(PacketError) -> CivilDateTime {
        let start = offset
        let bytes = try integer(
            name, value.map { DecimalDateTime.bytes($0) }, width: 6, isBigEndian: true,
            role: .value,
            secrecy: .decimalDate, unit: .none)
        if let value { return value }
        let time = try DecimalDateTime.time(bytes, name, at: start)
        means { time.description }
        return time
    }
}
