import HaloProtocol
import HaloSimulator
import TestSupport
import Testing

/// The same seed gives the same week, byte for byte.
@Suite(.passesTime) struct WearerDeterminismTests {
    private func digest(_ wearer: Wearer, everyMinutes step: Int = 1) -> UInt64 {
        var body = BodyClock(wearer)
        var digest = Digest()
        for date in WearerWeek.days {
            for minute in stride(from: 0, to: 1440, by: step) {
                let time = WearerWeek.time(date, minute * 60)
                digest.add(body.state(at: time))
                let movement = body.movement(from: time, to: time.advanced(bySeconds: 60))
                digest.add(movement.steps)
                digest.add(movement.smallCalories)
                digest.add(Int(movement.millimetres))
                digest.add(Int(body.beatMilliseconds(at: time)))
                let acceleration = body.acceleration(at: time, milliseconds: 500)
                digest.add(acceleration.x)
                digest.add(acceleration.y)
                digest.add(acceleration.z)
            }
        }
        return digest.value
    }

    @Test func theWeekOfSeedSevenIsThisOne() {
        #expect(digest(Wearer(seed: 7, restingHeartRate: 58)) == 15_150_675_555_776_958_137)
    }

    @Test func otherSeedsHaveOtherWeeks() {
        let digests = (1...20).map { digest(Wearer(seed: $0), everyMinutes: 60) }
        #expect(Set(digests).count == 20)
    }

    @Test func anyOrderGivesTheSame() {
        let wearer = Wearer(seed: 7)
        var forwards = BodyClock(wearer)
        var backwards = BodyClock(wearer)
        let times = WearerWeek.days.flatMap { date in
            stride(from: 0, to: 86_400, by: 997).map { WearerWeek.time(date, $0) }
        }
        let states = times.map { forwards.state(at: $0) }
        #expect(times.reversed().map { backwards.state(at: $0) }.reversed() == states)
        #expect(times.map { wearer.state(at: $0) } == states)
    }

    @Test func theEndsOfTheCalendarAreDaysToo() {
        let wearer = Wearer(seed: 7)
        for seconds: UInt32 in [0, 1, 86_399, .max - 1, .max] {
            let time = CivilDateTime(secondsSince1970: seconds)
            #expect(wearer.state(at: time).beatsPerMinute > 30)
            #expect(wearer.night(endingOn: time.date).minutes > 180)
        }
        let last = CivilDateTime(secondsSince1970: .max)
        #expect(wearer.movement(from: last.advanced(bySeconds: -86_400), to: last).steps > 0)
    }

    @Test func extremePeopleLiveTheirWeekToo() throws {
        for bed in [20, 23, 3] {
            for wake in [4, 11] {
                let wearer = Wearer(
                    seed: .max, restingHeartRate: 100, stepsPerDay: 30_000, exerciseDaysPerWeek: 7,
                    bedtime: try CivilTime(hour: bed, minute: 0),
                    wakeTime: try CivilTime(hour: wake, minute: 0), ageYears: 100,
                    heightCentimetres: 220, weightKilograms: 200)
                #expect(digest(wearer, everyMinutes: 10) != 0)
            }
        }
    }
}

/// Two states are equal if all of their values are.
extension BodyState: Equatable {
    static func == (left: BodyState, right: BodyState) -> Bool {
        left.activity == right.activity && left.sleepStage == right.sleepStage
            && left.beatsPerMinute == right.beatsPerMinute
            && left.meanBeatMicroseconds == right.meanBeatMicroseconds
            && left.variabilityMilliseconds == right.variabilityMilliseconds
            && left.bloodOxygenPercent == right.bloodOxygenPercent && left.stress == right.stress
            && left.skinTemperatureTenths == right.skinTemperatureTenths
            && left.stepsPerMinute == right.stepsPerMinute
    }
}
