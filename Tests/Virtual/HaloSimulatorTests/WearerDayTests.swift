import HaloProtocol
import HaloSimulator
import TestSupport
import Testing

/// Nights, naps, walks and exercise of a wearer.
@Suite(.passesTime) struct WearerDayTests {
    private let wearer = Wearer(seed: 7, restingHeartRate: 58)

    @Test func whoeverIsAskedNothingElseIsAnAverageGrownUp() {
        let wearer = Wearer()
        #expect(wearer.restingHeartRate == 60)
        #expect(wearer.restingHeartRateVariability == 45)
        #expect(wearer.bloodOxygenPercent == 97)
        #expect(wearer.stressLevel == 35)
        #expect(wearer.skinTemperatureTenths == 364)
        #expect(wearer.stepsPerDay == 8000)
        #expect(wearer.exerciseDaysPerWeek == 3)
        #expect(wearer.bedtime.description == "23:00:00")
        #expect(wearer.wakeTime.description == "07:00:00")
        #expect(
            (wearer.ageYears, wearer.heightCentimetres, wearer.weightKilograms) == (35, 175, 70))
        #expect(wearer.highestHeartRate == 183)
    }

    @Test func valuesBeyondTheirLimitsGoToTheNearest() {
        let least = Wearer(
            restingHeartRate: .min, restingHeartRateVariability: .min, bloodOxygenPercent: .min,
            stressLevel: .min, skinTemperatureTenths: .min, stepsPerDay: .min,
            exerciseDaysPerWeek: .min, ageYears: .min, heightCentimetres: .min,
            weightKilograms: .min)
        #expect((least.restingHeartRate, least.restingHeartRateVariability) == (35, 10))
        #expect((least.bloodOxygenPercent, least.stressLevel) == (90, 5))
        #expect((least.skinTemperatureTenths, least.stepsPerDay) == (340, 500))
        #expect((least.exerciseDaysPerWeek, least.ageYears) == (0, 10))
        #expect((least.heightCentimetres, least.weightKilograms) == (120, 30))
        let most = Wearer(
            restingHeartRate: .max, restingHeartRateVariability: .max, bloodOxygenPercent: .max,
            stressLevel: .max, skinTemperatureTenths: .max, stepsPerDay: .max,
            exerciseDaysPerWeek: .max, ageYears: .max, heightCentimetres: .max,
            weightKilograms: .max)
        #expect((most.restingHeartRate, most.restingHeartRateVariability) == (100, 150))
        #expect((most.bloodOxygenPercent, most.stressLevel) == (98, 70))
        #expect((most.skinTemperatureTenths, most.stepsPerDay) == (380, 30_000))
        #expect((most.exerciseDaysPerWeek, most.ageYears) == (7, 100))
        #expect((most.heightCentimetres, most.weightKilograms) == (220, 200))
    }

    @Test(arguments: [
        (20, "20:00:00"), (23, "23:00:00"), (0, "00:00:00"), (3, "03:00:00"), (8, "03:00:00"),
        (12, "20:00:00"), (19, "20:00:00"),
    ])
    func bedtimesLieAtNight(_ hour: Int, _ bedtime: String) throws {
        let wearer = Wearer(bedtime: try CivilTime(hour: hour, minute: 0))
        #expect(wearer.bedtime.description == bedtime)
    }

    @Test(arguments: [(0, "04:00:00"), (5, "05:00:00"), (11, "11:00:00"), (15, "11:59:00")])
    func wakingLiesInTheMorning(_ hour: Int, _ waking: String) throws {
        let wearer = Wearer(wakeTime: try CivilTime(hour: hour, minute: 0))
        #expect(wearer.wakeTime.description == waking)
    }

    @Test func sleepsAtNightAndIsUpByDay() {
        var body = BodyClock(wearer)
        for date in WearerWeek.month {
            #expect(body.state(at: WearerWeek.time(date, 3 * 3600)).activity == .asleep)
            for hour in [10, 11, 12, 18, 19, 20] {
                let state = body.state(at: WearerWeek.time(date, hour * 3600))
                #expect(state.activity != .asleep, "\(date) \(hour):00")
                #expect(state.sleepStage == nil)
            }
        }
    }

    @Test func aNightIsFiledUnderTheMorningItEnds() {
        for date in WearerWeek.month {
            let night = wearer.night(endingOn: date)
            #expect(night.end.date == date)
            #expect(night.start < night.end)
            #expect(night.start.time.second == 0)
        }
    }

    @Test func theStagesOfANightAddUpToIt() {
        for date in WearerWeek.month {
            let night = wearer.night(endingOn: date)
            let sum = [SleepStage.light, .deep, .rem, .awake].reduce(0) {
                $0 + night.minutes(of: $1)
            }
            #expect(sum == night.minutes)
            let length = night.end.secondsSince1970 - night.start.secondsSince1970
            #expect(night.minutes * 60 == Int(length))
            #expect(zip(night.stages, night.stages.dropFirst()).allSatisfy { $0.stage != $1.stage })
        }
    }

    @Test func stagesHaveTheSharesOfAPersonsSleep() {
        for date in WearerWeek.month {
            let night = wearer.night(endingOn: date)
            #expect(12...25 ~= night.minutes(of: .deep) * 100 / night.minutes)
            #expect(18...35 ~= night.minutes(of: .rem) * 100 / night.minutes)
            #expect(night.minutes(of: .awake) < 40)
        }
    }

    @Test func deepSleepComesEarlyAndREMSleepLate() {
        for date in WearerWeek.month {
            let night = wearer.night(endingOn: date)
            var early: [SleepStage: Int] = [:]
            var late: [SleepStage: Int] = [:]
            var minute = 0
            for stretch in night.stages {
                if minute < night.minutes / 2 {
                    early[stretch.stage, default: 0] += Int(stretch.minutes)
                } else {
                    late[stretch.stage, default: 0] += Int(stretch.minutes)
                }
                minute += Int(stretch.minutes)
            }
            #expect(early[.deep, default: 0] > 2 * late[.deep, default: 0])
            #expect(late[.rem, default: 0] > early[.rem, default: 0])
        }
    }

    @Test func theStateOfAMinuteIsThatOfTheNight() {
        var body = BodyClock(wearer)
        for date in WearerWeek.days {
            let night = body.night(endingOn: date)
            var time = night.start
            for stretch in night.stages {
                let last = time.advanced(bySeconds: Int(stretch.minutes) * 60 - 1)
                #expect(body.state(at: time).sleepStage == stretch.stage)
                #expect(body.state(at: last).sleepStage == stretch.stage)
                time = last.advanced(bySeconds: 1)
            }
            #expect(body.state(at: time).sleepStage == nil)
            #expect(body.state(at: night.start.advanced(bySeconds: -1)).sleepStage == nil)
        }
    }

    @Test func weekendsDiffer() {
        let nights = WearerWeek.month.map { (date: $0, night: wearer.night(endingOn: $0)) }
        func waking(_ isWeekend: Bool) -> [UInt32] {
            nights.filter { ((Int($0.date.daysSince1970) + 3) % 7 >= 5) == isWeekend }
                .map { $0.night.end.time.secondsSinceMidnight }
        }
        let weekend = waking(true)
        let weekdays = waking(false)
        #expect((weekend.count, weekdays.count) == (8, 20))
        #expect((weekend.min() ?? 0) > (weekdays.max() ?? .max))
    }

    @Test func napsAreTakenNowAndThenInTheAfternoon() {
        let naps = WearerWeek.month.compactMap { wearer.nap(on: $0) }
        #expect(1...15 ~= naps.count)
        for nap in naps {
            #expect(25...95 ~= nap.minutes)
            #expect(13...16 ~= nap.start.time.hour)
            let middle = nap.start.advanced(bySeconds: nap.minutes * 30)
            #expect(wearer.state(at: middle).activity == .asleep)
            #expect(wearer.movement(from: nap.start, to: nap.end) == .none)
        }
    }

    @Test func whoHardlyHasANightSleepsThreeHours() throws {
        let wearer = Wearer(
            bedtime: try CivilTime(hour: 3, minute: 0), wakeTime: try CivilTime(hour: 4, minute: 0))
        for date in WearerWeek.days { #expect(wearer.night(endingOn: date).minutes == 180) }
    }

    @Test func whoGoesToBedAfterMidnightIsUpUntilThen() throws {
        let wearer = Wearer(bedtime: try CivilTime(hour: 2, minute: 0))
        for date in WearerWeek.days {
            let night = wearer.night(endingOn: date)
            #expect(night.start.date == date)
            #expect(wearer.state(at: WearerWeek.time(date, 600)).activity == .resting)
            #expect(wearer.state(at: night.start).activity == .asleep)
        }
    }
}
