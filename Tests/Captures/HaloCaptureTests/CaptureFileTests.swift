import Foundation
import HaloProtocol
import TestSupport
import Testing

@testable import HaloCapture

@Suite(.computes) struct CaptureFileTests {
    private let folder = TestFolder()

    private static func reason(_ body: () throws -> Void) -> String? {
        let error = #expect(throws: FileError.self) { try body() }
        return error?.reason
    }

    @Test func writesAndReadsACapture() throws {
        let capture = try Capture(reading: CaptureRoundTripTests.everything)
        try capture.write(to: folder.path("a.halo"))
        #expect(try folder.text("a.halo") == CaptureRoundTripTests.everything)
        #expect(try Capture(contentsOf: folder.path("a.halo")) == capture)
        #expect(try folder.names == ["a.halo"])
    }

    @Test func aWrittenFileHasItsLength() throws {
        var file = try FileOutput(folder.path("a"))
        #expect(file.length == 0)
        try file.write([1, 2, 3])
        try file.write([])
        try file.write([4])
        #expect(file.length == 4)
        #expect(try folder.names != ["a"])
        try file.commit()
        try file.commit()
        #expect(try folder.names == ["a"])
    }

    @Test func readsARecordingThatWasCutOff() throws {
        let path = try folder.write("halo-capture 2\n> uart 03\n> uart 0", to: "cut.halo")
        #expect(try Capture(contentsOf: path).lines.count == 2)
        var reader = CaptureReader()
        try reader.read(contentsOf: path)
        #expect(try reader.finishCutOff().leftOutCount == 8)
    }

    @Test func namesFileLineAndColumn() throws {
        let wrong = try folder.write("# a\n< urat 00\n", to: "wrong.halo")
        let error = #expect(throws: CaptureFileError.self) { try Capture(contentsOf: wrong) }
        #expect(error?.capture == CaptureError(.unknownChannel, line: 2, column: 3))
        #expect(error?.description.contains("wrong.halo\":2:3: ") == true, "\(error as Any)")
        let cut = try folder.write("# a fixture\n> uart 0", to: "cut.halo")
        let unfinished = #expect(throws: CaptureFileError.self) { try Capture(contentsOf: cut) }
        #expect(unfinished?.capture?.kind == .unfinishedLine)
        let missing = #expect(throws: CaptureFileError.self) {
            try Capture(contentsOf: folder.path("missing\u{1B}.halo"))
        }
        #expect(missing?.file?.operation == .open)
        #expect(missing?.description.utf8.contains(0x1B) == false)
    }

    @Test func readsOnlyFiles() throws {
        #expect(mkfifo(folder.path("pipe"), 0o600) == 0)
        #expect(Self.reason { _ = try FileInput(folder.path("pipe")) }?.contains("pipe") == true)
        #expect(Self.reason { _ = try FileInput(folder.path) }?.contains("folder") == true)
        #expect(Self.reason { _ = try FileInput("/dev/null") } == "it is not a file")
        #expect(Self.reason { _ = try FileInput("a\0b") }?.contains("NUL") == true)
        #expect(Self.reason { _ = try FileInput("") } != nil)
        try FileManager.default.createSymbolicLink(
            atPath: folder.path("round"), withDestinationPath: folder.path("round"))
        #expect(Self.reason { _ = try FileInput(folder.path("round")) } != nil)
    }

    @Test func readsAsMuchAsThereWas() throws {
        let path = try folder.write(String(repeating: "x", count: 300_000), to: "grows")
        var file = try FileInput(path)
        let handle = try #require(FileHandle(forWritingAtPath: path))
        try handle.seekToEnd()
        var count = 0
        while try file.readPiece({ count += $0.count }) {
            try handle.write(contentsOf: Data("more".utf8))
        }
        #expect(count == 300_000)
        #expect(file.offset == 300_000)

        var shrinking = try FileInput(path)
        var isFirst = true
        count = 0
        while try shrinking.readPiece({ count += $0.count }) {
            if isFirst { try handle.truncate(atOffset: 10) }
            isFirst = false
        }
        #expect(count == FileInput.pieceLength)
        let rest = try shrinking.read(2..<20)
        #expect(rest.count == 8)
    }

    #if os(Linux)
    @Test func closesItsFiles() throws {
        var openCount: Int { openFiles().values.count { $0.contains(folder.name) } }
        let path = FilePath(folder.path("a"))
        do {
            var output = try FileOutput(path)
            try output.write([1])
            #expect(openCount == 1)
            try output.commit()
        }
        do {
            let input = try FileInput(path)
            #expect(openCount == 1)
            #expect(input.length == 1)
        }
        do {
            let log = try RecordingFile(FilePath(folder.path("b")), replacing: false)
            #expect(openCount == 1)
            try log.finish()
        }
        let other = FilePath(folder.path("c"))
        do {
            let draft = try SystemFile.createDraft(of: other)
            #expect(try SystemFile.finish(draft, 0, replacing: false, hasLinks: false))
        }
        #expect(Self.reason { _ = try FileInput(folder.path) } == "it is a folder")
        #expect(openCount == 0)
    }
    #endif

    @Test func repeatsCallsThatASignalInterrupts() {
        var results = [-1, -1, 7]
        let result = SystemFile.retrying { () -> Int in
            errno = EINTR
            return results.removeFirst()
        }
        #expect(result == 7 && results.isEmpty)
        var count = 0
        let failed = SystemFile.retrying { () -> Int in
            errno = EBADF
            count += 1
            return -1
        }
        #expect(failed == -1 && count == 1)
    }

    /// Root may read any file: then the result is the system's.
    @Test func reportsMissingPermissions() throws {
        let path = try folder.write("x", to: "secret")
        #expect(chmod(path, 0) == 0)
        if access(path, R_OK) == 0 {
            _ = try FileInput(path)
        } else {
            #expect(Self.reason { _ = try FileInput(path) }?.isEmpty == false)
        }
    }

    @Test func leavesNoPartialFile() throws {
        let path = try folder.write("old", to: "a")
        do {
            var file = try FileOutput(path)
            try file.write("new".utf8)
            #expect(try folder.text("a") == "old")
            #expect(try folder.names.count == 2)
        }
        #expect(try folder.names == ["a"])
        #expect(try folder.text("a") == "old")
        var file = try FileOutput(path)
        try file.write("new".utf8)
        try file.commit()
        #expect(try folder.text("a") == "new")
        let nothing = folder.path("nothing")
        let empty = try RecordingFile(FilePath(nothing), replacing: false)
        try empty.finish()
        #expect(
            Self.reason { _ = try SystemFile.openFile(FilePath(nothing)) }
                == String(cString: strerror(ENOENT)))
        #expect(try folder.names == ["a"])
        // A file that is there by now is another one's.
        try folder.write("other", to: "nothing")
        try empty.finish()
        #expect(try folder.names == ["a", "nothing"])
    }

    /// A file that cannot get its name leaves the old one, or none.
    @Test(arguments: [false, true]) func leavesTheOldFileIfTheNewOneIsLost(isNew: Bool) throws {
        let path = FilePath(folder.path("a"))
        if !isNew { try folder.write("old", to: "a") }
        let draft = try SystemFile.createDraft(of: path)
        draft.temporary.remove()
        let error = #expect(throws: FileError.self) {
            try SystemFile.finish(draft, 0, replacing: !isNew)
        }
        #expect(error?.operation == .create)
        #expect(try folder.names == (isNew ? [] : ["a"]))
    }

    /// The content of a pipe cannot be made to survive a power failure.
    @Test func givesNoNameToAFileThatIsNotSafe() throws {
        let path = FilePath(folder.path("a"))
        var ends: [Int32] = [0, 0]
        let result = pipe(&ends)
        #expect(result == 0)
        defer { close(ends[0]) }
        let file = SystemFile(ends[1], path)
        let draft = SystemFile.Draft(
            file: file, temporary: FilePath(try folder.write("new", to: "b")), destination: path)
        let error = #expect(throws: FileError.self) {
            try SystemFile.finish(draft, 3, replacing: true)
        }
        #expect(error?.operation == .write && error?.offset == 3)
        #expect(try folder.names == ["b"])
        let recorder = CaptureRecorder(RecordingFile(file))
        recorder.finish()
        #expect(recorder.failure?.kind == .file && recorder.failure?.file?.offset == 0)
    }

    /// The permissions of a file, and of a recording that replaces another one.
    @Test(arguments: [nil, 0o644, 0o600, 0o660] as [mode_t?])
    func onlyTheOwnerReadsIt(replacing mode: mode_t?) throws {
        for name in ["file", "recording"] {
            let path = folder.path(name)
            if let mode {
                try folder.write("old", to: name)
                #expect(chmod(path, mode) == 0)
            }
            if name == "file" {
                let file = try FileOutput(path)
                let temporary = file.temporary?.text
                #expect(try temporary.map(Self.mode) == 0o600)
                try Capture([.blank]).write(to: path)
            } else {
                let file = try RecordingFile(FilePath(path), replacing: true)
                try file.write(Array("> uart 03\n".utf8).span)
                #expect(try folder.text(name) == "> uart 03\n")
            }
            #expect(try Self.mode(path) == 0o600)
        }
    }

    private static func mode(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    @Test func replacesTheDestinationOfALink() throws {
        try folder.write("old", to: "target")
        try FileManager.default.createSymbolicLink(
            atPath: folder.path("link"), withDestinationPath: folder.path("target"))
        try Capture([.comment("new")]).write(to: folder.path("link"))
        #expect(try folder.text("target") == "# new\n")
        let destination = try FileManager.default.destinationOfSymbolicLink(
            atPath: folder.path("link"))
        #expect(destination == folder.path("target"))
        try FileManager.default.removeItem(atPath: folder.path("target"))
        #expect(
            Self.reason { _ = try FileOutput(folder.path("link")) } == "it is a broken link")
    }

    @Test func replacesOnlyFiles() throws {
        #expect(Self.reason { _ = try FileOutput("/dev/null") } == "it is not a file")
        #expect(Self.reason { _ = try FileOutput(folder.path("")) } == "it is a folder")
        #expect(mkfifo(folder.path("pipe"), 0o600) == 0)
        #expect(Self.reason { _ = try FileOutput(folder.path("pipe")) }?.contains("pipe") == true)
        #expect(Self.reason { _ = try FileOutput(folder.path("no/file")) } != nil)
        #expect(Self.reason { _ = try FileOutput("") } != nil)
        #expect(Self.reason { _ = try FileOutput("a\0b") }?.contains("NUL") == true)
        let log = { (path: String) in
            Self.reason { _ = try RecordingFile(FilePath(path), replacing: false) }
        }
        #expect(log(folder.path("")) == "it is a folder")
        #expect(log(folder.path("pipe"))?.contains("pipe") == true)
        #expect(try folder.names == ["pipe"])
    }

    @Test func reportsAFullDisk() throws {
        let full = open("/dev/full", O_WRONLY)
        guard full >= 0 else { return }
        let file = SystemFile(full, FilePath("full.halo"))
        let bytes = ContiguousArray("# text\n".utf8)
        let error = #expect(throws: FileError.self) {
            try file.writeAll(bytes.span, at: 100)
        }
        #expect(error?.operation == .write)
        #expect(error?.offset == 100)
        let reason = String(cString: strerror(ENOSPC))
        #expect(error?.description == "\"full.halo\" cannot be written at byte 100: \(reason)")
    }

    @Test func errorsNameTheByteUnlessItIsTheFirst() {
        let first = FileError(.read, "a", reason: "it is gone")
        #expect(FileError(.read, FilePath("a"), reason: "it is gone") == first)
        #expect(first.offset == 0 && first.description == "\"a\" cannot be read: it is gone")
        let second = FileError(.read, "a", at: 1, reason: "it is gone")
        #expect(second.description == "\"a\" cannot be read at byte 1: it is gone")
    }

    @Test func createsLogsOnlyWithoutAnExistingFile() throws {
        let path = FilePath(try folder.write("old", to: "a"))
        #expect(
            Self.reason { _ = try RecordingFile(path, replacing: false) } == "there is one already")
        #expect(try folder.text("a") == "old")
        let log = try RecordingFile(path, replacing: true)
        #expect(try folder.text("a") == "old")
        try log.finish()
        #expect(try folder.text("a") == "old")
        try log.write(ContiguousArray("halo-capture 2\n* connected\n".utf8).span)
        try log.finish()
        #expect(try folder.text("a") == "old", "there is no packet yet")
        #expect(log.keepsOldContent)
        try log.write(ContiguousArray("< 2a19 64\n".utf8).span)
        #expect(try folder.text("a") == "halo-capture 2\n* connected\n< 2a19 64\n")
        #expect(!log.keepsOldContent)
        #expect(
            Self.reason { _ = try RecordingFile(FilePath("/dev/full"), replacing: true) }
                == "it is not a file")
    }

    /// Before the first packet at most a mebibyte is held.
    @Test(arguments: [(0, true), (1, false)]) func holdsAMebibyte(more: Int, isHeld: Bool) throws {
        let path = FilePath(try folder.write("old", to: "a"))
        let log = try RecordingFile(path, replacing: true)
        let text = "#" + String(repeating: "x", count: (1 << 20) - 2 + more) + "\n"
        try log.write(ContiguousArray(text.utf8).span)
        #expect(log.keepsOldContent == isHeld)
        #expect(try folder.text("a") == (isHeld ? "old" : text))
    }
}
