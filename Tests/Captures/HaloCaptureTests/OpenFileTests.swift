import Foundation
import HaloProtocol
import TestSupport
import Testing

@testable import HaloCapture

/// Paths of bytes, and files that are opened once and read several times.
@Suite(.computes) struct OpenFileTests {
    private let folder = TestFolder()

    private static func bytes(_ input: consuming FileInput) throws -> [UInt8] {
        var file = input
        var bytes: [UInt8] = []
        while try file.readPiece({ piece in
            bytes += piece.withUnsafeBufferPointer { Array($0) }
        }) {}
        return bytes
    }

    /// Writes bytes to a pipe on another thread, which waits for the reader, and closes it.
    private static func fill(_ path: String, with data: Data) {
        Thread {
            let handle = FileHandle(forWritingAtPath: path)
            // The reader closes the pipe at its limit.
            try? handle?.write(contentsOf: data)
            try? handle?.close()
        }.start()
    }

    @Test(arguments: [0, 1, 65_535, 65_536, 300_000]) func readsAPipeTwice(count: Int) throws {
        let (path, data) = (folder.path("pipe"), (0..<count).map { UInt8(truncatingIfNeeded: $0) })
        #expect(mkfifo(path, 0o600) == 0)
        Self.fill(path, with: Data(data))
        let file = try #require(try OpenFile(pipe: FilePath(path)))
        #expect(file.length == count)
        for _ in 0..<2 { #expect(try Self.bytes(FileInput(file)) == data) }
        let input = FileInput(file)
        #expect(input.length == count && input.path == path)
        #expect(try folder.names == ["pipe"])
        // The pipe has no reader any more, and the copy has no name.
        #expect(open(path, O_WRONLY | O_NONBLOCK) == -1)
        var status = stat()
        let result = fstat(file.file.descriptor, &status)
        #expect(result == 0 && status.st_nlink == 0)
        #expect(fcntl(file.file.descriptor, F_GETFD) & FD_CLOEXEC != 0)
    }

    /// A regular file is read where it is, but only from its beginning.
    @Test func readsAFileFromItsBeginning() throws {
        let (file, length) = try SystemFile.openFile(FilePath(try folder.write("text", to: "a")))
        #expect(length == 4 && file.lengthFromBeginning == 4)
        #expect(lseek(file.descriptor, 0, SEEK_CUR) == 0)
        #expect(lseek(file.descriptor, 1, SEEK_SET) == 1 && file.lengthFromBeginning == nil)
        for other in [open("/dev/null", O_RDONLY), -1] {
            #expect(SystemFile(other, file.path).lengthFromBeginning == nil)
        }
    }

    @Test func endsAtItsLimit() throws {
        let path = folder.path("pipe")
        #expect(mkfifo(path, 0o600) == 0)
        for (count, isTaken) in [(1_000, true), (1_001, false)] {
            Self.fill(path, with: Data(count: count))
            do throws(FileError) {
                let file = try OpenFile(pipe: FilePath(path), limit: 1_000)
                #expect(isTaken && file?.length == 1_000)
            } catch {
                #expect(!isTaken && error.offset == 1_000 && error.operation == .read)
                #expect(error.description.contains("give a file"))
            }
        }
    }

    @Test func copiesOnlyWhatCannotBeOpenedAgain() throws {
        let path = try folder.write("text", to: "a")
        #expect(try OpenFile(pipe: FilePath(path)) == nil)
        #expect(try OpenFile(pipe: FilePath(folder.path(""))) == nil)
        #expect(try OpenFile(pipe: FilePath(folder.path("none"))) == nil)
        #expect(try OpenFile(pipe: FilePath("/dev/zero")) == nil)
    }

    // MARK: Paths

    @Test func writesAndReadsPathsThatAreNoText() throws {
        let path = FilePath(bytes: folder.path("a").utf8 + [0xFF, 0xE2, 0x28])
        var output = try FileOutput(path)
        #expect(output.temporary != nil)
        try output.write([1, 2, 3])
        #expect(!path.isFile)
        try output.commit()
        #expect(path.isFile)
        #expect(try Self.bytes(FileInput(path)) == [1, 2, 3])
        #expect(output.path == folder.path("a") + #"\xFF\xE2("#)
        let recorder = CaptureRecorder(try RecordingFile(path, replacing: true))
        recorder.finish()
        #expect(try Self.bytes(FileInput(path)) == [1, 2, 3])
        path.remove()
        #expect(!path.isFile)
        #expect(try folder.names == [])
        let error = #expect(throws: FileError.self) { _ = try FileInput(path) }
        #expect(error?.description.contains(#"a\xFF\xE2(" cannot be opened: "#) == true)
        #expect(
            CaptureFileError(CaptureError(.tooManyNames, line: 1, column: 1), in: path)
                .description.contains(#"a\xFF\xE2(":"#))
    }

    /// A file that appears before the end is not replaced, on any file system.
    @Test(arguments: [false, true], [false, true])
    func leavesAFileThatAppearsMeanwhile(_ appears: Bool, _ hasLinks: Bool) throws {
        let path = FilePath(folder.path("a"))
        var output = try FileOutput(path)
        try output.write([1, 2, 3])
        if appears {
            var other = try FileOutput(path)
            try other.write([9])
            try other.commit()
        }
        let isWritten: Bool
        if hasLinks {
            isWritten = try output.commit(replacing: false)
        } else {
            let draft = try SystemFile.createDraft(of: path)
            try draft.file.writeAll(([1, 2, 3] as ContiguousArray).span, at: 0)
            isWritten = try SystemFile.finish(draft, 3, replacing: false, hasLinks: false)
            if !isWritten { draft.temporary.remove() }
        }
        _ = consume output
        #expect(isWritten == !appears)
        #expect(try Self.bytes(FileInput(path)) == (appears ? [9] : [1, 2, 3]))
        #expect(try folder.names == ["a"])
    }

    /// A name of the greatest length leaves no room for the ending of a temporary one.
    @Test func writesAFileOfTheLongestName() throws {
        let name = String(repeating: "a", count: 255)
        var output = try FileOutput(folder.path(name))
        #expect(
            try folder.names.map { $0.hasPrefix("halo-") && $0.hasSuffix(".part") } == [true])
        try output.write([1])
        try output.commit()
        #expect(try folder.names == [name])
    }

    @Test func pathsHaveSuffixesAndFolders() {
        let path = FilePath("b/a.halo")
        #expect(path.removing(suffix: ".halo") == FilePath("b/a"))
        #expect(path.removing(suffix: ".log") == path)
        #expect(path.appending("x").text == "b/a.halox")
        #expect(path.folder == FilePath("b/") && FilePath("a").folder == FilePath(""))
        #expect(FilePath("ä\u{301}").text == "ä\u{301}" && FilePath("ä").quoted == #""\xC3\xA4""#)
    }

    // MARK: Text

    @Test func countsPacketsOfTextInPieces() {
        let text = Array("halo-capture 2\n> a 1 <\n# < \n< b\n<".utf8)
        for cut in text.indices {
            var scan = PacketLineScan()
            scan.read(ContiguousArray(text[..<cut]).span)
            scan.read(ContiguousArray(text[cut...]).span)
            #expect(scan.packetCount == 3)
        }
    }

    @Test func countsConnections() throws {
        let capture = try Capture(
            reading: """
                < adv 02 01 06
                < 2a19 64
                * connected
                < 2a19 64
                * disconnected
                * connected
                * a/connected
                < a/2a19 64
                < b/2a19 64
                < b/2a19 64

                """)
        var counts = LineCounts()
        for line in capture.lines { counts.add(line) }
        #expect(counts.packetCount == 6)
        #expect(counts.connectionCount == 5)
    }
}
