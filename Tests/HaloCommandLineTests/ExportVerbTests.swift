import Foundation
import HaloCapture
import HaloTraffic
import Testing

/// Files for Wireshark and `btmon`.
struct ExportVerbTests {
    private static let capture = """
        halo-capture 1
        * connected mtu 247
        > uart 03 00 00 00 00 00 00 00 00 00 00 00 00 00 00 03
        + 20ms
        < uart 03 4E 00 00 00 00 00 00 00 00 00 00 00 00 00 51

        """

    /// Calls `body` with a temporary folder that has a capture in it.
    private func inFolder(
        _ capture: String = Self.capture, _ body: (_ folder: URL, _ input: String) throws -> Void
    ) throws {
        let folder = try ProgramFolder()
        let input = try folder.write(capture.utf8, to: "in.halo")
        try withExtendedLifetime(folder) { try body(folder.url, input) }
    }

    private func files(_ folder: URL) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    }

    @Test(arguments: ExportFormat.allCases)
    func writesEveryFormat(format: ExportFormat) throws {
        try inFolder { folder, input in
            let output = folder.appendingPathComponent("out")
            let outcome = try CommandLineProgram.run(
                ["export", input, "--as", format.rawValue, "--out", output.path])
            #expect(outcome.status == 0)
            #expect(outcome.errorOutput == "")
            let expected = try Capture(reading: Self.capture).exported(as: format)
            #expect(try Data(contentsOf: output) == Data(expected))
            #expect(outcome.output.hasPrefix("5 lines of the capture, \(expected.count) bytes"))
            #expect(try files(folder) == ["in.halo", "out"])
        }
    }

    @Test func printsItsReportAsJSON() throws {
        try inFolder(Self.capture + "* confirmed 2a37\n") { folder, input in
            let output = folder.appendingPathComponent("out").path
            let outcome = try CommandLineProgram.run(
                ["export", "--json", "--as", "pcapng", "--out", output, input])
            #expect(outcome.status == 0)
            let fields = try outcome.object
            #expect(fields["output"] as? String == output)
            #expect(fields["lines"] as? Int == 6)
            #expect(fields["omitted"] as? Int == 1)
            #expect(fields["error"] is NSNull)
        }
    }

    @Test func exportsTheLinesBeforeAnError() throws {
        try inFolder(Self.capture + "? what\n> uart 01\n") { folder, input in
            let output = folder.appendingPathComponent("out")
            let outcome = try CommandLineProgram.run(
                ["export", input, "--as", "btsnoop", "--out", output.path])
            #expect(outcome.status == 1)
            #expect(outcome.errorOutput.contains("in.halo") && outcome.errorOutput.contains("6:1"))
            let expected = try Capture(reading: Self.capture).exported(as: .btsnoop)
            #expect(try Data(contentsOf: output) == Data(expected))
        }
    }

    @Test func leavesNoPartialFile() throws {
        try inFolder { folder, input in
            let nowhere = folder.appendingPathComponent("no/such/folder").path
            for (source, target) in [
                (input, nowhere), (folder.path, folder.appendingPathComponent("out").path),
                (nowhere, folder.appendingPathComponent("out").path), (input, folder.path),
            ] {
                let outcome = try CommandLineProgram.run(
                    ["export", source, "--as", "pcap", "--out", target])
                #expect(outcome.status == 1, "\(source) to \(target)")
                #expect(outcome.errorOutput.hasPrefix("halo export: "))
                #expect(outcome.output == "")
                #expect(try files(folder) == ["in.halo"])
            }
        }
    }

    @Test(arguments: [
        ["export"], ["export", "a.halo"], ["export", "a.halo", "--out", "b"],
        ["export", "a.halo", "--as", "btsnoop"], ["export", "a.halo", "--as"],
        ["export", "a.halo", "--as", "pklg", "--out", "b"], ["export", "--colour"],
        ["export", "a.halo", "b.halo", "--as", "pcap", "--out", "c"],
    ])
    func refusesWrongUsage(arguments: [String]) throws {
        let outcome = try CommandLineProgram.run(arguments)
        #expect(outcome.status == 2)
        #expect(outcome.output == "")
        #expect(outcome.errorOutput.contains("halo export"))
    }

    @Test func printsItsHelpText() throws {
        let outcome = try CommandLineProgram.run(["export", "--help"])
        #expect(outcome.status == 0)
        for format in ExportFormat.allCases { #expect(outcome.output.contains(format.rawValue)) }
    }
}
