import HaloProtocol
import HaloTransport
import TestSupport
import Testing

@testable import HaloDevices

/// The knowledge of a ring's clock that is assumed, in doubt, confirmed or refused.
@Suite(.passesTime) struct RingKnowledgeTests {
    private var knowledge = Self.knowledge()

    private static let start = CivilDateTime(secondsSince1970: 1_767_225_600)

    /// A wall clock an hour ahead of UTC, some seconds after the start.
    private static func wall(_ seconds: Int) -> WallClock {
        WallClock(local: start.advanced(bySeconds: seconds), secondsFromUTC: 3600)
    }

    private static func moment(_ seconds: Int) -> Moment { .origin + .seconds(seconds) }

    private static func clock(_ seconds: Int, at second: Int, wasSet: Bool = true) -> RingClock {
        RingClock(
            secondsFromUTC: seconds, wasSet: wasSet,
            since: start.advanced(bySeconds: second + seconds - 3600))
    }

    private static let assumption = RingClock(secondsFromUTC: 0, wasSet: false)

    private static func knowledge(after earlier: [RingClock] = []) -> RingKnowledge {
        RingKnowledge(assuming: assumption, after: earlier)
    }

    /// Changes the knowledge; returns `true` if the clock's generation has changed.
    private func change(
        _ knowledge: inout RingKnowledge, _ body: (inout RingKnowledge) -> Void
    ) -> Bool {
        let before = knowledge.clockGeneration
        body(&knowledge)
        return knowledge.clockGeneration != before
    }

    @Test mutating func anAssumptionIsKeptUntilTheClockIsSet() {
        #expect(knowledge.clock == Self.assumption)
        #expect(knowledge.clocks.clocks == [])
        let other = RingClock(secondsFromUTC: 1800, wasSet: false)
        #expect(change(&knowledge) { $0.assume(other) })
        #expect(knowledge.clock == other)
        #expect(knowledge.clocks.clocks == [other])
        #expect(change(&knowledge) { $0.assume(Self.assumption) })
        #expect(knowledge.clock == Self.assumption)
        #expect(knowledge.clocks.clocks == [other], "what was assumed first is what was before")
        #expect(
            knowledge.clockReading(Self.wall(60), now: Self.moment(60))
                == Self.start.advanced(bySeconds: 60 - 3600))
        let (epoch, isProven) = knowledge.clockEpoch(Self.wall(0), now: .origin)
        #expect(!isProven)
        #expect(
            epoch
                == ClockEpoch(assuming: Self.start.advanced(bySeconds: -3600), at: .origin))
    }

    @Test mutating func aClockIsInDoubtUntilTheRingConfirmsIt() {
        let clock = Self.clock(3600, at: 10)
        #expect(change(&knowledge) { $0.beginSetting(clock, at: Self.moment(10)) })
        let inDoubt = Self.clock(3600, at: 10, wasSet: false)
        #expect(knowledge.clock == inDoubt)
        #expect(knowledge.clocks.clocks == [inDoubt])
        #expect(!knowledge.clockEpoch(Self.wall(11), now: Self.moment(11)).isProven)
        #expect(change(&knowledge) { $0.confirmSetting(at: Self.moment(12)) })
        #expect(knowledge.clock == clock)
        #expect(knowledge.clocks.clocks == [clock])
        let (epoch, isProven) = knowledge.clockEpoch(Self.wall(20), now: Self.moment(20))
        #expect(isProven)
        #expect(
            epoch
                == ClockEpoch(
                    Self.start.advanced(bySeconds: 10), sent: Self.moment(10),
                    confirmed: Self.moment(12), now: Self.moment(20)))
        // The ring counts from the time that was set, whatever the wall clock shows meanwhile.
        #expect(
            knowledge.clockReading(Self.wall(99_999), now: Self.moment(25))
                == Self.start.advanced(bySeconds: 25))
        #expect(!change(&knowledge) { $0.confirmSetting(at: Self.moment(30)) }, "nothing is open")
        #expect(!change(&knowledge) { $0.withdrawSetting() })
        #expect(knowledge.clock == clock)
    }

    @Test mutating func aClockThatIsRefusedIsWhatItWas() {
        knowledge.beginSetting(Self.clock(3600, at: 0), at: .origin)
        knowledge.confirmSetting(at: .origin)
        knowledge.beginSetting(Self.clock(7200, at: 50), at: Self.moment(50))
        #expect(knowledge.clocks.clocks.count == 2)
        #expect(
            knowledge.clockReading(Self.wall(60), now: Self.moment(60))
                == Self.start.advanced(bySeconds: 60 + 3600))
        #expect(change(&knowledge) { $0.withdrawSetting() })
        #expect(knowledge.clock == Self.clock(3600, at: 0))
        #expect(knowledge.clocks.clocks == [Self.clock(3600, at: 0)])
        #expect(knowledge.clockEpoch(Self.wall(60), now: Self.moment(60)).isProven)
    }

    @Test mutating func aRingMayHaveAnotherClockAfterALostLink() {
        knowledge.beginSetting(Self.clock(3600, at: 0), at: .origin)
        knowledge.confirmSetting(at: .origin)
        #expect(change(&knowledge) { $0.leaveClock() })
        #expect(!knowledge.clockEpoch(Self.wall(60), now: Self.moment(60)).isProven)
        #expect(knowledge.clock == Self.clock(3600, at: 0))
        knowledge.beginSetting(Self.clock(3600, at: 70), at: Self.moment(70))
        knowledge.confirmSetting(at: Self.moment(70))
        #expect(knowledge.clockEpoch(Self.wall(80), now: Self.moment(80)).isProven)
        // After 87 days it may be wrong by a quarter of an hour.
        #expect(!knowledge.clockEpoch(Self.wall(80), now: Self.moment(87 * 86_400)).isProven)
    }

    @Test mutating func versionsAreParsed() {
        var information = DeviceInformation()
        information.receive("no version".utf8, of: CharacteristicCatalog.firmwareRevision.uuid)
        information.receive("R02_3.00.06".utf8, of: CharacteristicCatalog.modelNumber.uuid)
        knowledge.learn(information)
        #expect(knowledge.firmware == nil && knowledge.hardware == nil)
        #expect(knowledge.dialect == Dialect(firmware: nil))
    }

    // MARK: Wrong days

    /// A day that the ring reports some seconds after the start, which is a midnight in UTC+1.
    private static func sighting(_ days: Int, at second: Int) -> DayProbe.Sighting {
        DayProbe.Sighting(
            today: start.date.advanced(byDays: days) ?? start.date, from: .today,
            asked: moment(second), answered: moment(second + 1))
    }

    private static func shift(
        _ knowledge: RingKnowledge, days: Int, at second: Int
    ) -> ClockShift? {
        let expected = ExpectedTime(clock(3600, at: second), at: moment(second))
        return knowledge.shift(of: sighting(days, at: second), from: expected)
    }

    /// A clock that nobody has set for months is wrong by minutes: that is no other day.
    @Test func minutesAfterMidnightAreNoWrongDay() {
        let knowledge = Self.knowledge()
        #expect(Self.shift(knowledge, days: -1, at: 120) == nil)
        #expect(Self.shift(knowledge, days: -1, at: 900) == nil)
        #expect(Self.shift(knowledge, days: -1, at: 1020)?.days == 1)
        #expect(Self.shift(knowledge, days: 1, at: 86_400 - 1020)?.days == -1)
        #expect(Self.shift(knowledge, days: 1, at: 86_400 - 120) == nil)
        #expect(Self.shift(knowledge, days: 0, at: 40_000) == nil)
        #expect(Self.shift(knowledge, days: -3, at: 120)?.days == 3)
    }

    /// A clock that was sent, but not confirmed, leaves the one before it possible.
    @Test func aClockInDoubtDoesNotMakeTheOneBeforeWrong() {
        let home = Self.clock(3600 - 12 * 3600, at: 0)
        var knowledge = Self.knowledge(after: [home])
        #expect(Self.shift(knowledge, days: -1, at: 40_000) == nil)
        knowledge.beginSetting(Self.clock(3600, at: 40_000), at: Self.moment(40_000))
        #expect(knowledge.clocks.clocks.last?.isInDoubt == true)
        #expect(Self.shift(knowledge, days: -1, at: 40_001) == nil, "it is that of home")
        #expect(Self.shift(knowledge, days: 0, at: 40_001) == nil, "it is the right one")
        #expect(Self.shift(knowledge, days: -2, at: 40_001)?.days == 2)
        knowledge.confirmSetting(at: Self.moment(40_002))
        #expect(Self.shift(knowledge, days: -1, at: 40_003)?.days == 1, "home is over")
    }
}
