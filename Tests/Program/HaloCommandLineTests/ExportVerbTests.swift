import Foundation
import HaloCapture
import HaloTraffic
import TestSupport
import Testing

/// Files for Wireshark and `btmon`.
@Suite(.waitsForPrograms) struct ExportVerbTests {
    private static let capture = """
        halo-capture 2
        * connected mtu 247
        > uart 03 00 00 00 00 00 00 00 00 00 00 00 00 00 00 03
        + 20ms
        < uart 03 4E 00 00 00 00 00 00 00 00 00 00 00 00 00 51

        """

    /// A folder with a capture in it.
    private let folder = TestFolder()
    private let input: String

    init() throws { input = try folder.write(Self.capture, to: "in.halo") }

    @Test(arguments: ExportFormat.allCases)
    func writesEveryFormat(format: ExportFormat) throws {
        let output = folder.path("out")
        let outcome = try CommandLineProgram.run(
            ["export", input, "--as", format.rawValue, "--out", output])
        #expect(outcome.status == 0)
        #expect(outcome.errorOutput == "")
        let expected = try Capture(reading: Self.capture).exported(as: format)
        #expect(try Data(contentsOf: URL(filePath: output)) == Data(expected))
        #expect(outcome.output.hasPrefix("5 lines of the capture, \(expected.count) bytes"))
        #expect(try folder.names == ["in.halo", "out"])
    }

    @Test(arguments: ExportFormat.allCases)
    func theNameOfTheFileIsTheFormat(format: ExportFormat) throws {
        let output = folder.path("out.\(format.rawValue)")
        let outcome = try CommandLineProgram.run(["export", input, "--out", output])
        #expect(outcome.status == 0, "\(outcome)")
        let expected = try Capture(reading: Self.capture).exported(as: format)
        #expect(try Data(contentsOf: URL(filePath: output)) == Data(expected))
        let unknown = try CommandLineProgram.run(["export", input, "--out", output + "x"])
        #expect(unknown.status == 2)
        #expect(unknown.errorOutput.contains("--as FORMAT is missing: btsnoop, pcapng or pcap"))
    }

    @Test func namesTheLineThatCannotBeExported() throws {
        let lines = (0..<300).map { "< l\($0)/2a19 64\n" }.joined()
        try folder.write("halo-capture 2\n" + lines, to: "in.halo")
        let output = folder.path("out.pcap")
        let outcome = try CommandLineProgram.run(["export", input, "--out", output])
        #expect(outcome.status == 3)
        #expect(outcome.errorOutput.contains("in.halo\":258: there are more than 256 names"))
    }

    @Test func printsItsReportAsJSON() throws {
        try folder.write(Self.capture + "* confirmed 2a37\n", to: "in.halo")
        let output = folder.path("out")
        let outcome = try CommandLineProgram.run(
            ["export", "--json", "--as", "pcapng", "--out", output, input])
        #expect(outcome.status == 0)
        let fields = try outcome.object
        #expect(fields["output"] as? String == output)
        #expect(fields["lines"] as? Int == 6)
        #expect(fields["omitted"] as? Int == 1)
    }

    @Test func exportsTheLinesBeforeAnError() throws {
        try folder.write(Self.capture + "? what\n> uart 01\n", to: "in.halo")
        let output = folder.path("out")
        let outcome = try CommandLineProgram.run(
            ["export", input, "--as", "btsnoop", "--out", output])
        #expect(outcome.status == 1)
        #expect(outcome.errorOutput.contains("in.halo") && outcome.errorOutput.contains("6:1"))
        let expected = try Capture(reading: Self.capture).exported(as: .btsnoop)
        #expect(try Data(contentsOf: URL(filePath: output)) == Data(expected))
    }

    /// As after an import, with the same options; several devices are exported together.
    @Test(arguments: [
        [], ["--device", "2"], ["--device", "D0:11:22:33:44:77"], ["--format", "btsnoop"],
        ["--map", "0x10=2a19"],
    ])
    func exportsALog(_ options: [String]) throws {
        let log = FixtureFolder.url("Captures/Traffic/bug-report.btsnoop").path
        let paths = ["a", "b.halo", "b"].map { folder.path($0) }
        let all = options.contains("--device") ? [] : ["--device", "all"]
        for arguments in [
            ["export", log, "--as", "pcapng", "--out", paths[0]] + options,
            ["import", log, "--out", paths[1]] + options + all,
            ["export", paths[1], "--as", "pcapng", "--out", paths[2]],
        ] {
            let outcome = try CommandLineProgram.run(arguments)
            #expect(outcome.status == 0, "\(outcome.errorOutput)")
        }
        let exported = try paths.map { try Data(contentsOf: URL(fileURLWithPath: $0)) }
        #expect(exported[0] == exported[2] && exported[0].count > 1_000)
    }

    @Test(arguments: ["export", "import", "scrub", "replay", "decode"])
    func refusesOptionsOfTrafficForACapture(_ verb: String) throws {
        let output = folder.path("out")
        let more = ["export", "scrub"].contains(verb) ? ["--out", output] : []
        let format = verb == "export" ? ["--as", "pcap"] : []
        for option in [
            ["--device", "1"], ["--map", "1=2a19"], ["--map", "write=2a19"],
            ["--role", "app"],
        ] {
            let outcome = try CommandLineProgram.run([verb, input] + more + format + option)
            #expect(outcome.status == 2)
            let reason = "--device, --map and --role are for other formats"
            #expect(outcome.errorOutput.contains(reason))
        }
        #expect(try folder.names == ["in.halo"])
    }

    @Test func leavesNoPartialFile() throws {
        let nowhere = folder.path("no/such/folder")
        for (source, target) in [
            (input, nowhere), (folder.path, folder.path("out")),
            (nowhere, folder.path("out")), (input, folder.path),
        ] {
            let outcome = try CommandLineProgram.run(
                ["export", source, "--as", "pcap", "--out", target])
            #expect(outcome.status == 3, "\(source) to \(target)")
            #expect(outcome.errorOutput.hasPrefix("halo: "))
            #expect(outcome.output == "")
            #expect(try folder.names == ["in.halo"])
        }
    }
}
