import HaloCapture
import HaloProtocol
import HaloSimulator
import HaloTransport
import TestSupport
import Testing

/// The replies of a recorded device.
@Suite(.passesTime) struct ReplayDeviceTests {
    typealias Sent = ReplayBench.Sent

    private static let lamp = BluetoothUUID(0xFFE1)
    private static let level = CharacteristicCatalog.batteryLevel.uuid

    private static let lines = """
        * connected mtu 100
        * subscribed ffe1
        + 10ms
        > ffe1 01
        + 20ms
        < ffe1 A1
        + 30ms
        > ffe1 02
        + 40ms
        < ffe1 A2
        + 5ms
        < ffe1 A3
        + 1s
        > ffe1 01
        + 7ms
        < ffe1 B1

        """

    @Test func lenientlyTheNearestPlaceAnswers() throws {
        var bench = try ReplayBench(Self.lines)
        bench.write([2], to: Self.lamp)
        bench.advance(byMilliseconds: 100)
        #expect(bench.takeSent() == [Sent(40, [0xA2]), Sent(45, [0xA3])])
        // Both places are as near: the later one answers, and once more.
        bench.write([1], to: Self.lamp)
        bench.advance(byMilliseconds: 100)
        #expect(bench.takeSent() == [Sent(107, [0xB1])])
        bench.write([1], to: Self.lamp)
        bench.advance(byMilliseconds: 100)
        #expect(bench.takeSent() == [Sent(207, [0xB1])])
        #expect(bench.device.report.matchedCount == 4)
        #expect(bench.device.report.unrequested.map(\.line) == [4])
    }

    @Test func strictlyOnlyTheNextOneIsAnswered() throws {
        var bench = try ReplayBench(Self.lines, .strict)
        let early = bench.write([2], to: Self.lamp, wantsAnswer: true)
        #expect(bench.answers[early]?.answer == .refused(ATTError.unlikely.code))
        bench.advance(byMilliseconds: 100)
        #expect(bench.takeSent() == [])
        bench.write([1], to: Self.lamp)
        // Requested too early, and still answered in order.
        bench.write([2], to: Self.lamp)
        bench.advance(byMilliseconds: 100)
        #expect(bench.takeSent().map(\.bytes) == [[0xA1], [0xA2], [0xA3]])
        let report = bench.device.report
        #expect(report.unknownCount == 1 && report.matchedCount == 3)
        #expect(report.unknown.map(\.expectedLine) == [4])
        #expect(report.position == 3)
    }

    @Test func whatIsNotKnownIsTakenOrRefusedAndReported() throws {
        var bench = try ReplayBench(Self.lines)
        let write = bench.write([9], to: Self.lamp, wantsAnswer: true)
        #expect(bench.answers[write]?.answer == .done)
        let nowhere = bench.write([9], to: Self.level, wantsAnswer: true)
        #expect(bench.answers[nowhere]?.answer == .refused(ATTError.invalidHandle.code))
        for _ in 0..<2_000 { bench.write([9], to: Self.lamp) }
        #expect(bench.device.report.unknownCount == 2_001)
        #expect(bench.device.report.unknown.count == ReplayReport.listLimit)
        #expect(bench.device.report.unknown[0].what == .write(CaptureChannel(Self.lamp), [9]))
    }

    @Test func readsAreAnsweredInOrderAndRefusalsReplayed() throws {
        var bench = try ReplayBench(
            """
            * read 2a19
            + 15ms
            < 2a19 64
            * read 2a19
            * refused 2a19 0E
            * read 2a19
            < 2a19 63
            * read 2a19
            > ffe1 01
            + 3ms
            * refused ffe1 80
            > ffe1 02
            + 4ms
            * acknowledged ffe1

            """)
        var answers: [ReplayBench.Answer?] = []
        for _ in 0..<5 {
            let token = bench.read(Self.level)
            bench.advance(byMilliseconds: 20)
            answers.append(bench.answers[token]?.answer)
        }
        #expect(
            answers == [
                .value([0x64]), .refused(0x0E), .value([0x63]), .value([0x63]), .value([0x63]),
            ])
        #expect(bench.answers[ResponseToken(1)]?.moment == 15_000)
        let refused = bench.write([1], to: Self.lamp, wantsAnswer: true)
        let taken = bench.write([2], to: Self.lamp, wantsAnswer: true)
        #expect(bench.answers[refused] == nil)
        bench.advance(byMilliseconds: 4)
        #expect(bench.answers[refused]?.answer == .refused(0x80))
        #expect(bench.answers[taken]?.answer == .done)
        let unread = bench.read(Self.lamp)
        #expect(bench.answers[unread]?.answer == .refused(ATTError.unlikely.code))
    }

    @Test func aLongValueIsReadOn() throws {
        let bytes = (0..<300).map { UInt8(truncatingIfNeeded: $0) }
        let text = bytes.map { HexText.byte($0) }.joined(separator: " ")
        var bench = try ReplayBench("* read 2a19\n< 2a19 \(text)\n")
        let first = bench.read(Self.level)
        let rest = bench.read(Self.level, from: 246)
        let behind = bench.read(Self.level, from: 301)
        #expect(bench.answers[first]?.answer == .value(bytes))
        #expect(bench.answers[rest]?.answer == .value(Array(bytes[246...])))
        #expect(bench.answers[behind]?.answer == .refused(ATTError.invalidOffset.code))
    }

    @Test func timeIsAsRecordedStretchedOrLeftOut() throws {
        for (timing, expected) in [
            (ReplayTiming.recorded, [40, 45]), (.scaled(by: 2), [80, 90]),
            (.scaled(by: 0.1), [4, 4]), (.immediate, [0, 0]), (.scaled(by: -1), [0, 0]),
            (.scaled(by: .nan), [40, 45]),
        ] as [(ReplayTiming, [Int64])] {
            var options = ReplayOptions.lenient
            options.timing = timing
            var bench = try ReplayBench(Self.lines, options)
            bench.write([2], to: Self.lamp)
            bench.advance(byMilliseconds: 200)
            #expect(bench.takeSent().map(\.milliseconds) == expected, "\(timing)")
        }
        #expect(ReplayTiming.scaled(by: .infinity).factor == ReplayTiming.largestFactor)
    }

    @Test func valuesWaitForASubscription() throws {
        var bench = try ReplayBench("< 2a37 00 48\n+ 1s\n< 2a37 00 49\n", connects: false)
        bench.connect(subscribes: false)
        bench.advance(byMilliseconds: 500)
        #expect(bench.takeSent() == [])
        let rate = CharacteristicCatalog.heartRateMeasurement.uuid
        bench.handle(.subscription(bench.id(rate), isOn: true))
        bench.advance(byMilliseconds: 1_000)
        #expect(bench.takeSent() == [Sent(500, [0, 0x48]), Sent(1_000, [0, 0x49])])
    }

    /// 1,024 values wait for a subscription, and the reactions to 256 requests for their time.
    @Test func whatIsTooMuchIsDroppedAndReported() throws {
        var bench = try ReplayBench(
            String(repeating: "< 2a37 00 48\n", count: 1_030), connects: false)
        bench.connect(subscribes: false)
        let rate = CharacteristicCatalog.heartRateMeasurement.uuid
        bench.handle(.subscription(bench.id(rate), isOn: true))
        #expect(bench.takeSent().count == 1_024)
        #expect(bench.device.report.description.hasSuffix("\n  dropped values: 6"))
        var busy = try ReplayBench("> ffe1 01\n+ 1s\n< ffe1 02\n")
        for _ in 0..<300 { busy.write([1], to: Self.lamp) }
        busy.advance(byMilliseconds: 60_000)
        #expect(busy.takeSent().count == 256)
        #expect(busy.device.report.description.hasSuffix("\n  dropped values: 44"))
    }

    @Test func measurementsComeAlsoIfNothingElseIsAsked() throws {
        var bench = try ReplayBench(
            """
            * connected
            * subscribed 2a37
            + 1s
            < 2a37 00 48
            * read 2a19
            < 2a19 64
            + 1s
            < 2a37 00 49
            * disconnected 16

            """)
        bench.advance(byMilliseconds: 5_000)
        #expect(bench.takeSent() == [Sent(1_000, [0, 0x48]), Sent(2_000, [0, 0x49])])
    }

    @Test func connectionsFollowOneAnother() throws {
        let text = """
            * connected
            > ffe1 01
            < ffe1 A1
            * disconnected 13
            + 5s
            * connected
            > ffe1 01
            < ffe1 B1
            * disconnected 16

            """
        for options in [ReplayOptions.lenient, .strict] {
            var options = options
            options.replaysDisconnections = true
            var bench = try ReplayBench(text, options)
            var heard: [[ReplayBench.Deed]] = []
            for _ in 0..<3 {
                bench.write([1], to: Self.lamp)
                bench.advance(byMilliseconds: 10)
                heard.append(bench.deeds.map(\.deed))
                _ = bench.takeSent()
                bench.handle(.disconnected)
                bench.connect()
            }
            let last: [ReplayBench.Deed] =
                options.matching == .strict ? [] : [.sent(0xFFE1, [0xB1])]
            // The app has closed the second one: it is not closed by the device.
            #expect(heard == [[.sent(0xFFE1, [0xA1]), .closed], [.sent(0xFFE1, [0xB1])], last])
        }
    }

    @Test func aConnectionWhoseBeginningWasForgottenIsOne() throws {
        var bench = try ReplayBench("< ffe1 01\n* connected\n< ffe1 02\n")
        #expect(bench.takeSent().map(\.bytes) == [[1]])
        bench.handle(.disconnected)
        bench.connect()
        #expect(bench.takeSent().map(\.bytes) == [[2]])
    }
}
