import CaptureSupport
import HaloCapture
import HaloProtocol
import TestSupport
import Testing

@testable import HaloTraffic

/// The content of files of traffic, compared with a recording.
@Suite(.computes) struct ImportGoldenTests {
    private static let folder = FixtureFolder("Captures")
    private static let files: [String] = ["Containers", "Text", "Traffic"].flatMap { name in
        FixtureFolder("Captures/\(name)").names
            .filter { !$0.hasSuffix(".att") && !$0.hasSuffix(".py") }.map { "\(name)/\($0)" }
    }

    private static func words(_ reading: TrafficReading) -> [String] {
        var lines = ["\(reading.recordCount) records, \(reading.byteCount) bytes"]
        lines.append("\(reading.firstMicroseconds ?? -1) to \(reading.lastMicroseconds ?? -1)")
        lines += reading.heard.map { "heard \($0)" }
        for connection in reading.connections {
            lines += words(connection)
            lines += connection.attributes.map { "  \($0)" }
        }
        lines += reading.findings.map { "finding \($0)" }
        lines += reading.counts?.entries.map { "count \($0)" } ?? ["no counts"]
        lines.append("error \(reading.error.map { "\($0)" } ?? "-")")
        lines.append("then \(reading.importError.map { "\($0)" } ?? "-")")
        let text = String(decoding: reading.text, as: UTF8.self)
        return lines + text.split(separator: "\n").map(String.init)
    }

    private static func words(_ connection: TrafficConnection) -> [String] {
        let address = connection.address.map { "\($0)" } ?? "-"
        let name = connection.name.map { "\($0)" } ?? "-"
        let times = "\(connection.firstMicroseconds) to \(connection.lastMicroseconds)"
        return [
            "connection \(connection.number) \(connection.role) \(address) \(name)",
            "  records \(connection.firstRecord) to \(connection.lastRecord), times \(times)",
            "  mtu \(connection.mtu ?? 0), encrypted \(connection.isEncrypted)",
            "  readable \(connection.isReadable), ring \(connection.isRing)",
            "  ended \(connection.hasEnded) \(connection.endReason ?? 0)",
            "  \(connection.valueCount) values",
        ]
    }

    static func words(_ bytes: [UInt8], _ options: ImportOptions) -> [String] {
        let bytes = ContiguousArray(bytes)
        return words(TrafficReading(bytes.span, options, inPieces: 1 << 16))
    }

    private static var options: [(name: String, options: ImportOptions)] {
        var all = ImportOptions()
        all.device = .all
        all.keepsAdvertisements = true
        var named = all
        named.keepsAdvertisements = false
        for handle in 1...40 as ClosedRange<UInt16> {
            named.handles[handle] = BluetoothUUID(UInt32(handle) + 0x2A00)
        }
        return [("all", all), ("only", ImportOptions()), ("named handles", named)]
    }

    @Test(arguments: [
        "Containers/uart.btsnoop", "Containers/nordic.pcap", "Traffic/strip-half.pcapng",
    ])
    func aFileIsImportedAsRecorded(_ path: String) throws {
        let lines = Self.words(try Self.folder.bytes(path), Self.options[0].options)
        let name = path.split(separator: "/").last ?? ""
        try GoldenText("Golden/Captures/\(name).txt").expect(lines)
    }

    @Test func everyFileIsImportedAsRecorded() throws {
        let golden = GoldenText("Golden/Captures/Imports.txt")
        var table = GoldenTable("Imports")
        for path in golden.recorded(of: Self.files, every: 3) {
            let bytes = try Self.folder.bytes(path)
            for (name, options) in Self.options {
                try table.add("\(path) \(name)", Self.words(bytes, options))
            }
        }
        try golden.expect(table)
    }

    /// The beginning of each file, with a few changes.
    @Test func damagedFilesAreImportedAsRecorded() throws {
        let golden = GoldenText("Golden/Captures/DamagedImports.txt")
        var table = GoldenTable("DamagedImports")
        for path in golden.recorded(of: Self.files, every: 5) {
            let bytes = Array(try Self.folder.bytes(path).prefix(2_200))
            guard let format = TrafficFormat.detect(ContiguousArray(bytes).span) else { continue }
            var options = Self.options[0].options
            options.format = format
            var lines: [String] = []
            for seed in 1...24 as ClosedRange<UInt64> {
                lines.append("seed \(seed)")
                lines += Self.words(DamagedFile.bytes(bytes, seed: seed), options)
            }
            try table.add(path, lines)
        }
        try golden.expect(table)
    }

    /// Logs in which lines and words are exchanged.
    @Test func damagedLogsAreReadAsRecorded() throws {
        let golden = GoldenText("Golden/Captures/DamagedLogs.txt")
        var table = GoldenTable("DamagedLogs")
        let logs: [(String, String, TrafficFormat)] = [
            ("hex lines", TextFaultTests.log, .hexLines),
            ("btmon", String(TextBtmonTests.all.prefix(9_000)), .btmonText),
            ("btmon reports", String(TextBtmonTests.reports), .btmonText),
            (
                "old btmon", String(try Self.folder.text("Text/btmon-5.35.txt").prefix(6_000)),
                .btmonText
            ),
        ]
        for (name, text, format) in logs {
            for part in golden.recorded(0..<5 as Range<UInt64>, every: 5) {
                var lines: [String] = []
                for seed in part * 10..<part * 10 + 10 {
                    var options = Self.options[0].options
                    options.format = format
                    let damaged = Array(DamagedFile.lines(text, seed: seed).utf8)
                    let again = DamagedFile.bytes(damaged, seed: seed)
                    lines.append("seed \(seed)")
                    lines += Self.words(again, options)
                }
                try table.add("\(name) \(part)", lines)
            }
        }
        let frames = (0..<30).flatMap { index in
            RingSamples.frame([3, 0x15, 0x43][index % 3], [UInt8(index), 10]) + [0x0A]
        }
        for seed in golden.recorded(0..<40 as Range<UInt64>, every: 5) {
            var options = Self.options[0].options
            options.format = .ringFrames
            try table.add(
                "frames \(seed)", Self.words(DamagedFile.bytes(frames, seed: seed), options))
        }
        try golden.expect(table)
    }

    /// The recognised formats of the beginnings of files.
    @Test func formatsAreRecognisedAsRecorded() throws {
        let golden = GoldenText("Golden/Captures/Formats.txt")
        var table = GoldenTable("Formats")
        for path in golden.recorded(of: Self.files, every: 3) {
            let bytes = Array(try Self.folder.bytes(path).prefix(700))
            var lines: [String] = []
            for length in Array(0...80) + [100, 200, 300, 500, 700] {
                let part = ContiguousArray(bytes.prefix(length))
                lines.append(TrafficFormat.detect(part.span).map { "\($0)" } ?? "-")
            }
            for seed in 1...80 as ClosedRange<UInt64> {
                let part = ContiguousArray(
                    DamagedFile.bytes(Array(bytes.prefix(60)), seed: seed))
                lines.append(TrafficFormat.detect(part.span).map { "\($0)" } ?? "-")
            }
            try table.add(path, lines)
        }
        try golden.expect(table)
    }
}
