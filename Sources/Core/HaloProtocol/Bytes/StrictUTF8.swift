/// Validation of UTF-8 by the Unicode standard, and its characters as bytes.
package enum StrictUTF8 {
    /// Returns the offset of the first byte that is not valid UTF-8, or `nil`.
    ///
    /// A character that is cut off is reported at the end of the bytes.
    static func firstFault(in bytes: some Sequence<UInt8>) -> Int? {
        var offset = 0
        var due = 0
        let follower: ClosedRange<UInt8> = 0x80...0xBF
        var allowed = follower
        for byte in bytes {
            if due > 0 {
                guard allowed.contains(byte) else { return offset }
                due -= 1
                allowed = follower
            } else if byte >= 0x80 {
                guard let lead = Lead(byte) else { return offset }
                due = lead.followers
                allowed = lead.first
            }
            offset += 1
        }
        return due > 0 ? offset : nil
    }

    /// Returns as many whole characters of a text as fit `length` bytes.
    package static func beginning(of utf8: [UInt8], length: Int) -> [UInt8] {
        guard utf8.count > length else { return utf8 }
        var end = max(length, 0)
        while end > 0 && utf8[end] & 0xC0 == 0x80 { end -= 1 }
        return Array(utf8[..<end])
    }

    /// The first byte of a character beyond ASCII.
    private struct Lead {
        let followers: Int
        /// The valid range of the second byte: it excludes overlong forms, surrogates, and
        /// numbers beyond the last character.
        let first: ClosedRange<UInt8>

        init?(_ byte: UInt8) {
            switch byte {
            case 0xC2...0xDF: (followers, first) = (1, 0x80...0xBF)
            case 0xE0: (followers, first) = (2, 0xA0...0xBF)
            case 0xED: (followers, first) = (2, 0x80...0x9F)
            case 0xE1...0xEF: (followers, first) = (2, 0x80...0xBF)
            case 0xF0: (followers, first) = (3, 0x90...0xBF)
            case 0xF1...0xF3: (followers, first) = (3, 0x80...0xBF)
            case 0xF4: (followers, first) = (3, 0x80...0x8F)
            default: return nil
            }
        }
    }
}
