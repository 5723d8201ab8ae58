/// A date and a time of the years 2000 to 2099, in six bytes of two decimal digits each.
@usableFromInline
enum DecimalDateTime {
    static var years: ClosedRange<Int> { 2000...2099 }

    /// Refuses a moment whose year has no two digits.
    @usableFromInline
    static func check(_ time: CivilDateTime) throws(ValueError) {
        let year = time.date.year
        guard years.contains(year) else {
            throw ValueError(
                "year", allowed: Int64(years.lowerBound)...Int64(years.upperBound),
                found: Int64(year))
        }
    }

    /// The moment that six bytes spell, the year's byte highest.
    @usableFromInline
    static func time(
        _ bytes: UInt64, _ name: FieldName, at offset: Int
    ) throws(PacketError) -> CivilDateTime {
        let year = try digits(bytes, 5, name, at: offset)
        let month = try digits(bytes, 4, name, at: offset)
        let day = try digits(bytes, 3, name, at: offset)
        let hour = try digits(bytes, 2, name, at: offset)
        let minute = try digits(bytes, 1, name, at: offset)
        let second = try digits(bytes, 0, name, at: offset)
        do throws(ValueError) {
            return CivilDateTime(
                try CivilDate(year: years.lowerBound + year, month: month, day: day),
                try CivilTime(hour: hour, minute: minute, second: second))
        } catch {
            throw PacketError(.noSuchTime, field: name, at: offset, found: error.found)
        }
    }

    /// The six bytes that spell a moment, the year's byte highest.
    @usableFromInline
    static func bytes(_ time: CivilDateTime) -> UInt64 {
        let date = time.date
        let clock = time.time
        var bytes: UInt64 = 0
        for number in [
            date.year - years.lowerBound, date.month, date.day, clock.hour, clock.minute,
            clock.second,
        ] {
            bytes = bytes &<< 8 | UInt64(BinaryCodedDecimal.byte(number))
        }
        return bytes
    }

    private static func digits(
        _ bytes: UInt64, _ place: UInt64, _ name: FieldName, at offset: Int
    ) throws(PacketError) -> Int {
        let byte = UInt8(truncatingIfNeeded: bytes &>> (place &* 8))
        guard let number = BinaryCodedDecimal.number(byte) else {
            throw PacketError(.notDecimal, field: name, at: offset, found: Int64(byte))
        }
        return number
    }
}

extension FieldReader where Self: ~Escapable {
    /// Year since 2000, month, day, hour, minute, second in decimal digits: a moment, or an error.
    @inlinable @inline(__always)
    public mutating func decimalDateTime(_ name: FieldName) throws(PacketError) -> CivilDateTime {
        let start = offset
        let bytes = try integer(name, width: 6, isBigEndian: true)
        let time = try DecimalDateTime.time(bytes, name, at: start)
        means { time.description }
        return time
    }
}

extension FieldWriter {
    /// Year since 2000, month, day, hour, minute and second in decimal digits.
    @inlinable @inline(__always)
    public mutating func decimalDateTime(_ name: FieldName, _ time: CivilDateTime) {
        put(DecimalDateTime.bytes(time).byteSwapped &>> 16, width: 6)
    }
}
