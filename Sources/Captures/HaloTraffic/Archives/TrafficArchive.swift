package import HaloCapture

/// A ZIP archive with a log of traffic in it, as Android's bug reports are.
///
/// The archive is read through a closure, so it may be in memory or in a file. An entry is unpacked
/// while it is read, in constant memory, and compared with its checksum.
package struct TrafficArchive {
    package struct Entry: Hashable, Sendable {
        /// The name with its folders. Bytes that are not UTF-8 are replaced.
        package let name: String
        /// The unpacked length in bytes.
        package let length: Int

        let flags: UInt16
        let method: UInt16
        let checksum: UInt32
        let packedLength: Int
        /// The file offset of the entry.
        let position: Int

        var lastName: Substring { name.split(separator: "/").last ?? "" }
    }

    /// Every entry but folders, in the order of the archive.
    package let entries: [Entry]

    private let length: Int
    private let read: PackedStream.Read

    /// The maximum number of entries of which the first bytes are read to find a log.
    package static let searchLimit = 512
    /// The length of the longest file without a record: the header of btsnoop.
    private static let emptyLength = BTSnoopFormat.headerLength
    private static let entryHeaderLength = 30
    private static let entryMark: UInt32 = 0x0403_4B50

    /// Reads the directory of an archive.
    ///
    /// - Parameters:
    ///   - length: The length of the archive in bytes.
    ///   - read: Reads a range of the archive. Fewer bytes mean that it ends before.
    init(
        length: Int, read: @escaping PackedStream.Read
    ) throws(FileReadingError<TrafficError>) {
        self.length = length
        self.read = read
        entries = try ZipDirectory.entries(length: length, read)
            .filter { $0.name.utf8.last != UInt8(ascii: "/") }
    }

    init(_ bytes: ContiguousArray<UInt8>) throws(TrafficError) {
        self = try mapError(Self.content) { () throws(FileReadingError<TrafficError>) in
            try TrafficArchive(length: bytes.count) { range in
                ContiguousArray(bytes[range.clamped(to: bytes.indices)])
            }
        }
    }

    package static func isArchive(_ beginning: Span<UInt8>) -> Bool {
        beginning.has("PK\u{3}\u{4}") || beginning.has("PK\u{5}\u{6}")
    }

    // MARK: The log

    /// The entries that may be the log: those with the best of the names that Android and its
    /// makers use, otherwise those with the first bytes of a format of traffic.
    ///
    /// The order of names: `btsnoop_hci.log`, the filtered log, `btsnooz_hci.log`, the logs before
    /// the last restart, then the text of the bug report, which may have a btsnooz.
    package func logs() throws(FileReadingError<TrafficError>) -> [Entry] {
        let named = entries.filter { $0.length > Self.emptyLength }.compactMap { entry in
            Self.rank(entry.lastName).map { (rank: $0, entry: entry) }
        }
        if let best = named.map(\.rank).min(), best != Self.textRank {
            return named.filter { $0.rank == best }.map(\.entry)
        }
        let logs = try logsByContent()
        return logs.isEmpty ? named.map(\.entry) : logs
    }

    /// The only log, or the entry of a name: the whole name, or its last part if only one entry
    /// has it.
    package func log(
        named name: String? = nil
    ) throws(FileReadingError<TrafficError>) -> Entry {
        guard let name else { return try onlyLog() }
        if let entry = entries.first(where: { $0.name == name }) { return entry }
        let same = entries.filter { $0.lastName == name }
        guard let entry = same.first, same.count == 1 else {
            throw .content(
                TrafficError(
                    .noEntry, at: 0,
                    hint: same.isEmpty
                        ? "no entry has this name"
                        : "several entries have this name; give it with its folders"))
        }
        return entry
    }

    private func onlyLog() throws(FileReadingError<TrafficError>) -> Entry {
        let logs = try logs()
        guard let log = logs.first, logs.count == 1 else {
            let hasArchive = entries.contains { $0.lastName.hasSuffix(".zip") }
            let none =
                hasArchive
                ? "no entry is a log; unpack the archive that is in it"
                : "no entry is a log of a known format"
            throw .content(
                TrafficError(
                    .noEntry, at: 0, found: logs.isEmpty ? nil : logs.count,
                    hint: logs.isEmpty ? none : "it has several logs; choose one by its name"))
        }
        return log
    }

    private static let textRank = 5

    /// The rank of a name among those of logs, or `nil` if it is none of them. The lowest is best.
    private static func rank(_ name: Substring) -> Int? {
        let name = name.lowercased()
        if name.hasPrefix("bugreport") && name.hasSuffix(".txt") { return textRank }
        let isSnoop = name.hasPrefix("btsnoop")
        guard isSnoop || name.hasPrefix("btsnooz"), !name.hasSuffix(".zip") else { return nil }
        let words = name.split { !$0.isLetter }
        if words.contains("last") { return isSnoop ? 3 : 4 }
        if !isSnoop { return 2 }
        return words.contains("filtered") ? 1 : 0
    }

    /// The entries with the first bytes of a format of traffic, except of captures, which a log in
    /// an archive is not.
    private func logsByContent() throws(FileReadingError<TrafficError>) -> [Entry] {
        var logs: [Entry] = []
        for entry in entries.prefix(Self.searchLimit)
        where entry.length > 0 && !entry.name.hasPrefix("__MACOSX/") {
            let beginning: ContiguousArray<UInt8>
            do throws(FileReadingError<TrafficError>) {
                beginning = try self.beginning(of: entry)
            } catch {
                guard case .content = error else { throw error }
                continue
            }
            guard let format = TrafficFormat.detect(beginning.span), format != .capture else {
                if beginning.starts(with: Unpacker.gzipMagic) { logs.append(entry) }
                continue
            }
            logs.append(entry)
        }
        return logs
    }

    private func beginning(
        of entry: Entry
    ) throws(FileReadingError<TrafficError>) -> ContiguousArray<UInt8> {
        var stream = try stream(of: entry)
        var bytes = ContiguousArray<UInt8>()
        while bytes.count < TrafficFormat.detectionLength, let piece = try stream.nextPiece() {
            bytes += piece.prefix(TrafficFormat.detectionLength - bytes.count)
        }
        return bytes
    }

    // MARK: Reading

    /// Reads an entry, and passes its unpacked bytes to `body` in pieces. Throws after the last
    /// piece if they do not have the stored checksum.
    package func read(
        _ entry: Entry, _ body: (Span<UInt8>) throws(TrafficError) -> Void
    ) throws(FileReadingError<TrafficError>) {
        var stream = try stream(of: entry)
        while let piece = try stream.nextPiece() {
            try mapError(FileReadingError.content) { () throws(TrafficError) in
                try body(piece.span)
            }
        }
    }

    func stream(of entry: Entry) throws(FileReadingError<TrafficError>) -> PackedStream {
        let header = try read(entry.position..<entry.position + Self.entryHeaderLength)
        return try mapError(FileReadingError.content) { () throws(TrafficError) in
            let start = try Self.contentStart(header.span, at: entry.position)
            guard entry.packedLength <= length - start else {
                throw TrafficError(
                    .truncated, at: length, missing: entry.packedLength - (length - start))
            }
            return PackedStream(
                start..<start + entry.packedLength, try Self.unpacker(entry),
                expected: (entry.length, entry.checksum), read)
        }
    }

    private static func contentStart(
        _ header: Span<UInt8>, at position: Int
    ) throws(TrafficError) -> Int {
        guard header.count == entryHeaderLength else {
            throw .cut(header, at: position, needs: entryHeaderLength)
        }
        guard header.uint32(at: 0, .little) == entryMark else {
            throw TrafficError(
                .malformed, at: position, hint: "the archive has no entry there")
        }
        return position + entryHeaderLength + Int(header.uint16(at: 26, .little))
            + Int(header.uint16(at: 28, .little))
    }

    private static func unpacker(_ entry: Entry) throws(TrafficError) -> Unpacker? {
        guard entry.flags & 1 == 0 else {
            throw TrafficError(
                .unknownContent, at: entry.position,
                hint: "the entry is encrypted; unpack it with its password")
        }
        switch entry.method {
        case 0: return nil
        case 8: return Unpacker(.none)
        default:
            let name = methodNames[entry.method] ?? "which has no known name"
            throw TrafficError(
                .unknownContent, at: entry.position, found: Int(entry.method),
                hint: "a method of ZIP, \(name); unpack the entry first")
        }
    }

    private static let methodNames: [UInt16: String] = [
        1: "Shrink", 2: "Reduce", 3: "Reduce", 4: "Reduce", 5: "Reduce", 6: "Implode",
        9: "Deflate64", 12: "bzip2", 14: "LZMA", 93: "Zstandard", 95: "xz", 98: "PPMd",
        99: "AES encryption",
    ]

    /// The error of an archive that is in memory, where no file can fail.
    static func content(_ error: FileReadingError<TrafficError>) -> TrafficError {
        switch error {
        case .content(let error): error
        case .file(let error): TrafficError(.truncated, at: error.offset)
        }
    }
}
