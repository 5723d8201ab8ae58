import Foundation
import HaloCapture
import Testing

/// Captures for publication.
@Suite(.waitsForPrograms) struct ScrubVerbTests {
    private static let fixture = FixtureFolder.url("Sessions/R10Workout.halo")

    /// Calls `body` with a temporary folder that has a capture in it.
    private func folder<Result>(_ body: (URL) throws -> Result) throws -> Result {
        let folder = try ProgramFolder()
        try FileManager.default.copyItem(
            at: Self.fixture, to: folder.url.appendingPathComponent("bug.halo"))
        return try withExtendedLifetime(folder) { try body(folder.url) }
    }

    private func path(_ folder: URL, _ name: String) -> String {
        folder.appendingPathComponent(name).path
    }

    @Test func writesBesideTheCapture() throws {
        try folder { folder in
            let input = path(folder, "bug.halo")
            let outcome = try CommandLineProgram.run(["scrub", input])
            #expect(outcome.status == 0)
            #expect(outcome.errorOutput == "")
            #expect(outcome.output.contains("written: "))
            #expect(outcome.output.contains("not replaced:"))
            let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
            #expect(names == ["bug.halo", "bug.scrubbed.halo"])
            #expect(
                try Data(contentsOf: URL(fileURLWithPath: input)) == Data(contentsOf: Self.fixture))
            let old = try Capture(reading: Data(contentsOf: Self.fixture))
            let new = try Capture(
                reading: Data(contentsOf: folder.appendingPathComponent("bug.scrubbed.halo")))
            #expect(old.lines.compactMap(\.packet).count == new.lines.compactMap(\.packet).count)
            #expect(!new.text.contains("2026-09-05"))
        }
    }

    /// The first eight packets that cannot be decoded are named.
    @Test(arguments: [0, 1, 8, 9]) func namesWhatItReplacesAsAWhole(count: Int) throws {
        let lines = Array(repeating: "< uart 03 4E 00 00\n", count: count).joined()
        let capture = "halo-capture 2\n* connected mtu 247\n\(lines)"
        let outcome = try CommandLineProgram.run(
            ["scrub", "-", "--seed", "1"], input: Data(capture.utf8))
        let named = outcome.errorOutput.split(separator: "\n").filter { $0.hasPrefix("  line ") }
        #expect(named.count == min(count, 8), "\(outcome)")
        #expect(outcome.errorOutput.contains("\n  …\n") == (count > 8))
        let words =
            "not decoded, and replaced as a whole: \(count) packet\(count == 1 ? "" : "s")\n"
        #expect(outcome.errorOutput.contains(words) == (count > 0))
    }

    @Test func saysThatUnknownPacketsAreKept() throws {
        let capture = "halo-capture 2\n# name: Annelies\n< uart 03 4E 00 00\n"
        let outcome = try CommandLineProgram.run(
            ["scrub", "-", "--keep", "unknown"], input: Data(capture.utf8))
        #expect(outcome.output.hasSuffix("\n< uart 03 4E 00 00\n"))
        #expect(
            outcome.errorOutput.contains(
                "not decoded, and kept but for known names and addresses: 1 packet\n"))
    }

    @Test func scrubsAsTheLibraryDoes() throws {
        try folder { folder in
            let output = path(folder, "out.halo")
            let outcome = try CommandLineProgram.run([
                "scrub", path(folder, "bug.halo"), "--out", output, "--seed", "7", "--keep",
                "dates,comments", "--json",
            ])
            #expect(outcome.status == 0)
            let capture = try Capture(reading: Data(contentsOf: Self.fixture))
            let options = ScrubOptions(keeping: [.dates, .comments])
            let (scrubbed, report) = try capture.scrubbed(seed: 7, options)
            #expect(try String(contentsOfFile: output, encoding: .utf8) == scrubbed.text)
            #expect(scrubbed.text.contains("2026-09-05"))
            let object = try outcome.object
            #expect(object["packets"] as? Int == report.packetCount)
            #expect(object["kept"] as? [String] == ["dates", "comments"])
            let replaced = try #require(object["replaced"] as? [String: Int])
            #expect(replaced["health"] == report.replaced[.health])
            #expect(replaced["dates"] == nil)
        }
    }

    @Test func drawsANewSeedEachTime() throws {
        try folder { folder in
            let texts = try ["one", "two"].map { name in
                let output = path(folder, name)
                _ = try CommandLineProgram.run(
                    ["scrub", path(folder, "bug.halo"), "--out", output])
                return try String(contentsOfFile: output, encoding: .utf8)
            }
            #expect(texts[0] != texts[1])
        }
    }

    @Test func refusesToReplaceTheCapture() throws {
        try folder { folder in
            let input = path(folder, "bug.halo")
            let link = path(folder, "link.halo")
            try FileManager.default.createSymbolicLink(
                atPath: link, withDestinationPath: input)
            for output in [input, "\(folder.path)/./bug.halo", link] {
                let outcome = try CommandLineProgram.run(["scrub", input, "--out", output])
                #expect(outcome.status == 2)
                #expect(outcome.errorOutput.contains("would overwrite its own input"))
            }
            #expect(
                try Data(contentsOf: URL(fileURLWithPath: input)) == Data(contentsOf: Self.fixture))
        }
    }

    @Test func scrubsTheLinesBeforeAnError() throws {
        try folder { folder in
            let input = folder.appendingPathComponent("cut.halo")
            let text = "halo-capture 2\n> uart 03 00 00 00 00 00 00 00 00 00 00 00 00 00 00 03\n"
            try Data((text + "> uart 0\n").utf8).write(to: input)
            let outcome = try CommandLineProgram.run(["scrub", input.path, "--json"])
            #expect(outcome.status == 1)
            #expect(outcome.errorOutput.contains("3:9"))
            #expect(outcome.errorOutput.contains("cut.halo"))
            let scrubbed = try String(
                contentsOfFile: path(folder, "cut.scrubbed.halo"), encoding: .utf8)
            #expect(scrubbed.hasSuffix(String(text.dropFirst("halo-capture 2\n".count))))
            let error = try #require(try outcome.objects.last)
            #expect(error["type"] as? String == "error" && error["status"] as? Int == 1)
            #expect((error["message"] as? String)?.contains("3:9") == true)
        }
    }

    @Test func leavesOutTheIncompleteLastLineOfARecording() throws {
        try folder { folder in
            let input = folder.appendingPathComponent("cut.halo")
            try Data("halo-capture 2\n* connected\n> uart 0".utf8).write(to: input)
            let outcome = try CommandLineProgram.run(["scrub", input.path])
            #expect(outcome.status == 0)
            #expect(outcome.errorOutput.contains("the recording was cut off; 8 bytes at its end"))
        }
    }

    @Test func importsALog() throws {
        try folder { folder in
            let log = FixtureFolder.url("Captures/Traffic/bug-report.btsnoop").path
            let output = path(folder, "scrubbed.halo")
            let outcome = try CommandLineProgram.run(["scrub", log, "--out", output])
            #expect(outcome.status == 0, "\(outcome.errorOutput)")
            let capture = try Capture(contentsOf: output)
            #expect(capture.lines.count(where: { $0.packet != nil }) > 587)
            #expect(!capture.text.contains("R12_55A6") && !capture.text.contains("C1:22:33"))
        }
    }

    @Test func writesNoFileIfNoLineCanBeRead() throws {
        try folder { folder in
            let input = folder.appendingPathComponent("no.halo")
            try Data("nonsense\n".utf8).write(to: input)
            let outcome = try CommandLineProgram.run(["scrub", input.path])
            #expect(outcome.status == 3 && outcome.output == "")
            #expect(outcome.errorOutput.contains("no.halo"))
            let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            #expect(!files.contains { $0.contains("scrubbed") })
        }
    }

    @Test func reportsFilesThatCannotBeReadOrWritten() throws {
        try folder { folder in
            for input in [path(folder, "none.halo"), folder.path, "/dev/null"] {
                let outcome = try CommandLineProgram.run(["scrub", input])
                #expect(outcome.status == 3)
                #expect(outcome.errorOutput.contains("halo: \"/"))
                #expect(outcome.output == "")
            }
            let outcome = try CommandLineProgram.run(
                ["scrub", path(folder, "bug.halo"), "--out", path(folder, "no/such.halo")])
            #expect(outcome.status == 3)
            #expect(outcome.errorOutput.contains("such.halo"))
        }
    }
}
