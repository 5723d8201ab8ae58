import HaloCapture
import HaloProtocol
import HaloTransport
import Testing

@testable import HaloTraffic

/// What an exporter hands over while lines still come, and what it holds back until then.
@Suite struct ExportStreamingTests {
    @Test(arguments: ExportFormat.allCases)
    func piecesAreTheWhole(format: ExportFormat) throws {
        for sample in ExportSample.all {
            var exporter = CaptureExporter(format)
            var pieces: [[UInt8]] = []
            for line in sample.capture.timedLines {
                try exporter.put(line)
                let count = exporter.pendingCount
                let piece = exporter.take()
                #expect(piece.count == count && exporter.pendingCount == 0)
                pieces.append(piece)
            }
            let again = exporter.take()
            #expect(again == [])
            try exporter.finish()
            pieces.append(exporter.take())
            var whole = CaptureExporter(format)
            for line in sample.capture.timedLines { try whole.put(line) }
            try whole.finish()
            let bytes = whole.take()
            #expect(pieces.flatMap { $0 } == bytes)
        }
    }

    /// How many packets were handed over after each line: all that is decided.
    @Test func whatIsDecidedIsHandedOverAtOnce() throws {
        let capture = try Capture(
            reading: """
                * connected
                < 2a37 00 48
                < 2a37 00 49
                < 2a38 01
                * confirmed 2a38
                > 2a39 01
                > 2a39 02
                * acknowledged 2a39
                * disconnected 13

                """)
        var exporter = CaptureExporter(.btsnoop)
        var bytes: [UInt8] = []
        var counts: [Int] = []
        for line in capture.timedLines {
            try exporter.put(line)
            bytes += exporter.take()
            let packets = try ExportedTraffic(bytes, .btsnoop).attributes
            counts.append(packets.filter { !$0.isDiscovery }.count)
        }
        #expect(counts == [0, 0, 1, 1, 1, 1, 1, 1, 7])
        try exporter.finish()
        let rest = exporter.take()
        #expect(rest == [])
    }

    // MARK: The window

    /// The steps that come out at the end, in order.
    private static func rest(_ window: inout ExportWindow) -> [ExportStep] {
        var steps: [ExportStep] = []
        while let entry = window.next(isAtEnd: true) { steps.append(entry.step) }
        return steps
    }

    /// What came out of a window, and how much was left out.
    private struct Found: Equatable {
        let steps: [ExportStep]
        let omissions: Int

        init(_ steps: [ExportStep], _ omissions: Int) {
            self.steps = steps
            self.omissions = omissions
        }
    }

    private static func steps(_ steps: [(ExportStep, Int64)]) -> Found {
        var window = ExportWindow()
        for (step, time) in steps { window.put(step, on: 0, at: Moment(microseconds: time)) }
        let found = rest(&window)
        return Found(found, window.omissionCount)
    }

    private static let open = ExportStep.written(.uart, [1], isRequest: false)

    /// A write is held back for 1,024 lines, itself among them.
    @Test(arguments: [(0, false), (1_023, false), (1_024, true), (1_500, true)])
    func linesAreHeldBackSoLong(count: Int, isDecided: Bool) {
        var window = ExportWindow()
        window.put(Self.open, on: 0, at: .origin)
        for _ in 0..<count { window.put(.encrypted, on: 0, at: .origin) }
        let first = window.next(isAtEnd: false)
        #expect((first != nil) == isDecided)
        #expect(first == nil || first?.step == Self.open)
        let steps = Self.rest(&window)
        #expect(steps.count == (isDecided ? count : count + 1))
    }

    /// And for thirty seconds.
    @Test(arguments: [(0, false), (30_000_000, false), (30_000_001, true)] as [(Int64, Bool)])
    func timeIsHeldBackSoLong(time: Int64, isDecided: Bool) {
        var window = ExportWindow()
        window.put(Self.open, on: 0, at: .origin)
        window.put(.encrypted, on: 0, at: Moment(microseconds: time))
        let first = window.next(isAtEnd: false)
        #expect((first?.step == Self.open) == isDecided)
        window.put(.acknowledged(.uart), on: 0, at: Moment(microseconds: time))
        #expect(window.omissionCount == (isDecided ? 1 : 0))
        let steps = Self.rest(&window)
        let answered: [ExportStep] = [
            .written(.uart, [1], isRequest: true), .encrypted, .acknowledged(.uart),
        ]
        #expect(steps == (isDecided ? [ExportStep.encrypted] : answered))
    }

    @Test func nothingIsHeldBackOfNothing() {
        var window = ExportWindow()
        let isThere = window.next(isAtEnd: true) != nil
        #expect(!isThere && window.omissionCount == 0)
        window.put(.encrypted, on: 3, at: Moment(microseconds: 5))
        let entry = window.next(isAtEnd: false)
        #expect(entry?.step == .encrypted && entry?.link == 3)
        #expect(entry?.moment.microseconds == 5)
        let isMore = window.next(isAtEnd: true) != nil
        #expect(!isMore)
    }

    @Test func aLateAnswerIsOfNothing() {
        let late = Self.steps([(Self.open, 0), (.acknowledged(.uart), 30_000_001)])
        #expect(late.steps == [Self.open] && late.omissions == 1)
        let inTime = Self.steps([(Self.open, 0), (.acknowledged(.uart), 30_000_000)])
        let written = ExportStep.written(.uart, [1], isRequest: true)
        #expect(inTime.steps == [written, .acknowledged(.uart)] && inTime.omissions == 0)
        let twice = Self.steps([
            (Self.open, 0), (.acknowledged(.uart), 1), (.acknowledged(.uart), 2),
        ])
        #expect(twice.steps == [written, .acknowledged(.uart)] && twice.omissions == 1)
    }

    /// Each value answers one question; what was asked last is refused first.
    @Test func readsAndWritesAreToldApart() {
        let asked = ExportStep.asked(.uart)
        let sent = ExportStep.sent(.uart, [2], isIndication: false)
        let answered = ExportStep.answered(.uart, [2])
        let refused = ExportStep.refused(.uart, code: 3, isRead: false)
        #expect(Self.steps([(asked, 0), (sent, 1), (sent, 2)]).steps == [asked, answered, sent])
        #expect(
            Self.steps([(asked, 0), (asked, 1), (sent, 2), (sent, 3), (sent, 4)]).steps
                == [asked, asked, answered, answered, sent])
        #expect(
            Self.steps([(Self.open, 0), (asked, 1), (refused, 2), (refused, 3), (refused, 4)])
                == Found(
                    [
                        .written(.uart, [1], isRequest: true), asked,
                        .refused(.uart, code: 3, isRead: true), refused,
                    ], 1
                ))
        #expect(
            Self.steps([(asked, 0), (Self.open, 1), (refused, 2), (sent, 3)])
                == Found([asked, .written(.uart, [1], isRequest: true), refused, answered], 0))
    }

    @Test func confirmationsAreOfTheLastValue() {
        let sent = ExportStep.sent(.uart, [2], isIndication: false)
        let indicated = ExportStep.sent(.uart, [2], isIndication: true)
        let confirmed = ExportStep.confirmed(.uart)
        #expect(
            Self.steps([(confirmed, 0), (sent, 0), (sent, 0), (confirmed, 30_000_000)])
                == Found([sent, indicated, confirmed], 1))
        #expect(
            Self.steps([(sent, 0), (confirmed, 30_000_001), (confirmed, 30_000_001)])
                == Found([sent], 2))
        #expect(
            Self.steps([(.asked(.uart), 0), (sent, 0), (confirmed, 0)])
                == Found([.asked(.uart), .answered(.uart, [2])], 1))
    }

    /// What is open when a link ends, or begins, stays what it was.
    @Test(arguments: [ExportStep.disconnected(reason: nil), .connected(mtu: nil)])
    func nothingIsOpenOnANewLink(end: ExportStep) {
        let sent = ExportStep.sent(.bigData, [2], isIndication: false)
        let found = Self.steps([
            (Self.open, 0), (sent, 0), (.asked(.ledStrip), 0), (end, 0), (.acknowledged(.uart), 0),
            (.confirmed(.bigData), 0), (.sent(.ledStrip, [3], isIndication: false), 0),
        ])
        #expect(
            found
                == Found(
                    [
                        Self.open, sent, .asked(.ledStrip), end,
                        .sent(.ledStrip, [3], isIndication: false),
                    ], 2
                ))
    }

    @Test func advertisementsHaveTheirStrength() {
        let heard = ExportStep.heard(.advertisement, [1], strength: nil)
        let found = Self.steps([
            (heard, 0), (.announced(strength: -60), 0), (.announced(strength: -70), 0), (heard, 0),
            (heard, 0),
        ])
        let strong = ExportStep.heard(.advertisement, [1], strength: -70)
        #expect(
            found == Found([heard, .announced(strength: -60), .nothing, strong, strong], 0))
    }

    /// Connections are apart.
    @Test func eachLinkHasItsOwnRequests() {
        var window = ExportWindow()
        window.put(Self.open, on: 0, at: .origin)
        window.put(Self.open, on: 1, at: .origin)
        window.put(.acknowledged(.uart), on: 0, at: .origin)
        window.put(.disconnected(reason: nil), on: 0, at: .origin)
        window.put(.acknowledged(.uart), on: 1, at: .origin)
        let written = ExportStep.written(.uart, [1], isRequest: true)
        let steps = Self.rest(&window)
        #expect(
            steps == [
                written, written, .acknowledged(.uart), .disconnected(reason: nil),
                .acknowledged(.uart),
            ])
        #expect(window.omissionCount == 0)
    }
}
