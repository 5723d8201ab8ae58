/// Recognises files that cannot be read, and gives hints to their users.
enum FormatHints {
    private static let archive = "this is an archive: give it as a file, or unpack it"
    private static let compressed =
        "this is compressed: unpack it, with `gunzip`, `unxz`, `unzstd` or `bunzip2`"
    private static let capture =
        "this is a capture of another program: `editcap -F pcapng` or Wireshark converts it"

    private static let database =
        "this is a database: `halo sync --import` adds that of colmi_r02_client to your own"

    /// The first bytes of files in other formats: gzip in gzip, ZIP in ZIP, xz, zstd and bzip2,
    /// then captures as Wireshark knows them (Solaris' snoop, Microsoft's Network Monitor).
    private static let others: [(magic: [UInt8], hint: String)] = [
        (Array("PK\u{3}\u{4}".utf8), archive), (Array("PK\u{5}\u{6}".utf8), archive),
        ([0x1F, 0x8B], compressed), ([0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00], compressed),
        ([0x28, 0xB5, 0x2F, 0xFD], compressed), (Array("BZh".utf8), compressed),
        (Array("snoop\u{0}\u{0}\u{0}".utf8), capture), (Array("RTSS".utf8), capture),
        (Array("GMBU".utf8), capture), (Array("SQLite format 3\u{0}".utf8), database),
    ]

    static func error(_ beginning: Span<UInt8>) -> TrafficError {
        if beginning.isEmpty { return TrafficError(.empty, at: 0) }
        return unreadable(beginning)
            ?? TrafficError(
                .unknownFormat, at: 0,
                hint: "if you know the format, name it with --format; a line of a log has a "
                    + "direction, and bytes in hexadecimal")
    }

    /// The error for a file that is certainly not of a known format; `nil` for any other.
    static func unreadable(_ beginning: Span<UInt8>) -> TrafficError? {
        let other = others.first { other in
            other.magic.indices.allSatisfy { beginning.byte(at: $0) == other.magic[$0] }
        }
        if let other { return TrafficError(.unknownFormat, at: 0, hint: other.hint) }
        if isWideText(beginning) {
            return TrafficError(
                .wrongEncoding, at: 0, hint: "this is UTF-16 or UTF-32; it has to be UTF-8")
        }
        return nil
    }

    /// `true` if the bytes are text in UTF-16 or UTF-32: they begin with its byte order mark, or
    /// every second byte of letters is zero.
    static func isWideText(_ bytes: Span<UInt8>) -> Bool {
        guard bytes.count >= 4 else { return false }
        let mark = bytes.uint16(at: 0, .big)
        if mark == 0xFEFF || mark == 0xFFFE { return true }
        let count = min(bytes.count, 64) & ~1
        return (0...1).contains { zero in
            (0..<count).allSatisfy { index in
                let byte = bytes[index]
                let isLetter = byte >= 0x20 && byte < 0x7F || (0x09...0x0D).contains(byte)
                return index & 1 == zero ? byte == 0 : isLetter
            }
        }
    }
}
