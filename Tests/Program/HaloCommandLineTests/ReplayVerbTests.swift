import Foundation
import HaloCapture
import Testing

/// Checks of captures, and comparisons with virtual rings.
@Suite(.waitsForPrograms) struct ReplayVerbTests {
    private static let sync = FixtureFolder.url("Sessions/QRingR12Sync.halo").path

    private func run(
        _ text: String, _ arguments: [String] = []
    ) throws -> CommandLineProgram.Outcome {
        let folder = try ProgramFolder()
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
    @Test(arguments: [("45us", "+0.000045s"), ("10.05s", "+10.050000s"), ("1ms", "+0.001000s")])
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
        #expect(outcome.output.contains("against a virtual R02: 84 requests were sent"))
        #expect(outcome.output.contains("recorded ["))
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
