import Foundation
import HaloCapture
import Testing

struct ReplayVerbTests {
    private static let sync = FixtureFolder.url("Sessions/QRingR12Sync.halo").path

    private func run(
        _ text: String, _ arguments: [String] = []
    ) throws -> CommandLineProgram.Outcome {
        let file = FileManager.default.temporaryDirectory
            .appendingPathComponent("halo-replay-\(UUID().uuidString).halo")
        try Data(text.utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        return try CommandLineProgram.run(["replay", file.path] + arguments)
    }

    private func objects(_ outcome: CommandLineProgram.Outcome) throws -> [[String: Any]] {
        try outcome.lines.map { line in
            let object = try JSONSerialization.jsonObject(with: Data(line.utf8))
            return try #require(object as? [String: Any])
        }
    }

    @Test func aRecordedSessionIsClean() throws {
        let outcome = try CommandLineProgram.run(["replay", Self.sync])
        #expect(outcome.status == 0 && outcome.complaints == "")
        #expect(outcome.lines.last?.contains("84 requests, 84 completed") == true)
        #expect(outcome.lines.last?.contains("0 differences") == true)
    }

    @Test func aDifferenceIsExplained() throws {
        let outcome = try run("+ 1.5s\n< uart 03 4E 00 00 00 00 00 00 00 00 00 00 00 00 00 52\n")
        #expect(outcome.status == 1)
        #expect(outcome.lines.first?.hasPrefix("+1.500000s line 2: difference: ") == true)
        #expect(outcome.output.contains("checksum"))
    }

    @Test func jsonSaysTheSame() throws {
        let outcome = try CommandLineProgram.run(
            ["replay", "--json", Self.sync, "--against", "r12"])
        let objects = try objects(outcome)
        #expect(outcome.status == 0, "\(outcome.output)")
        #expect(objects.map { $0["type"] as? String } == ["finding", "summary", "comparison"])
        #expect(objects[0]["kind"] as? String == "unsolicited")
        #expect(objects[0]["line"] as? Int == 107)
        #expect(objects[1]["completed"] as? Int == 84)
        #expect(objects[2]["sent"] as? Int == 84 && objects[2]["differences"] as? Int == 0)
    }

    @Test func anotherRingAnswersInAnotherWay() throws {
        let outcome = try CommandLineProgram.run(["replay", Self.sync, "--against", "R02"])
        #expect(outcome.status == 1)
        #expect(outcome.output.contains("against a virtual R02: 84 requests were sent"))
        #expect(outcome.output.contains("recorded ["))
    }

    @Test func whatStandsBeforeAnErrorIsReplayed() throws {
        let outcome = try run("> uart 03 00 00 00 00 00 00 00 00 00 00 00 00 00 00 03\nnonsense\n")
        #expect(outcome.status == 1)
        #expect(outcome.complaints.contains("2:1"))
        #expect(outcome.complaints.contains("1 line before that is replayed"))
        #expect(outcome.output.contains("1 packet, 1 decoded"))
    }

    @Test func aLogIsImportedOnTheWay() throws {
        let log = FixtureFolder.url("Captures/Traffic/bug-report.btsnoop").path
        let outcome = try CommandLineProgram.run(["replay", log])
        #expect(outcome.status == 1)
        #expect(outcome.output.contains("checksum at byte 15: expected 4B, found 4F."))
        #expect(outcome.output.contains(", 1 difference,"))
    }

    @Test func aFileThatIsNotThereIsSaid() throws {
        let outcome = try CommandLineProgram.run(["replay", "/nowhere/at-all.halo"])
        #expect(outcome.status == 1 && outcome.output == "")
        #expect(outcome.complaints.contains("/nowhere/at-all.halo"))
    }

    @Test(arguments: [
        ["replay"], ["replay", "a", "b"], ["replay", "--against"],
        ["replay", "--against", "r99", "a"], ["replay", "--what", "a"],
    ])
    func wrongUsageIsSaid(_ arguments: [String]) throws {
        let outcome = try CommandLineProgram.run(arguments)
        #expect(outcome.status == 2 && outcome.output == "")
        #expect(outcome.complaints.hasPrefix("halo replay: "))
    }
}
