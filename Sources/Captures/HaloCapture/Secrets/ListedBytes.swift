/// Bytes that a comment lists, with `:` or `-` in between, one or more of which are an address.
struct ListedBytes: Sendable {
    /// The bytes, with those at the end of the word before and at the beginning of the word behind.
    private let bytes: [UInt8]
    /// The indices of the bytes that are words of their own, if they are an address; otherwise all.
    private let whole: Range<Int>

    /// The bytes in the middle of an address in the form EUI-64: with other ones, each six bytes
    /// may be an address.
    private static let marks = SeededIdentities.longAddressMarks.prefix(2)
    private static let length = SeededIdentities.addressLength

    init(_ words: [UInt8], before: UInt8?, after: UInt8?) {
        let first = before.map { [$0] } ?? []
        bytes = first + words + (after.map { [$0] } ?? [])
        let inner = first.count..<(first.count + words.count)
        whole = Self.address(words[...]) != nil ? inner : bytes.indices
    }

    /// `true` if an address is not longer.
    var isLongEnough: Bool { bytes.count >= Self.length }

    /// The address, if the bytes are exactly one address.
    var address: UInt64? { Self.address(bytes[...]) }

    /// Returns the addresses that the bytes may have between the known ones.
    func addresses(besides isKnown: (UInt64) -> Bool) -> [UInt64] {
        var addresses: [UInt64] = []
        var start = whole.lowerBound
        var index = 0
        while index < bytes.count {
            let known = [8, Self.length].first { length in
                let part = bytes[index...].prefix(length)
                return part.count == length && Self.address(part).map(isKnown) ?? false
            }
            if let known {
                addresses += Self.addresses(bytes[min(start, index)..<index])
                start = index + known
            }
            index += known ?? 1
        }
        return addresses + Self.addresses(bytes[start..<max(start, whole.upperBound)])
    }

    /// Returns the address that some bytes are, or else each one among them.
    private static func addresses(_ bytes: ArraySlice<UInt8>) -> [UInt64] {
        if let address = address(bytes) { return [address] }
        return bytes.indices.dropLast(length - 1).compactMap {
            address(bytes[$0...].prefix(length))
        }
    }

    /// Returns the address that bytes are, also in the form EUI-64; `nil` for other bytes.
    private static func address(_ bytes: ArraySlice<UInt8>) -> UInt64? {
        var bytes = Array(bytes)
        if bytes.count == 8, marks.contains(Array(bytes[3...4])) { bytes.removeSubrange(3...4) }
        return bytes.count == length ? bytes.reduce(0) { $0 << 8 | UInt64($1) } : nil
    }
}
