import Foundation
import HaloCapture
import TestSupport
import Testing

/// Checks of captures, and comparisons with virtual rings.
@Suite(.waitsForPrograms) struct ReplayVerbTests {
    private static let sync = FixtureFolder.url("Sessions/QRingR12Sync.halo").path

    private func run(
        _ text: String, _ arguments: [String] = []
    ) throws -> CommandLineProgram.Outcome {
        let folder = TestFolder()
        let path = try folder.write(text.utf8, to: "a.halo")
        return try CommandLineProgram.run(["replay", path] + arguments)
    }

    @Test func findsNoDifferenceInARecordedSession() throws {
        let outcome = try CommandLineProgram.run(["replay", Self.sync])
        #expect(outcome.status == 0 && outcome.errorOutput == "")
        #expect(outcome.lines.count == 2, "a note is not explained")
        #expect(outcome.lines.last?.contains("84 requests, 84 completed") == true)
        #expect(outcome.lines.last?.contains("0 differences") == true)
    }

    @Test func explainsADifference() throws {
        let outcome = try run("+ 1.5s\n< uart 03 4E 00 00 00 00 00 00 00 00 00 00 00 00 00 52\n")
        #expect(outcome.status == 1)
        #expect(outcome.lines.first?.hasPrefix("+1.500000s line 2: difference: ") == true)
        #expect(outcome.output.contains("checksum"))
        #expect(outcome.lines.dropFirst().first == "a frame of the UART channel")
    }

    /// Six digits of a second, with their zeros.
    @Test(arguments: [("45us", "+0.000045s"), ("10.05s", "+10.050000s"), ("1s", "+1.000000s")])
    func printsMicroseconds(_ elapsed: String, _ time: String) throws {
        let outcome = try run(
            "+ \(elapsed)\n< uart 03 4E 00 00 00 00 00 00 00 00 00 00 00 00 00 52\n")
        #expect(outcome.lines.first?.hasPrefix("\(time) line 2: ") == true, "\(outcome)")
    }

    @Test func printsTheSameAsJSON() throws {
        let outcome = try CommandLineProgram.run(
            ["replay", "--json", Self.sync, "--against", "r12"])
        let objects = try outcome.objects
        #expect(outcome.status == 0, "\(outcome.output)")
        #expect(objects.map { $0["type"] as? String } == ["finding", "summary", "comparison"])
        #expect(objects[0]["kind"] as? String == "unsolicited")
        #expect(objects[0]["line"] as? Int == 107)
        #expect(objects[1]["completed"] as? Int == 84)
        #expect(objects[2]["sent"] as? Int == 84 && objects[2]["differences"] as? Int == 0)
    }

    @Test func reportsTheRepliesOfAnotherModel() throws {
        let outcome = try CommandLineProgram.run(["replay", Self.sync, "--against", "R02"])
        #expect(outcome.status == 1)
        #expect(outcome.output.contains("against a virtual R02: requests sent: 84, "))
        #expect(outcome.output.contains("recorded ["))
        let json = try CommandLineProgram.run(["replay", "--json", Self.sync, "--against", "R02"])
        let objects = try json.objects
        let count = objects.count { $0["type"] as? String == "exchange" }
        #expect(count > 0 && count == objects.last?["differences"] as? Int)
    }

    /// A virtual ring has no hardware that a request could harm.
    @Test func sendsDangerousRequestsToAVirtualRing() throws {
        let outcome = try run(
            "> uart 08 01 00 00 00 00 00 00 00 00 00 00 00 00 00 09\n",
            ["--against", "r02", "--json"])
        let comparison = try #require(try outcome.objects.last)
        #expect(comparison["sent"] as? Int == 1 && comparison["skipped"] as? [String] == [])
    }

    @Test(arguments: [
        ("< 12345678-1234-1234-1234-123456789abc 01 02\n", true), ("# none\n", false),
    ])
    func saysThatNoPacketIsKnown(_ text: String, isSaid: Bool) throws {
        let outcome = try run(text)
        let remark = "halo: no packet comes from a device that this program knows\n"
        #expect(outcome.errorOutput == (isSaid ? remark : ""))
    }

    /// A thousand findings are kept.
    @Test func countsFurtherFindings() throws {
        let frame = "< uart 03 4E 00 00 00 00 00 00 00 00 00 00 00 00 00 52\n"
        let outcome = try run(String(repeating: frame, count: 1001))
        #expect(outcome.lines.contains("further findings: 1"))
    }

    @Test func replaysTheLinesBeforeAnError() throws {
        let outcome = try run("> uart 03 00 00 00 00 00 00 00 00 00 00 00 00 00 00 03\nnonsense\n")
        #expect(outcome.status == 1)
        #expect(outcome.errorOutput.contains("2:1"))
        #expect(outcome.errorOutput.contains("1 line before that is replayed"))
        #expect(outcome.output.contains("1 packet, 1 decoded"))
    }

    @Test func importsALog() throws {
        let log = FixtureFolder.url("Captures/Traffic/bug-report.btsnoop").path
        let outcome = try CommandLineProgram.run(["replay", log])
        #expect(outcome.status == 1)
        #expect(outcome.output.contains("checksum at byte 15: expected 4B, found 4F."))
        #expect(outcome.output.contains(", 1 difference,"))
    }

    @Test func reportsAMissingFile() throws {
        let outcome = try CommandLineProgram.run(["replay", "/nowhere/at-all.halo"])
        #expect(outcome.status == 3 && outcome.output == "")
        #expect(outcome.errorOutput.contains("/nowhere/at-all.halo"))
    }
}
