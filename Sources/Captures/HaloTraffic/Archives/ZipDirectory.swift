import HaloCapture

/// The directory of a ZIP archive: the names and positions of its entries.
///
/// All numbers are little-endian. Described by PKWARE's APPNOTE.TXT:
///
///     archive    entries · directory · [end, 64-bit form · its locator] · end
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
///     end, 64    50 4B 06 06 · 20 bytes · entries here, 64 bits · entries, 64 bits
///                length of the directory, 64 bits · its position, 64 bits
///     locator    50 4B 06 07 · disk, 32 bits · position of the end, 64 bits · disks, 32 bits
///
/// A length, a position or a count of all ones stands in an extra field of type 1, or in the
/// 64-bit end.
enum ZipDirectory {
    static let entryLimit = 65_536
    /// The maximum length of the directory, in bytes.
    static let lengthLimit = 32 << 20

    private static let entryMark: UInt32 = 0x0201_4B50
    private static let endMark: UInt32 = 0x0605_4B50
    private static let locatorMark: UInt32 = 0x0706_4B50
    private static let longEndMark: UInt32 = 0x0606_4B50
    private static let entryLength = 46
    private static let endLength = 22
    private static let locatorLength = 20
    private static let longEndLength = 56

    /// The place of the directory by the end of the archive.
    private struct End {
        var count: UInt64
        var length: UInt64
        var position: UInt64
        /// The file offset of the record that follows the directory.
        var offset: Int
    }

    /// The entries of an archive of a length, in the order of the directory.
    static func entries(
        length: Int, _ read: PackedStream.Read
    ) throws(FileReadingError<TrafficError>) -> [TrafficArchive.Entry] {
        let end = try findEnd(length, read)
        guard end.count <= UInt64(entryLimit), end.length <= UInt64(lengthLimit) else {
            throw .content(
                TrafficError(.tooMuch, at: end.offset, found: Int(clamping: end.count)))
        }
        // Bytes may have been put before the archive: then all positions count from behind them.
        let directory = end.offset - Int(end.length)
        guard directory >= 0, let position = Int(exactly: end.position), position <= directory
        else { throw noDirectory(at: end.offset) }
        let bytes = try bytes(directory..<end.offset, read)
        return try mapError(FileReadingError.content) { () throws(TrafficError) in
            try entries(
                in: bytes.span, Int(end.count), at: directory, shift: directory - position)
        }
    }

    private static func noDirectory(at offset: Int) -> FileReadingError<TrafficError> {
        .content(TrafficError(.malformed, at: offset, hint: "the archive has no directory there"))
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
                let end = End(
                    count: UInt64(bytes.uint16(at: 10, .little)),
                    length: UInt64(bytes.uint32(at: 12, .little)),
                    position: UInt64(bytes.uint32(at: 16, .little)), offset: start + offset)
                return try longEnd(end, read)
            }
            offset -= 1
        }
        throw .content(
            TrafficError(
                .truncated, at: length, hint: "the archive has no directory at its end"))
    }

    /// Replaces the numbers by those of the 64-bit end, if there is one.
    private static func longEnd(
        _ end: End, _ read: PackedStream.Read
    ) throws(FileReadingError<TrafficError>) -> End {
        let start = end.offset - locatorLength
        guard start >= 0 else { return end }
        let locator = try bytes(start..<end.offset, read)
        guard locator.span.uint32(at: 0, .little) == locatorMark else { return end }
        guard let position = Int(exactly: locator.span.uint64(at: 8, .little)),
            position <= start - longEndLength
        else { throw noDirectory(at: start + 8) }
        let found = try bytes(position..<position + longEndLength, read)
        let span = found.span
        guard span.uint32(at: 0, .little) == longEndMark else {
            throw .content(TrafficError(.malformed, at: position))
        }
        return End(
            count: span.uint64(at: 32, .little), length: span.uint64(at: 40, .little),
            position: span.uint64(at: 48, .little), offset: position)
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
            let extraEnd = nameEnd + Int(rest.uint16(at: 30, .little))
            let end = extraEnd + Int(rest.uint16(at: 32, .little))
            guard end <= rest.count else { throw .cut(rest, at: offset + start, needs: end) }
            let name = rest.extracting(entryLength..<nameEnd)
            let extra = rest.extracting(nameEnd..<extraEnd)
            entries.append(try entry(rest, name, extra, at: offset + start, shift: shift))
            start += end
        }
        return entries
    }

    private static func entry(
        _ bytes: Span<UInt8>, _ name: Span<UInt8>, _ extra: Span<UInt8>, at offset: Int,
        shift: Int
    ) throws(TrafficError) -> TrafficArchive.Entry {
        var packed = UInt64(bytes.uint32(at: 20, .little))
        var length = UInt64(bytes.uint32(at: 24, .little))
        var position = UInt64(bytes.uint32(at: 42, .little))
        var long = longNumbers(extra)
        if length == UInt32.max, !long.isEmpty { length = long.removeFirst() }
        if packed == UInt32.max, !long.isEmpty { packed = long.removeFirst() }
        if position == UInt32.max, !long.isEmpty { position = long.removeFirst() }
        let limit = UInt64(Int.max / 4)
        guard packed <= limit, length <= limit, position <= limit else {
            throw TrafficError(.wrongLength, at: offset, found: Int(clamping: max(packed, length)))
        }
        return TrafficArchive.Entry(
            name: name.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) },
            length: Int(length), flags: bytes.uint16(at: 8, .little),
            method: bytes.uint16(at: 10, .little), checksum: bytes.uint32(at: 16, .little),
            packedLength: Int(packed), position: Int(position) + shift)
    }

    /// The numbers of 64 bits in the extra field of type 1.
    private static func longNumbers(_ extra: Span<UInt8>) -> [UInt64] {
        var start = 0
        while start <= extra.count - 4 {
            let length = Int(extra.uint16(at: start + 2, .little))
            let end = start + 4 + length
            guard end <= extra.count else { return [] }
            if extra.uint16(at: start, .little) == 1 {
                return (0..<length / 8).map { index in
                    extra.uint64(at: start + 4 + index * 8, .little)
                }
            }
            start = end
        }
        return []
    }
}
