import HaloCapture

/// The directory of a ZIP archive: the names and positions of its entries.
///
/// All numbers are little-endian. Described by PKWARE's APPNOTE.TXT:
///
///     archive    entries · directory · end
///     entry      50 4B 03 04 · 22 bytes as in the directory · length of the name, 16 bits
///                length of the extra fields, 16 bits · name · extra fields · content
///     directory  50 4B 01 02 · versions, 32 bits · flags, 16 bits · method, 16 bits
///                time, 32 bits · CRC-32 · packed length, 32 bits · length, 32 bits
///                lengths of the name, the extra fields and the remark, 16 bits each
///                disk, 16 bits · attributes, 48 bits · position, 32 bits
///                name · extra fields · remark, for each entry
///     end        50 4B 05 06 · disks, twice 16 bits · entries here, 16 bits · entries, 16 bits
///                length of the directory, 32 bits · its position, 32 bits
///                length of the remark, 16 bits · remark
///
/// The form with 64-bit numbers, which has all ones in place of a number, is not read: archives of
/// logs are shorter than 4 GiB.
enum ZipDirectory {
    /// The maximum length of the directory, in bytes.
    static let lengthLimit = 32 << 20

    private static let entryMark: UInt32 = 0x0201_4B50
    private static let endMark: UInt32 = 0x0605_4B50
    private static let entryLength = 46
    private static let endLength = 22

    /// The place of the directory by the end of the archive; the offset is that of the record that
    /// follows the directory.
    private typealias End = (count: Int, length: Int, position: Int, offset: Int)

    /// The entries of an archive of a length, in the order of the directory.
    static func entries(
        length: Int, _ read: PackedStream.Read
    ) throws(FileReadingError<TrafficError>) -> [TrafficArchive.Entry] {
        let end = try findEnd(length, read)
        guard end.position < UInt32.max else { throw .content(tooLong(at: end.offset)) }
        guard end.length <= lengthLimit else {
            throw .content(TrafficError(.tooMuch, at: end.offset, found: end.count))
        }
        // Bytes may have been put before the archive: then all positions count from behind them.
        let directory = end.offset - end.length
        guard directory >= 0, end.position <= directory else {
            throw .content(
                TrafficError(
                    .malformed, at: end.offset, hint: "the archive has no directory there"))
        }
        let bytes = try bytes(directory..<end.offset, read)
        return try mapError(FileReadingError.content) { () throws(TrafficError) in
            try entries(
                in: bytes.span, end.count, at: directory, shift: directory - end.position)
        }
    }

    private static func tooLong(at offset: Int) -> TrafficError {
        TrafficError(
            .unknownContent, at: offset,
            hint: "the archive has the form for more than 4 GiB; unpack it first")
    }

    private static func findEnd(
        _ length: Int, _ read: PackedStream.Read
    ) throws(FileReadingError<TrafficError>) -> End {
        let start = max(0, length - endLength - Int(UInt16.max))
        let tail = try bytes(start..<length, read)
        var offset = tail.count - endLength
        while offset >= 0 {
            let bytes = tail.span.extracting(offset..<tail.count)
            if bytes.uint32(at: 0, .little) == endMark,
                Int(bytes.uint16(at: 20, .little)) == bytes.count - endLength
            {
                return (
                    Int(bytes.uint16(at: 10, .little)), bytes.length(at: 12, .little),
                    bytes.length(at: 16, .little), start + offset
                )
            }
            offset -= 1
        }
        throw .content(
            TrafficError(.truncated, at: length, hint: "the archive has no directory at its end"))
    }

    private static func bytes(
        _ range: Range<Int>, _ read: PackedStream.Read
    ) throws(FileReadingError<TrafficError>) -> ContiguousArray<UInt8> {
        let bytes = try read(range)
        guard bytes.count == range.count else {
            throw .content(
                TrafficError(
                    .truncated, at: range.lowerBound + bytes.count,
                    missing: range.count - bytes.count))
        }
        return bytes
    }

    private static func entries(
        in bytes: Span<UInt8>, _ count: Int, at offset: Int, shift: Int
    ) throws(TrafficError) -> [TrafficArchive.Entry] {
        var entries: [TrafficArchive.Entry] = []
        var start = 0
        for _ in 0..<count {
            let rest = bytes.extracting(start..<bytes.count)
            guard rest.count >= entryLength else {
                throw .cut(rest, at: offset + start, needs: entryLength)
            }
            guard rest.uint32(at: 0, .little) == entryMark else {
                throw TrafficError(.malformed, at: offset + start)
            }
            let nameEnd = entryLength + Int(rest.uint16(at: 28, .little))
            let end =
                nameEnd + Int(rest.uint16(at: 30, .little)) + Int(rest.uint16(at: 32, .little))
            guard end <= rest.count else { throw .cut(rest, at: offset + start, needs: end) }
            let name = rest.extracting(entryLength..<nameEnd)
            entries.append(try entry(rest, name, at: offset + start, shift: shift))
            start += end
        }
        return entries
    }

    private static func entry(
        _ bytes: Span<UInt8>, _ name: Span<UInt8>, at offset: Int, shift: Int
    ) throws(TrafficError) -> TrafficArchive.Entry {
        let packed = bytes.length(at: 20, .little)
        let length = bytes.length(at: 24, .little)
        let position = bytes.length(at: 42, .little)
        guard max(packed, length, position) < min(Int(clamping: UInt32.max), Int.max / 4) else {
            throw tooLong(at: offset)
        }
        return TrafficArchive.Entry(
            name: name.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) },
            length: length, flags: bytes.uint16(at: 8, .little),
            method: bytes.uint16(at: 10, .little), checksum: bytes.uint32(at: 16, .little),
            packedLength: packed, position: position + shift)
    }
}
