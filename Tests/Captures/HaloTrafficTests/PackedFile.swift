@testable import HaloTraffic

/// Handmade compressed files and archives.
enum PackedFile {
    /// Bytes in stored blocks of DEFLATE, at most `blockLength` bytes each.
    static func stored(_ bytes: [UInt8], blockLength: Int = 65535) -> [UInt8] {
        var packed: [UInt8] = []
        var start = 0
        repeat {
            let end = min(start + blockLength, bytes.count)
            let count = UInt16(end - start)
            packed.append(end == bytes.count ? 1 : 0)
            packed += little(count) + little(~count) + bytes[start..<end]
            start = end
        } while start < bytes.count
        return packed
    }

    /// A member of gzip. `header` has the optional fields, and `flags` says which they are.
    static func gzip(
        _ bytes: [UInt8], packed: [UInt8]? = nil, flags: UInt8 = 0, header: [UInt8] = [],
        checksum: UInt32? = nil, length: UInt32? = nil
    ) -> [UInt8] {
        [0x1F, 0x8B, 8, flags, 1, 2, 3, 4, 0, 3] + header + (packed ?? stored(bytes))
            + little(checksum ?? self.checksum(bytes)) + little(length ?? UInt32(bytes.count))
    }

    /// A stream of zlib.
    static func zlib(_ bytes: [UInt8]) -> [UInt8] {
        var sums = Adler32()
        sums.update(ContiguousArray(bytes).span)
        return [0x78, 0x01] + stored(bytes) + little(sums.value).reversed()
    }

    static func checksum(_ bytes: [UInt8]) -> UInt32 {
        var checksum = CRC32()
        checksum.update(ContiguousArray(bytes).span)
        return checksum.value
    }

    /// A block of btsnooz.
    static func snooz(
        _ version: UInt8, last: UInt64, _ records: [UInt8]
    ) -> [UInt8] {
        [version] + little(last) + zlib(records)
    }

    /// A record of btsnooz.
    static func snoozRecord(
        _ version: UInt8, _ type: UInt8, _ packet: [UInt8], after delta: UInt32,
        original: UInt16? = nil, length: UInt16? = nil
    ) -> [UInt8] {
        let counted = UInt16(packet.count + 1)
        let cut = version == 1 ? [] : little(original ?? counted)
        return little(length ?? counted) + cut + little(delta) + [type] + packet
    }

    /// The text of a bug report with blocks in Base64.
    static func report(_ blocks: [[UInt8]], newline: String = "\n") -> [UInt8] {
        var lines = ["====", "== dumpstate: 2025-12-11 22:54:15", "====", "- a log -"]
        for block in blocks {
            lines.append("--- BEGIN:BTSNOOP_LOG_SUMMARY (\(block.count) bytes in) ---")
            let text = base64(block)
            for start in stride(from: 0, to: text.count, by: 76) {
                lines.append(String(text.dropFirst(start).prefix(76)))
            }
            lines.append("--- END:BTSNOOP_LOG_SUMMARY ---")
            lines.append("something else")
        }
        return Array((lines.joined(separator: newline) + newline).utf8)
    }

    private static func base64(_ bytes: [UInt8]) -> String {
        let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
        var text = ""
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start...].prefix(3)
            let number = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
            for place in 0..<4 {
                text.append(
                    place <= group.count ? letters[number >> (18 - 6 * place) & 63] : "=")
            }
        }
        return text
    }

    static func little<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
        withUnsafeBytes(of: number.littleEndian) { Array($0) }
    }
}

/// A handmade ZIP archive.
struct ZipFile {
    struct Entry {
        var name: String
        var bytes: [UInt8]
        /// The packed bytes; `nil` for stored ones.
        var packed: [UInt8]?
        var method: UInt16 = 0
        var flags: UInt16 = 0
        var checksum: UInt32?
        var length: Int?
    }

    var entries: [Entry] = []
    /// `true` for lengths and positions of 64 bits.
    var isLong = false
    var remark: [UInt8] = []
    /// Bytes before the archive.
    var prefix: [UInt8] = []
    /// The number of entries in the end record, unless it is the right one.
    var count: Int?

    init(_ files: [(String, [UInt8])], isPacked: Bool = true) {
        entries = files.map { name, bytes in
            isPacked
                ? Entry(
                    name: name, bytes: bytes, packed: PackedFile.stored(bytes, blockLength: 100),
                    method: 8) : Entry(name: name, bytes: bytes)
        }
    }

    private typealias Part = PackedFile

    var bytes: [UInt8] {
        var file: [UInt8] = []
        var directory: [UInt8] = []
        for entry in entries {
            let packed = entry.packed ?? entry.bytes
            let name = Array(entry.name.utf8)
            let length = entry.length ?? entry.bytes.count
            let checksum = entry.checksum ?? Part.checksum(entry.bytes)
            let position = file.count
            let head = Part.little(entry.flags) + Part.little(entry.method) + [0, 0, 0, 0]
            file += [0x50, 0x4B, 3, 4, 20, 0] + head + Part.little(checksum)
            file += Part.little(UInt32(packed.count)) + Part.little(UInt32(length))
            file += Part.little(UInt16(name.count)) + [2, 0] + name + [0xEE, 0xEE] + packed
            let numbers = [length, packed.count, position]
            let other: [UInt8] = [9, 9, 1, 0, 0xFF]
            let long: [UInt8] = [1, 0, 24, 0] + numbers.flatMap { Part.little(UInt64($0)) }
            let extra = isLong ? other + long : []
            let short = isLong ? [UInt32.max, .max, .max] : numbers.map { UInt32($0) }
            directory += [0x50, 0x4B, 1, 2, 20, 0, 20, 0] + head + Part.little(checksum)
            directory += Part.little(short[1]) + Part.little(short[0])
            directory += Part.little(UInt16(name.count)) + Part.little(UInt16(extra.count))
            directory += [3, 0] + [UInt8](repeating: 0, count: 8) + Part.little(short[2])
            directory += name + extra + [7, 7, 7]
        }
        return prefix + file + directory + end(directory.count, at: file.count)
    }

    private func end(_ length: Int, at position: Int) -> [UInt8] {
        let count = count ?? entries.count
        var end: [UInt8] = []
        if isLong {
            let start = prefix.count + position + length
            end += [0x50, 0x4B, 6, 6] + Part.little(UInt64(44)) + [45, 0, 45, 0]
            end += [UInt8](repeating: 0, count: 8) + Part.little(UInt64(count))
            end += Part.little(UInt64(count)) + Part.little(UInt64(length))
            end += Part.little(UInt64(position))
            end += [0x50, 0x4B, 6, 7, 0, 0, 0, 0] + Part.little(UInt64(start)) + [1, 0, 0, 0]
        }
        let number = isLong ? UInt16.max : UInt16(count)
        end += [0x50, 0x4B, 5, 6, 0, 0, 0, 0] + Part.little(number) + Part.little(number)
        end += Part.little(isLong ? UInt32.max : UInt32(length))
        end += Part.little(isLong ? UInt32.max : UInt32(position))
        return end + Part.little(UInt16(remark.count)) + remark
    }
}
