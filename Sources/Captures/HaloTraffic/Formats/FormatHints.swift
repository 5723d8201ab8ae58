/// Recognises files that cannot be read, and gives hints to their users.
enum FormatHints {
    /// A file in another format: its first bytes, its name, and how it becomes readable.
    private struct Other {
        let magic: [UInt8]
        let offset: Int
        let name: String
        let remedy: String

        init(_ magic: [UInt8], at offset: Int = 0, _ name: String, _ remedy: String) {
            self.magic = magic
            self.offset = offset
            self.name = name
            self.remedy = remedy
        }

        init(_ magic: StaticString, at offset: Int = 0, _ name: String, _ remedy: String) {
            self.init(Array("\(magic)".utf8), at: offset, name, remedy)
        }
    }

    private static let zip = "a ZIP archive, in a stream or in another archive"
    private static let unzip = "give the archive as a file, or unpack it with `unzip`"
    private static let wireshark = "`editcap -F pcapng` or Wireshark makes pcapng of it"

    /// Compressed files and archives as their programs describe them, then captures as Wireshark
    /// knows them. Ellisys and Frontline describe no first bytes of their files.
    private static let others = [
        Other(
            [0x1F, 0x8B], "compressed with gzip, twice or by an unknown method",
            "unpack it with `gunzip`"),
        Other([0x1F, 0x9D], "compressed with compress", "unpack it with `uncompress`"),
        Other([0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00], "compressed with xz", "unpack it with `unxz`"),
        Other([0x28, 0xB5, 0x2F, 0xFD], "compressed with zstd", "unpack it with `unzstd`"),
        Other([0x04, 0x22, 0x4D, 0x18], "compressed with lz4", "unpack it with `unlz4`"),
        Other("BZh", "compressed with bzip2", "unpack it with `bunzip2`"),
        Other(
            [0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C], "an archive of 7-Zip", "unpack it with `7z x`"),
        Other("Rar!", "a RAR archive", "unpack it with `unrar x`"),
        Other("ustar", at: 257, "a tar archive", "unpack it with `tar xf`"),
        Other("PK\u{3}\u{4}", zip, unzip), Other("PK\u{5}\u{6}", zip, unzip),
        Other("snoop\u{0}\u{0}\u{0}", "Solaris' snoop", wireshark),
        Other("GMBU", "Microsoft's Network Monitor", wireshark),
        Other("RTSS", "Microsoft's Network Monitor", wireshark),
        Other("TRSNIFF data    \u{1A}", "Network General's Sniffer", wireshark),
        Other("XCP\u{0}", "NetXRay", wireshark),
        Other(
            "<SALEAE>", "Saleae's Logic",
            "its table of decoded bytes, exported as text, can be made lines of hexadecimal"),
    ]

    /// The error for a file in no known format.
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
        if let other = others.first(where: { isThere($0, in: beginning) }) {
            return TrafficError(
                .unknownFormat, at: 0, hint: "this is \(other.name): \(other.remedy)")
        }
        if isWideText(beginning) {
            return TrafficError(
                .wrongEncoding, at: 0, hint: "this is UTF-16 or UTF-32; it has to be UTF-8")
        }
        return nil
    }

    private static func isThere(_ other: Other, in bytes: Span<UInt8>) -> Bool {
        guard bytes.count >= other.offset + other.magic.count else { return false }
        return other.magic.indices.allSatisfy { bytes[other.offset + $0] == other.magic[$0] }
    }

    /// `true` if the bytes are text in UTF-16 or UTF-32: they begin with its byte order mark, or
    /// every second byte of letters is zero.
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
}
