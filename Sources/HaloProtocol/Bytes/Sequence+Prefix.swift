extension Sequence where Element == UInt8 {
    /// Whether the bytes begin with the characters of a literal.
    func hasPrefix(_ prefix: StaticString) -> Bool {
        prefix.withUTF8Buffer { unsafe starts(with: $0) }
    }
}
