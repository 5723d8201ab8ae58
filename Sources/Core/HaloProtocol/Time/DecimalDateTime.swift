/// A date and time from 2000 to 2099 in six bytes of binary-coded decimal.
@usableFromInline
enum DecimalDateTime {
    static var years: ClosedRange<Int> { 2000...2099 }

    /// Throws if the year is out of range.
    @usableFromInline
    static func check(_ time: CivilDateTime) throws(ValueError) {
        let year = time.date.year
        try ValueError.check("year", year, in: Int64(years.lowerBound)...Int64(years.upperBound))
    }

    /// Returns the date and time of six bytes, the year most significant.
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

    /// Returns the six bytes of a date and time, the year most significant.
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
        _ bytes: UInt64, _ index: UInt64, _ name: FieldName, at offset: Int
    ) throws(PacketError) -> Int {
        let byte = UInt8(truncatingIfNeeded: bytes &>> (index &* 8))
        guard let number = BinaryCodedDecimal.number(byte) else {
            throw PacketError(.notDecimal, field: name, at: offset, found: Int64(byte))
        }
        return number
    }
}
