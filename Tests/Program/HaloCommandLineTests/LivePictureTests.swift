import HaloDevices
import HaloProtocol
import HaloSimulator
import HaloTransport
import TestSupport
import Testing

@testable import halo

/// The picture of a live measurement, and the events that it is made of.
@Suite(.passesTime) struct LivePictureTests {
    private var picture = LivePicture(.heartRate, of: "R02")

    private static let size = TerminalSize(columns: 80, rows: 24)

    private func lines(_ picture: inout LivePicture, _ size: TerminalSize = size) -> [String] {
        picture.lines(at: 30, size, .ascii).map(\.text)
    }

    /// The states that a device reports one after the other, and the one that is shown at the end.
    @Test(
        arguments: [
            ([], "warming up"), ([.value(60, details: nil)], "measuring"),
            // A report without a value in the middle of a measurement.
            ([.value(60, details: nil), .warmingUp], "measuring"),
            ([.value(60, details: nil), .notWorn], "not worn, or not properly"),
            ([.value(60, details: nil), .notWorn, .warmingUp], "warming up"),
            ([.value(60, details: nil), .linkLost], "the link is lost, reconnecting"),
            ([.value(60, details: nil), .linkLost, .warmingUp], "warming up"),
            ([.linkLost, .value(60, details: nil)], "measuring"),
            ([.value(1, details: "0 0 1")], "measuring  0 0 1"),
            ([.value(1, details: "0 0 1"), .value(1, details: nil)], "measuring"),
            ([.other("no light")], "warming up  no light"),
            ([.missed(2)], "warming up  2 reports lost"),
        ] as [([LiveReading.Content], String)])
    mutating func showsTheStateOfTheDevice(_ reports: [LiveReading.Content], _ words: String) {
        for (second, content) in reports.enumerated() {
            picture.receive(LiveReading(content), at: Double(second))
        }
        #expect(lines(&picture).dropLast().last == "R02  \(words)")
    }

    /// A device that is used for something else, too.
    @Test mutating func showsItsOtherRole() {
        picture.receive(LiveReading(.value(1, details: "0 0 1")), at: 0)
        let lines = picture.lines(at: 1, also: "as strap Halo HR, in use", Self.size, .ascii)
        #expect(lines.dropLast().last?.text == "R02  measuring  0 0 1  as strap Halo HR, in use")
    }

    /// Each touch of a ring is a value: its number, with its kind.
    @Test func countsTouches() async throws {
        let air = VirtualBluetooth()
        let worn = air.add(VirtualRing(.r08, days: 0))
        let ring = try await Ring.connect(over: air)
        _ = try await ring.change(.touch) { $0.set(\.app, to: .report) }
        let readings = Locked<[String]>([])
        let measuring = Task {
            try await LiveKind.touch.measure(on: ring) { reading in
                guard case .value(let number, let details) = reading.content else { return }
                readings.withLock { $0.append("\(Int(number)) \(details ?? "")") }
            }
        }
        try await air.clock.sleep(for: .seconds(1))
        for touch in [RingNotification.Touch.tap, .swipeUp] { worn.modify { $0.touch(touch) } }
        try await air.clock.sleep(for: .seconds(1))
        await ring.disconnect()
        _ = await measuring.result
        #expect(readings.withLock { $0 } == ["1 tap", "2 swipe up"])
    }

    /// The time to the first value, from the start or as the device's client counts it.
    @Test func countsDown() {
        var picture = LivePicture(.heartRate, of: "R02", warmUp: LiveKind.heartRate.warmUp)
        func state(at time: Double) -> String? {
            picture.lines(at: time, Self.size, .ascii).map(\.text).dropLast().last
        }
        #expect(state(at: 0.5) == "R02  warming up, first value in about 26 s")
        #expect(state(at: 25.5) == "R02  warming up, first value in about 1 s")
        #expect(state(at: 26) == "R02  warming up")
        picture.receive(LiveReading(.notWorn), at: 5)
        picture.receive(LiveReading(.warmingUp), at: 6)
        #expect(state(at: 7) == "R02  warming up")
        var reading = LiveReading(.warmingUp)
        reading.missing = .seconds(30)
        picture.receive(reading, at: 10)
        #expect(state(at: 11) == "R02  warming up, first value in about 29 s")
        picture.receive(LiveReading(.value(60, details: nil)), at: 40)
        #expect(state(at: 41) == "R02  measuring")
        let kind = LiveKind.heartRateVariability
        picture = LivePicture(kind, of: "R02", warmUp: kind.warmUp)
        #expect(state(at: 0.5) == "R02  warming up, first value in about 60 s")
    }

    /// A value comes earlier than estimated: the estimate is no use after a lost link.
    @Test func countsDownToTheFirstValueOnly() {
        var picture = LivePicture(.heartRate, of: "R02", warmUp: .seconds(26))
        let reports: [(Double, LiveReading.Content)] = [
            (20, .value(60, details: nil)), (21, .linkLost), (22, .warmingUp),
        ]
        for (time, content) in reports { picture.receive(LiveReading(content), at: time) }
        let lines = picture.lines(at: 23, Self.size, .ascii).map(\.text)
        #expect(lines.dropLast().last == "R02  warming up")
    }

    @Test mutating func sumsUpTheValues() {
        #expect(picture.summary == "no value of heart rate")
        picture.receive(LiveReading(.value(60, details: nil)), at: 1)
        #expect(picture.summary == "heart rate: 1 value, 60 to 60 bpm, mean 60 bpm")
        picture = LivePicture(.stress, of: "R02")
        for value in [10.0, 20] { picture.receive(LiveReading(.value(value, details: nil)), at: 1) }
        #expect(picture.summary == "stress: 2 values, 10 to 20, mean 15")
    }

    /// Only the heart rate has the colours of its zones.
    @Test func aHeartRateHasItsColour() {
        #expect(LiveKind.heartRate.style(150) == .heartRate(150))
        #expect(LiveKind.bloodOxygen.style(98) == .cyan)
        #expect(LiveKind.bloodOxygen.quantity.upperBound == 100)
    }

    /// Samples of the channels of light, and of channels that nobody knows, are those of `raw`.
    @Test func theSamplesOfAKindAreShown() {
        let sample = RawSensorSample.undescribed(channel: 9, bytes: [1, 0xAB])
        #expect(LiveReading(sample, of: .raw)?.content.words == "channel 9: 01AB")
        #expect(LiveReading(sample, of: .motion) == nil)
    }

    /// Before the first value there is no scale; a doubt about the device has its room.
    @Test func drawsNoAxisWithoutAValue() {
        var picture = LivePicture(
            .heartRateVariability, of: "R02", warmUp: .seconds(60), doubt: "no such sensor")
        let empty = lines(&picture)
        #expect(empty.count == Self.size.rows && empty[1] == "no such sensor")
        #expect(empty.filter { $0 != "" }.count == 4 && !empty.contains { $0.contains("now") })
        picture.receive(LiveReading(.value(40, details: nil)), at: 1)
        let drawn = lines(&picture)
        #expect(drawn.dropLast(2).last?.contains("now") == true)
        #expect(!drawn.contains("no such sensor"))
    }

    /// The second chart stays while the device is not worn: nothing jumps.
    @Test mutating func keepsTheChartOfBeats() {
        picture.receive(
            LiveReading(.value(60, details: nil), beats: [.milliseconds(1000)]), at: 1)
        let before = lines(&picture)
        picture.receive(LiveReading(.notWorn), at: 2)
        let after = lines(&picture)
        for lines in [before, after] {
            #expect(lines.count == Self.size.rows)
            #expect(lines.firstIndex { $0.hasPrefix("beat interval") } == 15)
        }
    }

    /// The columns of a chart that have a dot.
    private static func columns(of chart: String, in lines: [String]) -> Set<Int> {
        let curve = lines.drop { !$0.hasPrefix(chart) }.prefix { !$0.hasSuffix("now╵") }
        var columns: Set<Int> = []
        for line in curve.dropFirst() {
            for (column, character) in line.enumerated()
            where character.unicodeScalars.allSatisfy({ 0x2801...0x28FF ~= $0.value }) {
                columns.insert(column)
            }
        }
        return columns
    }

    /// The columns of a chart without a dot, between its first and its last dot.
    private static func emptyColumns(of chart: String, in lines: [String]) -> Set<Int> {
        let columns = columns(of: chart, in: lines)
        guard let first = columns.min(), let last = columns.max() else { return [] }
        return Set(first...last).subtracting(columns)
    }

    /// No line leads over a time without a heart rate.
    @Test(
        arguments: [(nil, false), (.notWorn, true), (.linkLost, true), (.other("x"), false)]
            as [(LiveReading.Content?, Bool)], ["heart rate", "beat interval"])
    mutating func theCurvesHaveAGap(_ interruption: (LiveReading.Content?, Bool), _ chart: String) {
        func beat(_ time: Double) {
            picture.receive(
                LiveReading(.value(60, details: nil), beats: [.milliseconds(1000)]), at: time)
        }
        for time in 5...10 { beat(Double(time)) }
        if let content = interruption.0 { picture.receive(LiveReading(content), at: 11) }
        let shown = picture.lines(at: 12, Self.size, .braille).first?.text ?? ""
        #expect(shown.contains(interruption.1 ? "heart rate  – bpm" : "heart rate  60 bpm"))
        for time in 19...24 { beat(Double(time)) }
        let lines = picture.lines(at: 30, Self.size, .braille).map(\.text)
        let empty = Self.emptyColumns(of: chart, in: lines)
        #expect(interruption.1 ? empty.count > 5 : empty.isEmpty, "\(lines)")
    }

    // MARK: Lost links

    /// The seconds of readings, with `false` for a lost link; the status at 1000 s and the remark.
    @Test(
        arguments: [
            ([(5, true)], 0, nil), ([], 0, nil), ([(5, true), (10, false), (10, false)], 1, "x"),
            (
                [(5, true), (10, false), (20, false), (50, true), (60, false), (70, true)], 0,
                "the link was lost twice, for 50 s of 16 min"
            ),
            ([(0, false), (101, true)], 1, "the link was lost once, for 101 s of 16 min"),
            ([(0, false), (100, true)], 0, "the link was lost once, for 100 s of 16 min"),
            ([(999, false)], 1, "the link was lost once, for 1 s of 16 min, and is lost still"),
        ] as [([(Double, Bool)], Int32, String?)])
    func aLostLinkIsNoSuccess(_ readings: [(Double, Bool)], _ status: Int32, _ remark: String?) {
        var losses = LinkLosses()
        for (time, isThere) in readings {
            losses.receive(isThere ? .value(60) : .linkLost, at: time)
        }
        let conclusion = losses.conclusion(at: 1000)
        #expect(conclusion.status.code == status)
        #expect(remark == "x" || conclusion.remark == remark, "\(conclusion)")
    }

    /// Values ten seconds apart are joined, and no others.
    @Test(
        arguments: [(20.0, true), (20.5, false)] as [(Double, Bool)],
        ["heart rate", "beat interval"])
    mutating func joinsTenSeconds(_ next: (Double, Bool), _ chart: String) {
        let (time, isJoined) = next
        for time in [5, 10, time, 25] {
            picture.receive(
                LiveReading(.value(60, details: nil), beats: [.milliseconds(1000)]), at: time)
        }
        let lines = picture.lines(at: 30, Self.size, .braille).map(\.text)
        #expect(Self.emptyColumns(of: chart, in: lines).isEmpty == isJoined, "\(lines)")
    }

    /// The curves move on without new values.
    @Test(arguments: ["heart rate", "beat interval"]) mutating func theCurvesMove(_ chart: String)
        throws
    {
        for time in 1...5 {
            picture.receive(
                LiveReading(.value(60, details: nil), beats: [.milliseconds(1000)]),
                at: Double(time))
        }
        let before = picture.lines(at: 5, Self.size, .braille).map(\.text)
        let after = picture.lines(at: 35, Self.size, .braille).map(\.text)
        let (old, new) = (
            try #require(Self.columns(of: chart, in: before).max()),
            try #require(Self.columns(of: chart, in: after).max())
        )
        #expect(old - new > 30)
    }

    /// The axis of the beats begins at 0, not below or above it.
    @Test mutating func theBeatsHaveAScaleFromZero() {
        picture.receive(LiveReading(.value(200, details: nil), beats: [.milliseconds(20)]), at: 1)
        let beats = lines(&picture).drop { !$0.hasPrefix("beat interval") }
        let labels = beats.compactMap {
            Int($0.prefix { $0 != "+" && $0 != "|" }.drop { $0 == " " })
        }
        #expect(labels.min() == 0 && (labels.max() ?? 0) >= 100, "\(beats)")
    }

    /// A second chart has room for a curve, or is left out.
    @Test(arguments: 1...40) mutating func fillsTheRows(rows: Int) {
        picture.receive(
            LiveReading(.value(60, details: nil), beats: [.milliseconds(1000)]), at: 1)
        let lines = lines(&picture, TerminalSize(columns: 80, rows: rows))
        #expect(lines.count == max(rows, 3))
        let narrow = self.lines(&picture, TerminalSize(columns: 10, rows: rows))
        #expect(narrow.count == max(rows, 3))
        guard let second = lines.firstIndex(where: { $0.hasPrefix("beat interval") }) else {
            #expect(rows < 17)
            return
        }
        #expect(rows >= 17)
        #expect(lines[second...].contains { $0.hasSuffix("now'") })
    }

    @Test func countsTheValuesThatAreDropped() async {
        let events = LiveEvents<Int>(interval: nil)
        for number in 0..<5000 { events.add(number) }
        events.finish()
        var first: Int?
        for await case .value(let number) in events.stream where first == nil { first = number }
        let dropped = events.takeDropped()
        #expect(dropped == 5000 - 4096 && first == dropped)
        #expect(events.takeDropped() == 0)
    }

    @Test func countsTheValuesThatOtherEventsPushOut() async {
        let events = LiveEvents<Int>(interval: nil)
        for number in 0..<4096 { events.add(number) }
        events.send(.tick)
        events.fail(Failure(.unusable, "the device is gone"))
        var values: [Int] = []
        for await event in events.stream {
            if case .value(let number) = event { values.append(number) }
        }
        #expect(values == Array(2..<4096))
        #expect(events.takeDropped() == 2)
    }
}
