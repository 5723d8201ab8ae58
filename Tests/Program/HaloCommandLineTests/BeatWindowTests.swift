import HaloProtocol
import HaloTransport
import TestSupport
import Testing

@testable import HaloDevices
@testable import halo

/// The variability of beats, and repeated intervals.
@Suite(.computes) struct BeatWindowTests {
    private var window = BeatWindow()

    /// Beats with these intervals in milliseconds.
    private static func beats(
        _ intervals: [Int], from number: Int = 1, series: Int = 1
    ) -> [HeartBeat] {
        intervals.enumerated().map { index, milliseconds in
            HeartBeat(
                number: number + index, series: series, interval: .milliseconds(milliseconds),
                time: .zero)
        }
    }

    /// Sixty seconds of beats whose intervals differ by 50 ms.
    private static let minute = beats((0..<61).map { $0.isMultiple(of: 2) ? 1000 : 1050 })

    @Test mutating func isTheRootOfTheMeanOfSquares() throws {
        window.add(Array(Self.minute.dropLast(3)))
        #expect(window.rmssd == nil && window.missing == .milliseconds(550))
        window.add(Array(Self.minute.suffix(3)))
        #expect(abs(try #require(window.rmssd) - 50) < 0.001)
        #expect(window.missing == .zero)
    }

    /// After a minute of other beats, the first ones do not count.
    @Test mutating func forgetsOldBeats() throws {
        window.add(Self.minute)
        window.add(Self.beats(Array(repeating: 900, count: 70), from: 62))
        #expect(try #require(window.rmssd) < 10)
    }

    /// Between two series beats may be missing, and a missed beat doubles an interval.
    @Test mutating func leavesOutWhatIsNoDifferenceOfTwoBeats() throws {
        window.add(Self.beats(Array(repeating: 1000, count: 30)))
        window.add(Self.beats(Array(repeating: 1150, count: 15), from: 31, series: 2))
        window.add(Self.beats([2300], from: 46, series: 2))
        window.add(Self.beats(Array(repeating: 1150, count: 15), from: 47, series: 2))
        #expect(try #require(window.rmssd) == 0)
        window.removeAll()
        #expect(window.rmssd == nil && window.missing == BeatWindow.length)
    }

    /// The window has the beats that reach its length, and no more.
    @Test mutating func leavesOutABeatBeforeTheMinute() {
        window.add(Self.beats([1100] + Array(repeating: 1000, count: 60)))
        #expect(window.rmssd == 0)
    }

    /// A difference of more than a fifth of the interval before is none of two normal beats.
    @Test(arguments: [(1200, [200.0, 200], 59), (1201, [201.0], 58)])
    mutating func leavesOutWhatDiffersByMoreThanAFifth(
        interval: Int, differences: [Double], count: Int
    ) throws {
        let usual = Array(repeating: 1000, count: 30)
        window.add(Self.beats(usual + [interval] + usual))
        let sum = differences.reduce(0) { $0 + $1 * $1 }
        let rmssd = try #require(window.rmssd)
        #expect(abs(rmssd - (sum / Double(count)).squareRoot()) < 0.001, "\(rmssd)")
    }

    @Test(arguments: [(2900, 21, true), (3000, 21, false)])
    mutating func needsTwentyDifferences(interval: Int, count: Int, areThere: Bool) {
        window.add(Self.beats(Array(repeating: interval, count: count)))
        #expect(window.missing == .zero && window.rmssd == (areThere ? 0 : nil))
    }

    /// Beats without an interval are none.
    @Test mutating func leavesOutBeatsWithoutAnInterval() throws {
        window.add(Self.minute + Self.beats(Array(repeating: 0, count: 30), from: 62))
        #expect(abs(try #require(window.rmssd) - 50) < 0.001)
    }

    @Test mutating func holdsBoundedMemory() {
        for _ in 0..<100 { window.add(Self.beats(Array(repeating: 1, count: 1000))) }
        #expect(window.missing == BeatWindow.length - .milliseconds(1024))
        #expect(window.rmssd == nil)
    }

    /// The beats before a pause are of another time.
    @Test(arguments: [
        (HeartRateSensor.Report.interrupted, true), (.measurement(withoutContact), true),
        (.contact(isTouchingSkin: false), false), (.missed(1), false),
    ])
    mutating func forgetsTheBeatsBeforeAPause(report: HeartRateSensor.Report, isPause: Bool) {
        window.add(Self.minute)
        _ = LiveReading(of: report, variabilityOf: &window)
        #expect(window.missing == (isPause ? BeatWindow.length : .zero))
    }

    private static let withoutContact = HeartRateSensor.Measurement(
        beatsPerMinute: 0, isTouchingSkin: false, moment: .origin,
        time: CivilDateTime(secondsSince1970: 1_767_657_600),
        secondsFromUTC: 0, beats: [])

    /// A measurement comes with a change of the contact, and says the same.
    @Test(arguments: [true, false]) func aChangeOfTheContactIsNoReading(isTouching: Bool) {
        #expect(LiveReading(of: .contact(isTouchingSkin: isTouching)) == nil)
        #expect(LiveReading(of: .measurement(Self.withoutContact))?.content.words != nil)
    }

    @Test mutating func noticesASensorWithoutBeats() {
        for _ in 0..<14 { window.add([]) }
        #expect(!window.hasNoBeats)
        window.add([])
        #expect(window.hasNoBeats)
        window.add(Self.beats([1000]))
        #expect(!window.hasNoBeats)
    }

    @Test func anIntervalThatIsNotOverIsARepeat() {
        var beats = RepeatedBeats()
        let steps: [(Int, Int, Bool)] = [
            (0, 900, true), (500, 900, false), (899, 900, false), (900, 900, true),
            (1400, 880, true), (1900, 900, true), (2400, 900, false),
        ]
        for (moment, interval, isNew) in steps {
            #expect(
                beats.isNew(.milliseconds(interval), at: .origin + .milliseconds(moment)) == isNew,
                "\(moment)")
        }
    }
}
