enum SQLiteValue: Hashable, Sendable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    /// Bytes, which no table has; they are not read, and would be written as null.
    case bytes

    init(_ number: Int?) { self = number.map { .integer(Int64($0)) } ?? .null }

    init(_ number: Double?) { self = number.map { .real($0) } ?? .null }

    init(_ flag: Bool?) { self = flag.map { .integer($0 ? 1 : 0) } ?? .null }

    init(_ text: String?) { self = text.map { .text($0) } ?? .null }
}

extension SQLiteValue: ExpressibleByIntegerLiteral {
    init(integerLiteral number: Int64) { self = .integer(number) }
}

extension SQLiteValue: ExpressibleByStringLiteral {
    init(stringLiteral text: String) { self = .text(text) }
}
