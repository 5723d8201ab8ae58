import HaloCapture
import HaloProtocol
import HaloTransport
import TestSupport
import Testing

@testable import HaloTraffic

/// The output of an exporter before its last line.
@Suite(.computes) struct ExportStreamingTests {
    @Test(arguments: ExportFormat.allCases)
    func piecesAreTheWhole(format: ExportFormat) throws {
        for sample in ExportSample.all {
            var exporter = CaptureExporter(format)
            var pieces: [[UInt8]] = []
            for line in sample.capture.timedLines {
                try exporter.write(line)
                let count = exporter.pendingCount
                let piece = exporter.drain()
                #expect(piece.count == count && exporter.pendingCount == 0)
                pieces.append(piece)
            }
            let again = exporter.drain()
            #expect(again == [])
            try exporter.finish()
            pieces.append(exporter.drain())
            var whole = CaptureExporter(format)
            for line in sample.capture.timedLines { try whole.write(line) }
            try whole.finish()
            let bytes = whole.drain()
            #expect(pieces.flatMap { $0 } == bytes)
        }
    }

    /// The number of packets after each line.
    @Test func eachLineIsHandedOverAtOnce() throws {
        let capture = try Capture(
            reading: """
                * connected
                < 2a37 notified 00 48
                < 2a37 00 49
                < 2a38 indicated 01
                * confirmed 2a38
                > 2a39 command 01
                > 2a39 write 02
                * acknowledged 2a39
                * disconnected 13

                """)
        var exporter = CaptureExporter(.btsnoop)
        var bytes: [UInt8] = []
        var counts: [Int] = []
        for line in capture.timedLines {
            try exporter.write(line)
            bytes += exporter.drain()
            let packets = try ExportedTraffic(bytes, .btsnoop).attributes
            counts.append(packets.filter { !$0.isDiscovery }.count)
        }
        #expect(counts == [0, 1, 2, 3, 4, 5, 6, 7, 7])
        try exporter.finish()
        let rest = exporter.drain()
        #expect(rest == [])
    }
}
