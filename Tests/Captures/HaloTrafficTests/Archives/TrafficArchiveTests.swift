import CaptureSupport
import HaloCapture
import TestSupport
import Testing

@testable import HaloTraffic

/// ZIP archives, made by hand after PKWARE's APPNOTE.TXT.
@Suite(.computes) struct TrafficArchiveTests {
    private let log: [UInt8]

    init() throws { log = try Self.log() }

    private static let path = "FS/data/misc/bluetooth/logs/"

    private static func log(_ name: String = "uart.btsnoop") throws -> [UInt8] {
        try ContainersFixtureTests.bytes(name)
    }

    private static func archive(_ file: [UInt8]) throws(TrafficError) -> TrafficArchive {
        try TrafficArchive(ContiguousArray(file))
    }

    private static func bytes(
        of entry: TrafficArchive.Entry, in archive: TrafficArchive
    ) throws -> [UInt8] {
        var bytes: [UInt8] = []
        try archive.read(entry) { piece throws(TrafficError) in
            bytes += piece.withUnsafeBufferPointer { Array($0) }
        }
        return bytes
    }

    private static func error(of file: [UInt8], _ name: String? = nil) -> TrafficError? {
        do throws(TrafficError) {
            let archive = try archive(file)
            do throws(FileReadingError<TrafficError>) {
                try archive.read(archive.log(named: name)) { _ throws(TrafficError) in }
            } catch {
                throw TrafficArchive.content(error)
            }
            return nil
        } catch {
            return error
        }
    }

    // MARK: The directory

    @Test(arguments: [false, true])
    func listsAndReadsEntries(_ isLong: Bool) throws {
        var file = ZipFile([("folder/", []), ("folder/a.log", log), ("b", [1, 2, 3])])
        file.entries[2].packed = nil
        file.entries[2].method = 0
        file.isLong = isLong
        let surroundings: [([UInt8], [UInt8])] = [([], []), ([9, 9, 9], [0x50, 0x4B, 5, 6])]
        for (prefix, remark) in surroundings {
            // The 64-bit end says where it is, so nothing can stand before the archive.
            file.prefix = isLong ? [] : prefix
            file.remark = remark
            let archive = try Self.archive(file.bytes)
            #expect(archive.entries.map(\.name) == ["folder/a.log", "b"])
            #expect(archive.entries.map(\.length) == [log.count, 3])
            #expect(try Self.bytes(of: archive.entries[0], in: archive) == log)
            #expect(try Self.bytes(of: archive.entries[1], in: archive) == [1, 2, 3])
        }
    }

    @Test func readsWhatTheToolsPack() throws {
        let zlib = try #require(SystemZlib.shared)
        var file = ZipFile([("btsnoop_hci.log", log)])
        file.entries[0].packed = Array(zlib.packed(log, level: 9).dropFirst(2).dropLast(4))
        let archive = try Self.archive(file.bytes)
        #expect(try Self.bytes(of: archive.log(), in: archive) == log)
    }

    @Test func refusesTooManyEntries() {
        var file = ZipFile([("a", [1])])
        file.isLong = true
        file.count = ZipDirectory.entryLimit + 1
        #expect(Self.error(of: file.bytes)?.kind == .tooMuch)
        file.count = 2
        #expect(Self.error(of: file.bytes)?.kind == .truncated)
    }

    @Test func truncatedArchivesAreErrors() throws {
        let file = ZipFile([("btsnoop_hci.log", try Self.log()), ("b", [1])]).bytes
        for count in 0..<file.count {
            #expect(Self.error(of: Array(file.prefix(count))) != nil, "\(count)")
        }
        #expect(Self.error(of: Array(file.dropLast()))?.kind == .truncated)
    }

    @Test(arguments: [false, true])
    func wrongBytesAreAnErrorOrTheSameLog(_ isLong: Bool) throws {
        var made = ZipFile([("btsnoop_hci.log", log), ("b", [1])])
        made.isLong = isLong
        let file = made.bytes
        var random: UInt64 = 3
        let next = { (limit: Int) -> Int in
            random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(random >> 33) % limit
        }
        for _ in 0..<1500 {
            var broken = file
            for _ in 0...next(3) {
                let place = broken.count - 1 - next(min(broken.count, 400))
                broken[place] = [0, 0xFF, 0x7F, UInt8(next(256))][next(4)]
            }
            guard let archive = try? Self.archive(broken),
                let entry = try? archive.log(named: "btsnoop_hci.log"),
                let bytes = try? Self.bytes(of: entry, in: archive)
            else { continue }
            #expect(bytes == log)
        }
    }

    // MARK: Entries

    @Test func comparesTheLengthAndTheChecksum() throws {
        let wrong: [(Int, UInt32?)] = [(log.count - 1, nil), (log.count + 1, nil), (log.count, 7)]
        for (length, checksum) in wrong {
            for isPacked in [false, true] {
                var file = ZipFile([("btsnoop_hci.log", log)], isPacked: isPacked)
                file.entries[0].length = length
                file.entries[0].checksum = checksum
                let archive = try Self.archive(file.bytes)
                var count = 0
                #expect(throws: FileReadingError<TrafficError>.self) {
                    try archive.read(archive.log()) { piece throws(TrafficError) in
                        count += piece.count
                    }
                }
                #expect(count == log.count)
                #expect(Self.error(of: file.bytes)?.kind == .wrongChecksum)
            }
        }
    }

    @Test func namesTheMethodOfWhatItCannotUnpack() throws {
        let methods: [(UInt16, String)] = [
            (9, "Deflate64"), (12, "bzip2"), (93, "Zstandard"), (77, "no known"),
        ]
        for (method, word) in methods {
            var file = ZipFile([("btsnoop_hci.log", try Self.log())])
            file.entries[0].method = method
            let error = Self.error(of: file.bytes)
            #expect(error?.kind == .unknownContent && error?.found == Int(method))
            #expect(error?.hint?.contains(word) == true)
        }
        var file = ZipFile([("btsnoop_hci.log", try Self.log())])
        file.entries[0].flags = 1
        #expect(Self.error(of: file.bytes)?.hint?.contains("encrypted") == true)
    }

    @Test func damageKeepsWhatIsBeforeIt() throws {
        var file = ZipFile([("btsnoop_hci.log", log)])
        file.entries[0].packed?[2 * 105 + 1] ^= 1
        let archive = try Self.archive(file.bytes)
        var bytes: [UInt8] = []
        #expect(throws: FileReadingError<TrafficError>.self) {
            try archive.read(archive.log()) { piece throws(TrafficError) in
                bytes += piece.withUnsafeBufferPointer { Array($0) }
            }
        }
        #expect(bytes == Array(log.prefix(200)))
    }

    // MARK: The log

    @Test func prefersTheNamesOfAndroid() throws {
        let report = PackedFile.report([])
        let names = [
            "bugreport-x.txt", Self.path + "btsnooz_hci.log.last",
            Self.path + "btsnoop_hci.log.last", Self.path + "btsnooz_hci.log",
            Self.path + "btsnoop_hci.log.filtered", "FS/data/log/bt/btsnoop_hci.log",
        ]
        for count in 1...names.count {
            let files = names.prefix(count).map { ($0, $0.hasSuffix(".txt") ? report : log) }
            let archive = try Self.archive(ZipFile(files).bytes)
            #expect(try archive.log().name == names[count - 1])
        }
        let empty = [("btsnoop_hci.log", Array(log.prefix(16))), ("btsnooz_hci.log", log)]
        #expect(try Self.archive(ZipFile(empty).bytes).log().name == "btsnooz_hci.log")
    }

    @Test func findsTheOnlyLogByItsContent() throws {
        let files = [
            ("readme.txt", Array("a log of 12 lines\n".utf8)), ("x/data.bin", try Self.log()),
            ("__MACOSX/x/data.bin", try Self.log()), ("note.halo", Array("halo-capture 2\n".utf8)),
            ("empty", []),
        ]
        #expect(try Self.archive(ZipFile(files).bytes).log().name == "x/data.bin")
        let packed = [("log.gz", PackedFile.gzip(try Self.log()))]
        #expect(try Self.archive(ZipFile(packed).bytes).log().name == "log.gz")
        #expect(Self.error(of: ZipFile([]).bytes)?.kind == .noEntry)
        let nested = ZipFile([("inner.zip", ZipFile(files).bytes)]).bytes
        #expect(Self.error(of: nested)?.hint?.contains("unpack the archive") == true)
    }

    @Test func severalLogsAreChosenByName() throws {
        let (one, two) = (try Self.log(), try Self.log("uart.pcap"))
        let archive = try Self.archive(ZipFile([("a/x.log", one), ("b/y.log", two)]).bytes)
        #expect(try archive.logs().map(\.name) == ["a/x.log", "b/y.log"])
        #expect(try archive.log(named: "y.log").name == "b/y.log")
        #expect(try archive.log(named: "a/x.log").name == "a/x.log")
        let file = ZipFile([("a/x.log", one), ("b/x.log", two), ("x.log", one)]).bytes
        #expect(Self.error(of: file)?.found == 3)
        #expect(Self.error(of: file, "x.log") == nil)
        #expect(Self.error(of: file, "b/x.log") == nil)
        #expect(Self.error(of: file, "y.log")?.kind == .noEntry)
        let folders = ZipFile([("a/x.log", one), ("b/x.log", two)]).bytes
        #expect(Self.error(of: folders, "x.log")?.hint?.contains("with its folders") == true)
    }

    // MARK: Import

    @Test(arguments: ["uart.btsnoop.gz", "bugreport.zip", "two-logs.zip"])
    func importsFilesOfOtherPrograms(_ name: String) throws {
        var options = ImportOptions()
        options.entry = name == "two-logs.zip" ? "uart.btsnoop" : nil
        let packed = try FixtureFolder("Captures/Packed").bytes(name)
        #expect(try Capture(importing: packed, options) == Capture(importing: Self.log()))
    }

    private static let report = "Captures/Traffic"

    @Test func importsLikeTheLog() throws {
        let log = try FixtureFolder(Self.report).bytes("bug-report.btsnoop")
        let plain = try Capture(importing: log)
        let name = Self.path + "btsnoop_hci.log"
        #expect(try Capture(importing: ZipFile([(name, log)]).bytes) == plain)
        #expect(try Capture(importing: PackedFile.gzip(log)) == plain)
        var options = ImportOptions()
        options.entry = "b"
        let two = ZipFile([("a", Array(log.prefix(500))), ("b", log)]).bytes
        #expect(try Capture(importing: two, options) == plain)
        #expect(throws: TrafficError.self) { try Capture(importing: two) }
    }

    @Test func readsFilesInPieces() throws {
        let log = try FixtureFolder(Self.report).bytes("bug-report.btsnoop")
        let folder = TestFolder()
        let files = [
            "log": log, "gz": PackedFile.gzip(log), "twice": PackedFile.gzip(PackedFile.gzip(log)),
            "zip": ZipFile([("btsnoop_hci.log", log)]).bytes,
            "cut": PackedFile.gzip(log).dropLast(8),
            "two": ZipFile([("a\u{1B}", log), ("b", log)]).bytes,
        ]
        var found: [String: [UInt8]] = [:]
        var errors: [String: String] = [:]
        for (name, bytes) in files {
            let path = try folder.write(bytes, to: name)
            do {
                var file = try TrafficFile(path)
                var isOpen = true
                while isOpen {
                    isOpen = try file.readPiece { piece in
                        found[name, default: []] += piece.withUnsafeBufferPointer { Array($0) }
                    }
                }
                #expect(file.offset == log.count && file.consumedLength == file.length)
            } catch {
                errors[name] = "\(error)"
            }
        }
        #expect(found["log"] == log && found["gz"] == log && found["zip"] == log)
        #expect(found["cut"] == log && found["twice"] == nil && found["two"] == nil)
        #expect(Set(errors.keys) == ["cut", "twice", "two"])
        #expect(errors["two"]?.contains("choose one by its name: \"a\\x1B\", \"b\"") == true)
        #expect(errors["twice"]?.contains("compressed twice") == true)
    }

    /// The length, then the packed length: the error names the greater one.
    @Test(arguments: [0, 8]) func refusesImpossibleLengths(field: Int) throws {
        var made = ZipFile([("a", [1])], isPacked: false)
        made.isLong = true
        var file = made.bytes
        let start = try #require(file.indices.first { file[$0...].starts(with: [1, 0, 24, 0]) })
        file[start + 4 + field + 7] = 0x7F
        let error = Self.error(of: file)
        #expect(error?.kind == .wrongLength && error?.found == 0x7F00_0000_0000_0001)
    }

    @Test func anErrorNamesEightLogs() throws {
        let folder = TestFolder()
        let file = ZipFile((1...9).map { ("\($0).log", log) })
        let path = try folder.write(file.bytes, to: "nine")
        let error = #expect(throws: FileError.self) { _ = try TrafficFile(path) }
        #expect(error?.reason.contains("choose one by its name: \"1.log\", ") == true)
        #expect(error?.reason.hasSuffix(", \"8.log\", …") == true)
    }
}
