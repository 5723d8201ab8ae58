import Foundation
import HaloProtocol
import Testing

@testable import HaloCapture

@Suite struct CaptureFileTests {
    private static func reason(_ body: () throws -> Void) -> String? {
        let error = #expect(throws: FileError.self) { try body() }
        return error?.reason
    }

    @Test func writesAndReadsACapture() throws {
        let folder = try TestFolder()
        let capture = try Capture(reading: CaptureRoundTripTests.everything)
        try capture.write(to: folder.path("a.halo"))
        #expect(try folder.text("a.halo") == CaptureRoundTripTests.everything)
        #expect(try Capture(contentsOf: folder.path("a.halo")) == capture)
        #expect(try folder.names == ["a.halo"])
    }

    @Test func aWrittenFileHasItsLength() throws {
        let folder = try TestFolder()
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
        let folder = try TestFolder()
        let path = try folder.write("halo-capture 2\n> uart 03\n> uart 0", to: "cut.halo")
        #expect(try Capture(contentsOf: path).lines.count == 2)
        var reader = CaptureReader()
        try reader.read(contentsOf: path)
        #expect(try reader.finishCutOff().leftOutCount == 8)
    }

    @Test func namesFileLineAndColumn() throws {
        let folder = try TestFolder()
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
        let folder = try TestFolder()
        #expect(mkfifo(folder.path("pipe"), 0o600) == 0)
        #expect(Self.reason { _ = try FileInput(folder.path("pipe")) }?.contains("pipe") == true)
        #expect(Self.reason { _ = try FileInput(folder.path("")) }?.contains("folder") == true)
        #expect(Self.reason { _ = try FileInput("/dev/null") } == "it is not a file")
        #expect(Self.reason { _ = try FileInput("a\0b") }?.contains("NUL") == true)
        #expect(Self.reason { _ = try FileInput("") } != nil)
        try FileManager.default.createSymbolicLink(
            atPath: folder.path("round"), withDestinationPath: folder.path("round"))
        #expect(Self.reason { _ = try FileInput(folder.path("round")) } != nil)
    }

    @Test func readsAsMuchAsThereWas() throws {
        let folder = try TestFolder()
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
    }

    /// Root may read any file: then the result is the system's.
    @Test func reportsMissingPermissions() throws {
        let folder = try TestFolder()
        let path = try folder.write("x", to: "secret")
        #expect(chmod(path, 0) == 0)
        if access(path, R_OK) == 0 {
            _ = try FileInput(path)
        } else {
            #expect(Self.reason { _ = try FileInput(path) }?.isEmpty == false)
        }
    }

    @Test func leavesNoPartialFile() throws {
        let folder = try TestFolder()
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
        #expect(Self.reason { _ = try SystemFile.open(FilePath(nothing)) } != nil)
        #expect(try folder.names == ["a"])
    }

    @Test func keepsPermissions() throws {
        let folder = try TestFolder()
        let path = try folder.write("old", to: "a")
        #expect(chmod(path, 0o600) == 0)
        try Capture([.blank]).write(to: path)
        #expect(try folder.permissions("a") == 0o600)
    }

    @Test func replacesTheDestinationOfALink() throws {
        let folder = try TestFolder()
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
        let folder = try TestFolder()
        #expect(Self.reason { _ = try FileOutput("/dev/null") } == "it is not a file")
        #expect(Self.reason { _ = try FileOutput(folder.path("")) } == "it is a folder")
        #expect(mkfifo(folder.path("pipe"), 0o600) == 0)
        #expect(Self.reason { _ = try FileOutput(folder.path("pipe")) }?.contains("pipe") == true)
        #expect(Self.reason { _ = try FileOutput(folder.path("no/file")) } != nil)
        #expect(Self.reason { _ = try FileOutput("") } != nil)
        #expect(Self.reason { _ = try FileOutput("a\0b") }?.contains("NUL") == true)
        #expect(try folder.names == ["pipe"])
    }

    @Test func reportsAFullDisk() throws {
        let full = open("/dev/full", O_WRONLY)
        guard full >= 0 else { return }
        defer { close(full) }
        let bytes = ContiguousArray("# text\n".utf8)
        let error = #expect(throws: FileError.self) {
            try SystemFile.write(full, bytes.span, FilePath("full.halo"), 100)
        }
        #expect(error?.operation == .write)
        #expect(error?.offset == 100)
        #expect(error?.description.contains("full.halo") == true)
    }

    @Test func createsLogsOnlyWithoutAnExistingFile() throws {
        let folder = try TestFolder()
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
}
