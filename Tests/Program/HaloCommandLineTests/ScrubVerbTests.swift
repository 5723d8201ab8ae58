import Foundation
import HaloCapture
import TestSupport
import Testing

/// Captures for publication.
@Suite(.waitsForPrograms) struct ScrubVerbTests {
    private static let fixture = FixtureFolder.url("Sessions/R10Workout.halo")

    /// A folder with a capture in it.
    private let folder = TestFolder()

    init() throws {
        try FileManager.default.copyItem(atPath: Self.fixture.path, toPath: folder.path("bug.halo"))
    }

    @Test func writesBesideTheCapture() throws {
        let input = folder.path("bug.halo")
        let outcome = try CommandLineProgram.run(["scrub", input])
        #expect(outcome.status == 0)
        #expect(outcome.errorOutput == "")
        #expect(outcome.output.contains("written: "))
        #expect(outcome.output.contains("not replaced:"))
        #expect(try folder.names == ["bug.halo", "bug.scrubbed.halo"])
        #expect(try Data(folder.bytes("bug.halo")) == Data(contentsOf: Self.fixture))
        let old = try Capture(reading: Data(contentsOf: Self.fixture))
        let new = try Capture(reading: folder.bytes("bug.scrubbed.halo"))
        #expect(old.lines.compactMap(\.packet).count == new.lines.compactMap(\.packet).count)
        #expect(!new.text.contains("2026-09-05"))
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
        let output = folder.path("out.halo")
        let outcome = try CommandLineProgram.run([
            "scrub", folder.path("bug.halo"), "--out", output, "--seed", "7", "--keep",
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

    @Test func drawsANewSeedEachTime() throws {
        let texts = try ["one", "two"].map { name in
            let output = folder.path(name)
            _ = try CommandLineProgram.run(
                ["scrub", folder.path("bug.halo"), "--out", output])
            return try String(contentsOfFile: output, encoding: .utf8)
        }
        #expect(texts[0] != texts[1])
    }

    @Test func refusesToReplaceTheCapture() throws {
        let input = folder.path("bug.halo")
        let link = folder.path("link.halo")
        try FileManager.default.createSymbolicLink(
            atPath: link, withDestinationPath: input)
        for output in [input, "\(folder.path)/./bug.halo", link] {
            let outcome = try CommandLineProgram.run(["scrub", input, "--out", output])
            #expect(outcome.status == 2)
            #expect(outcome.errorOutput.contains("would overwrite its own input"))
        }
        #expect(try Data(folder.bytes("bug.halo")) == Data(contentsOf: Self.fixture))
    }

    @Test func scrubsTheLinesBeforeAnError() throws {
        let text = "halo-capture 2\n> uart 03 00 00 00 00 00 00 00 00 00 00 00 00 00 00 03\n"
        let input = try folder.write(text + "> uart 0\n", to: "cut.halo")
        let outcome = try CommandLineProgram.run(["scrub", input, "--json"])
        #expect(outcome.status == 1)
        #expect(outcome.errorOutput.contains("3:9"))
        #expect(outcome.errorOutput.contains("cut.halo"))
        let scrubbed = try folder.text("cut.scrubbed.halo")
        #expect(scrubbed.hasSuffix(String(text.dropFirst("halo-capture 2\n".count))))
        let error = try #require(try outcome.objects.last)
        #expect(error["type"] as? String == "error" && error["status"] as? Int == 1)
        #expect((error["message"] as? String)?.contains("3:9") == true)
    }

    @Test func leavesOutTheIncompleteLastLineOfARecording() throws {
        let input = try folder.write("halo-capture 2\n* connected\n> uart 0", to: "cut.halo")
        let outcome = try CommandLineProgram.run(["scrub", input])
        #expect(outcome.status == 0)
        #expect(outcome.errorOutput.contains("the recording was cut off; 8 bytes at its end"))
    }

    @Test func importsALog() throws {
        let log = FixtureFolder.url("Captures/Traffic/bug-report.btsnoop").path
        let output = folder.path("scrubbed.halo")
        let outcome = try CommandLineProgram.run(["scrub", log, "--out", output])
        #expect(outcome.status == 0, "\(outcome.errorOutput)")
        let capture = try Capture(contentsOf: output)
        #expect(capture.lines.count(where: { $0.packet != nil }) > 587)
        #expect(!capture.text.contains("R12_55A6") && !capture.text.contains("C1:22:33"))
    }

    @Test func writesNoFileIfNoLineCanBeRead() throws {
        let input = try folder.write("nonsense\n", to: "no.halo")
        let outcome = try CommandLineProgram.run(["scrub", input])
        #expect(outcome.status == 3 && outcome.output == "")
        #expect(outcome.errorOutput.contains("no.halo"))
        let files = try folder.names
        #expect(!files.contains { $0.contains("scrubbed") })
    }

    @Test func reportsFilesThatCannotBeReadOrWritten() throws {
        for input in [folder.path("none.halo"), folder.path, "/dev/null"] {
            let outcome = try CommandLineProgram.run(["scrub", input])
            #expect(outcome.status == 3)
            #expect(outcome.errorOutput.contains("halo: \"/"))
            #expect(outcome.output == "")
        }
        let outcome = try CommandLineProgram.run(
            ["scrub", folder.path("bug.halo"), "--out", folder.path("no/such.halo")])
        #expect(outcome.status == 3)
        #expect(outcome.errorOutput.contains("such.halo"))
    }
}
