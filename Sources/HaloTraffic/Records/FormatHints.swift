/// Recognises files that are not read, so as to say what to do with them.
enum FormatHints {
    private static let unpack =
        "this is compressed; the log has to be unpacked first"
    private static let bugReport =
        "this is a bug report of Android; in its archive the log is "
        + "FS/data/misc/bluetooth/logs/btsnoop_hci.log"

    /// The error for a file in no known format.
    static func error(_ beginning: Span<UInt8>) -> TrafficError {
        if beginning.isEmpty { return TrafficError(.empty, at: 0) }
        return unreadable(beginning) ?? TrafficError(.unknownFormat, at: 0)
    }

    /// The error for a file that is certainly none of the known formats.
    static func unreadable(_ beginning: Span<UInt8>) -> TrafficError? {
        if beginning.has("PK") {
            return TrafficError(
                .unknownFormat, at: 0,
                hint: "this is a ZIP archive; of a bug report, unpack "
                    + "FS/data/misc/bluetooth/logs/btsnoop_hci.log")
        }
        if isCompressed(beginning) {
            return TrafficError(.unknownFormat, at: 0, hint: unpack)
        }
        if isWideText(beginning) {
            return TrafficError(
                .wrongEncoding, at: 0, hint: "this is UTF-16 or UTF-32; it has to be UTF-8")
        }
        if find("BEGIN:BTSNOOP_LOG_SUMMARY", in: beginning) {
            return TrafficError(.unknownFormat, at: 0, hint: bugReport)
        }
        if find("== dumpstate: ", in: beginning) {
            return TrafficError(.unknownFormat, at: 0, hint: bugReport)
        }
        return nil
    }

    /// Whether it begins as gzip, bzip2, xz, zstd or 7z do.
    private static func isCompressed(_ bytes: Span<UInt8>) -> Bool {
        let beginnings: [[UInt8]] = [
            [0x1F, 0x8B, 0x08], [0x42, 0x5A, 0x68], [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00],
            [0x28, 0xB5, 0x2F, 0xFD], [0x37, 0x7A, 0xBC, 0xAF],
        ]
        return beginnings.contains { beginning in
            guard bytes.count >= beginning.count else { return false }
            return beginning.indices.allSatisfy { bytes[$0] == beginning[$0] }
        }
    }

    /// Whether it is text with two or four bytes a character: it says so, or every other byte of
    /// letters is zero.
    static func isWideText(_ bytes: Span<UInt8>) -> Bool {
        guard bytes.count >= 4 else { return false }
        let mark = bytes.uint16(at: 0, .big)
        if mark == 0xFEFF || mark == 0xFFFE { return true }
        let count = min(bytes.count, 64) & ~1
        for zero in 0...1 {
            var isText = true
            for index in 0..<count {
                let byte = bytes[index]
                let isLetter = byte >= 0x20 && byte < 0x7F || (0x09...0x0D).contains(byte)
                if index & 1 == zero ? byte != 0 : !isLetter { isText = false }
            }
            if isText { return true }
        }
        return false
    }

    private static func find(_ text: StaticString, in bytes: Span<UInt8>) -> Bool {
        for offset in 0..<bytes.count where bytes.has(text, at: offset) { return true }
        return false
    }
}
