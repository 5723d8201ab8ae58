public import HaloProtocol

/// A coding of dates and times as text of ISO 8601, without a zone: a ring has none.
extension CivilDate: Codable {
    /// Decodes `2026-01-05`.
    public init(from decoder: any Decoder) throws {
        self = try decoder.value(of: "a date as 2026-01-05", CivilDate.init(text:))
    }

    /// Encodes `2026-01-05`.
    public func encode(to encoder: any Encoder) throws {
        try description.encode(to: encoder)
    }

    /// Reads a date of ISO 8601, as `2026-01-05`; `nil` for any other text.
    package init?(text: Substring) {
        guard let numbers = text.numbers(separatedBy: "-"),
            let date = try? CivilDate(year: numbers.0, month: numbers.1, day: numbers.2),
            date.description == text
        else { return nil }
        self = date
    }
}

extension CivilTime: Codable {
    /// Decodes `09:00:00`.
    public init(from decoder: any Decoder) throws {
        self = try decoder.value(of: "a time as 09:00:00", CivilTime.init(text:))
    }

    /// Encodes `09:00:00`.
    public func encode(to encoder: any Encoder) throws {
        try description.encode(to: encoder)
    }

    fileprivate init?(text: Substring) {
        guard let numbers = text.numbers(separatedBy: ":"),
            let time = try? CivilTime(hour: numbers.0, minute: numbers.1, second: numbers.2),
            time.description == text
        else { return nil }
        self = time
    }
}

extension CivilDateTime: Codable {
    /// Decodes `2026-01-05T09:00:00`.
    public init(from decoder: any Decoder) throws {
        self = try decoder.value(of: "a time as 2026-01-05T09:00:00") { text in
            let parts = text.split(separator: "T", omittingEmptySubsequences: false)
            guard parts.count == 2, let date = CivilDate(text: parts[0]),
                let time = CivilTime(text: parts[1])
            else { return nil }
            return CivilDateTime(date, time)
        }
    }

    /// Encodes `2026-01-05T09:00:00`.
    public func encode(to encoder: any Encoder) throws {
        try "\(date)T\(time)".encode(to: encoder)
    }
}

/// A coding of moments as microseconds on their timeline.
extension Moment: Codable {
    /// Decodes a number of microseconds.
    public init(from decoder: any Decoder) throws {
        self.init(microseconds: try Int64(from: decoder))
    }

    /// Encodes a number of microseconds.
    public func encode(to encoder: any Encoder) throws {
        try microseconds.encode(to: encoder)
    }
}

/// A coding of a sport as its number on rings.
extension Sport: Codable {}

/// A coding of a location as its number in the Body Sensor Location characteristic.
extension BodySensorLocation.Location: Codable {}

extension Decoder {
    fileprivate func value<Value>(
        of words: String, _ parse: (Substring) -> Value?
    ) throws -> Value {
        let container = try singleValueContainer()
        let text = try container.decode(String.self)
        if let value = parse(text[...]) { return value }
        throw DecodingError.dataCorruptedError(
            in: container, debugDescription: "\(PrintableText.quoted(text.utf8)) is not \(words)")
    }
}

extension Substring {
    fileprivate func numbers(separatedBy separator: Character) -> (Int, Int, Int)? {
        let numbers = split(separator: separator, omittingEmptySubsequences: false)
            .map { Int($0) }
        guard numbers.count == 3, let first = numbers[0], let second = numbers[1],
            let third = numbers[2]
        else { return nil }
        return (first, second, third)
    }
}
