import CaptureSupport
import HaloCapture
import HaloProtocol
import TestSupport
import Testing

@testable import HaloTraffic

/// Whole imports of truncated files, and of files with wrong numbers.
@Suite(.computes) struct BadTrafficTests {
    struct Sample: Sendable, CustomTestStringConvertible {
        let path: String
        let format: TrafficFormat
        /// The length of the tested beginning in bytes.
        let length: Int
        var testDescription: String { path }
    }

    static let samples = [
        Sample(path: "Containers/uart.btsnoop", format: .btsnoop, length: 1015),
        Sample(path: "Containers/uart.pcap", format: .pcap, length: 915),
        Sample(path: "Containers/uart.pcapng", format: .pcapng, length: 1496),
        Sample(path: "Traffic/printer-little.pklg", format: .packetLogger, length: 1200),
        Sample(path: "Traffic/printer-big.pklg", format: .packetLogger, length: 600),
        Sample(path: "Text/btmon-packets.txt", format: .btmonText, length: 1200),
    ]

    /// Logs in formats without a file in `Fixtures/Captures`.
    private static let hexLines = Array(
        (0..<20).map { index in
            let frame = RingSamples.frame(3, [UInt8(index)])
            return "2026-01-02 03:04:\(10 + index).5 \(index % 2 == 0 ? "TX" : "RX"): "
                + HexText.bytes(frame) + "\r\n"
        }.joined().utf8)
    private static let ringFrames = (0..<20).flatMap { index in
        RingSamples.frame([3, 0x15, 0x43][index % 3], [UInt8(index), 10]) + [0x0A]
    }

    private func bytes(_ sample: Sample) throws -> [UInt8] {
        Array(try FixtureFolder("Captures").bytes(sample.path).prefix(sample.length))
    }

    /// Reads a file in both passes; returns the results, and the error.
    private func read(
        _ bytes: [UInt8], _ format: TrafficFormat
    ) throws -> (packets: [CapturePacket], report: TrafficReport, error: TrafficError?) {
        var options = ImportOptions()
        options.format = format
        options.device = .all
        let bytes = ContiguousArray(bytes)
        var survey = try TrafficSurvey(options)
        var first: TrafficError?
        do throws(TrafficError) {
            try survey.read(bytes.span)
            try survey.finish()
        } catch {
            first = error
        }
        let report = survey.report
        guard var importer = try? CaptureImporter(report, options) else {
            return ([], report, first)
        }
        var second: TrafficError?
        do throws(TrafficError) {
            try importer.read(bytes.span)
        } catch {
            second = error
        }
        do throws(TrafficError) {
            try importer.finish()
        } catch {
            second = error
        }
        // One pass stops where the other does, and what was written is a capture.
        #expect(first == second)
        let capture = try Capture(reading: importer.drain())
        return (capture.lines.compactMap(\.packet), report, second)
    }

    private func checkEnds(
        _ bytes: [UInt8], _ format: TrafficFormat, by step: Int
    ) throws {
        let whole = try read(bytes, format).packets.map(\.bytes)
        for count in stride(from: 0, through: bytes.count, by: step) {
            let (packets, report, error) = try read(Array(bytes.prefix(count)), format)
            let found = packets.map(\.bytes)
            #expect(whole.starts(with: found) || found.dropLast() == whole.prefix(found.count - 1))
            #expect(report.byteCount == min(count, error?.offset ?? count))
            if let error { #expect((0...count).contains(error.offset), "\(count): \(error)") }
        }
    }

    @Test(arguments: samples)
    func endsAnywhere(_ sample: Sample) throws {
        try checkEnds(try bytes(sample), sample.format, by: Thoroughness.isWhole ? 1 : 5)
    }

    @Test func logsEndAnywhere() throws {
        // No line and no frame has a length of three bytes.
        try checkEnds(Self.hexLines, .hexLines, by: Thoroughness.isWhole ? 3 : 11)
        try checkEnds(Self.ringFrames, .ringFrames, by: Thoroughness.isWhole ? 3 : 11)
    }

    /// Each byte, and each number of two and of four bytes, is set to 0, 1 and the maximum, and
    /// changed by one in both directions. Each place has a part of them, and others than the next
    /// one, unless `HALO_THOROUGH` is set.
    @Test(arguments: samples)
    func numbersLie(_ sample: Sample) throws {
        let bytes = Array(try bytes(sample).prefix(260))
        for place in bytes.indices {
            let byte = bytes[place]
            let lies = [0, 1, 0x7F, 0x80, 0xFE, 0xFF, byte &+ 1, byte &- 1] as [UInt8]
            for lie in Thoroughness.part(lies, every: 5, from: place) {
                var broken = bytes
                broken[place] = lie
                try checkLie(broken, place, sample.format)
            }
            for width in [2, 4, 8] where place % 4 == 0 && place + width <= bytes.count {
                let fills = [0, 0x7F, 0xFF] as [UInt8]
                for fill in Thoroughness.part(fills, every: 3, from: place / 4) {
                    var broken = bytes
                    for index in place..<place + width { broken[index] = fill }
                    try checkLie(broken, place, sample.format)
                    broken[place + width - 1] ^= 1
                    try checkLie(broken, place, sample.format)
                }
            }
        }
    }

    private func checkLie(_ bytes: [UInt8], _ place: Int, _ format: TrafficFormat) throws {
        let (_, report, error) = try read(bytes, format)
        if let error { #expect((0...bytes.count).contains(error.offset), "\(place): \(error)") }
        #expect(report.microseconds >= 0, "\(place)")
    }
}
