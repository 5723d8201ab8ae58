import CaptureSupport
import HaloCapture
import HaloProtocol
import TestSupport
import Testing

@testable import HaloTraffic

/// The exports of captures, and their packet counts, compared with a recording.
@Suite(.computes) struct ExportGoldenTests {
    private static let folder = FixtureFolder()
    private static let paths = folder.captures
    private static let long = paths.filter {
        $0.hasPrefix("Captures/") || $0.hasPrefix("Sessions/")
    }

    private static func export(_ capture: Capture, _ format: ExportFormat) -> [String] {
        do throws(ExportError) {
            let bytes = try capture.exported(as: format)
            return stride(from: 0, to: bytes.count, by: 16).map {
                HexText.bytes(bytes[$0..<min($0 + 16, bytes.count)], separator: " ")
            }
        } catch {
            return ["\(error)"]
        }
    }

    @Test func exportsAreAsRecorded() throws {
        let golden = GoldenText("Golden/Captures/Exports.txt")
        var table = GoldenTable("Exports")
        for path in golden.recorded(of: Self.paths) {
            let capture = try Self.folder.capture(path)
            for format in ExportFormat.allCases {
                try table.add("\(path) \(format)", Self.export(capture, format))
            }
        }
        for sample in ExportSample.all {
            for format in ExportFormat.allCases {
                try table.add(
                    "\(sample.testDescription) \(format)", Self.export(sample.capture, format))
            }
        }
        try golden.expect(table.lines)
    }

    /// Exports line by line, without knowledge of later lines.
    private static func exportWithoutForesight(_ capture: Capture) -> [String] {
        var exporter = CaptureExporter(.btsnoop)
        do throws(ExportError) {
            for line in capture.timedLines { try exporter.write(line) }
            try exporter.finish()
        } catch {
            return ["\(error)"]
        }
        return [HexText.bytes(exporter.drain()), "\(exporter.omissionCount) left out"]
    }

    @Test func exportsWithoutForesightAreAsRecorded() throws {
        let golden = GoldenText("Golden/Captures/Unforeseen.txt")
        var table = GoldenTable("Unforeseen")
        for path in golden.recorded(of: Self.long) {
            try table.add(path, Self.exportWithoutForesight(try Self.folder.capture(path)))
        }
        for sample in ExportSample.all {
            try table.add(
                sample.testDescription, Self.exportWithoutForesight(sample.capture))
        }
        try golden.expect(table.lines)
    }

    @Test func exportsOfDamagedCapturesAreAsRecorded() throws {
        let golden = GoldenText("Golden/Captures/DamagedExports.txt")
        var table = GoldenTable("DamagedExports")
        for path in golden.recorded(of: Self.long) {
            let text = try Self.folder.beginning(of: path)
            var lines: [String] = []
            for seed in 1...30 as ClosedRange<UInt64> {
                let capture = Capture(readable: DamagedFile.lines(text, seed: seed))
                lines += ["seed \(seed)"] + Self.export(capture, .pcapng)
            }
            try table.add(path, lines)
        }
        try golden.expect(table.lines)
    }

    @Test func aSmallExportIsAsRecorded() throws {
        let capture = try Self.folder.capture("Captures/VirtualHeartRateSensor.halo")
        var lines: [String] = []
        for format in ExportFormat.allCases {
            lines += ["# \(format)"] + Self.export(capture, format)
        }
        try GoldenText("Golden/Captures/SmallExport.txt").expect(lines)
    }

    @Test func countsAreAsRecorded() throws {
        let golden = GoldenText("Golden/Captures/PacketCounts.txt")
        var table = GoldenTable("PacketCounts")
        func add(_ name: String, _ capture: Capture) throws {
            try table.add(name, PacketCounts(of: capture).entries.map { "\($0)" })
        }
        for path in golden.recorded(of: Self.paths) { try add(path, try Self.folder.capture(path)) }
        for path in golden.recorded(of: Self.long) {
            let text = try Self.folder.beginning(of: path)
            for seed in 1...24 as ClosedRange<UInt64> {
                let damaged = Capture(readable: DamagedFile.lines(text, seed: seed))
                try add("\(path) damaged \(seed)", damaged)
            }
        }
        try golden.expect(table.lines)
    }
}
