import HaloProtocol
import TestSupport
import Testing

@testable import HaloSimulator

/// The pulse and the other values of a wearer's body.
@Suite(.passesTime) struct WearerPulseTests {
    private let wearer = Wearer(seed: 7, restingHeartRate: 58)

    @Test(arguments: [45, 58, 72])
    func theRestingHeartRateIsReachedAsleep(_ resting: Int) {
        var body = BodyClock(Wearer(seed: 7, restingHeartRate: resting))
        for date in WearerWeek.days {
            let night = body.night(endingOn: date)
            var deep: [Int] = []
            for minute in 0..<night.minutes {
                let state = body.state(at: night.start.advanced(bySeconds: minute * 60))
                if state.sleepStage == .deep { deep.append(Int(state.beatsPerMinute)) }
                #expect(resting - 4...resting + 14 ~= Int(state.beatsPerMinute))
            }
            #expect(resting - 1...resting + 1 ~= deep.reduce(0, +) / deep.count)
        }
    }

    @Test func sleepIsCalmerThanSitting() {
        var body = BodyClock(wearer)
        var sums: [Bool: (pulse: Int, variability: Int, stress: Int, count: Int)] = [:]
        for time in WearerWeek.days.flatMap(WearerWeek.minutes) {
            let state = body.state(at: time)
            guard state.activity == .asleep || state.activity == .resting else { continue }
            var sum = sums[state.activity == .asleep] ?? (0, 0, 0, 0)
            sum.pulse += Int(state.beatsPerMinute)
            sum.variability += Int(state.variabilityMilliseconds)
            sum.stress += Int(state.stress)
            sum.count += 1
            sums[state.activity == .asleep] = sum
        }
        let asleep = sums[true] ?? (0, 0, 0, 1)
        let sitting = sums[false] ?? (0, 0, 0, 1)
        #expect(asleep.pulse / asleep.count + 5 < sitting.pulse / sitting.count)
        #expect(asleep.variability / asleep.count > sitting.variability / sitting.count + 8)
        #expect(asleep.stress / asleep.count * 2 < sitting.stress / sitting.count)
    }

    @Test func theHeartFollowsExerciseUpAndDown() {
        var body = BodyClock(Wearer(seed: 5, exerciseDaysPerWeek: 7))
        for date in WearerWeek.month {
            for exertion in body.exertions(on: date) where exertion.activity != .walking {
                func pulse(_ time: CivilDateTime) -> Int {
                    Int(body.state(at: time).beatsPerMinute)
                }
                let before = pulse(exertion.start)
                let soon = pulse(exertion.start.advanced(bySeconds: 30))
                let high = pulse(exertion.end.advanced(bySeconds: -1))
                let after = pulse(exertion.end.advanced(bySeconds: 240))
                let calm = pulse(exertion.end.advanced(bySeconds: 900))
                #expect(before < soon && soon < high)
                #expect(high >= 110)
                #expect(after < high - 20 && calm < high - 30)
                #expect(high <= 183)
            }
        }
    }

    @Test func theHeartDoesNotJump() {
        var body = BodyClock(Wearer(seed: 5, exerciseDaysPerWeek: 7))
        for date in WearerWeek.days {
            var last: Int?
            for second in stride(from: 0, to: 86_400, by: 5) {
                let pulse = Int(body.state(at: WearerWeek.time(date, second)).beatsPerMinute)
                if let last { #expect(abs(pulse - last) <= 14, "\(date) \(second)") }
                last = pulse
            }
        }
    }

    @Test func theHighestHeartRateFallsWithAge() {
        #expect(Wearer(ageYears: 20).highestHeartRate == 194)
        #expect(Wearer(ageYears: 80).highestHeartRate == 152)
        var body = BodyClock(Wearer(exerciseDaysPerWeek: 7, ageYears: 80))
        for time in WearerWeek.days.flatMap(WearerWeek.minutes) {
            #expect(body.state(at: time).beatsPerMinute <= 152)
        }
    }

    @Test func beatsGoAtTheHeartRate() {
        for hour in [3, 9, 15, 21] {
            let start = WearerWeek.time(WearerWeek.monday, hour * 3600)
            var body = BodyClock(wearer)
            var beats = HeartBeats(of: wearer, from: start)
            var mean = 0
            for second in 0..<600 {
                mean += Int(body.state(at: start.advanced(bySeconds: second)).meanBeatMicroseconds)
            }
            var count = 0
            while beats.next().microseconds < 600_000_000 { count += 1 }
            let expected = 600_000_000 * 600 / mean
            #expect(abs(count - expected) * 50 <= expected, "\(hour): \(count), \(expected)")
        }
    }

    @Test func theMeanBeatIsThatOfTheHeartRate() {
        var body = BodyClock(wearer)
        for time in WearerWeek.minutes(WearerWeek.monday) {
            let state = body.state(at: time)
            let rate = 60_000_000 / Int(state.meanBeatMicroseconds)
            #expect(abs(rate - Int(state.beatsPerMinute)) <= 1)
        }
    }

    @Test func beatsScatterAsTheVariabilitySays() {
        let start = WearerWeek.time(WearerWeek.monday, 3 * 3600)
        var body = BodyClock(wearer)
        var beats = HeartBeats(of: wearer, from: start)
        var last = beats.next()
        var squares = 0.0
        var variability = 0.0
        for _ in 0..<1000 {
            let beat = beats.next()
            let difference = Double(beat.intervalMicroseconds - last.intervalMicroseconds) / 1000
            squares += difference * difference
            let time = start.advanced(bySeconds: Int(beat.microseconds / 1_000_000))
            variability += Double(body.state(at: time).variabilityMilliseconds)
            last = beat
        }
        let ratio = (squares / 1000).squareRoot() / (variability / 1000)
        #expect(0.75...1.25 ~= ratio, "\(ratio)")
    }

    @Test func theTicksOfBeatsAddUp() {
        var beats = HeartBeats(of: wearer, from: WearerWeek.time(WearerWeek.monday))
        var ticks = 0
        var last: Int64 = 0
        for _ in 0..<1000 {
            let beat = beats.next()
            ticks += Int(beat.intervalTicks)
            #expect(beat.microseconds - last == beat.intervalMicroseconds)
            let milliseconds = (beat.intervalMicroseconds + 500) / 1000
            #expect(abs(milliseconds * 1000 - beat.intervalMicroseconds) <= 500)
            last = beat.microseconds
        }
        #expect(Int64(ticks) == last * 1024 / 1_000_000)
    }

    @Test func aBeatOfAMomentIsNearTheMean() {
        var body = BodyClock(wearer)
        for time in WearerWeek.minutes(WearerWeek.monday) {
            let state = body.state(at: time)
            let mean = Int(state.meanBeatMicroseconds / 1000)
            let most = Int(state.variabilityMilliseconds) * 16 / 10 + 1
            #expect(abs(Int(body.beatMilliseconds(at: time)) - mean) <= most)
        }
    }

    @Test func bloodOxygenDipsInSleepOnly() {
        var body = BodyClock(wearer)
        var least: [Bool: UInt8] = [true: 100, false: 100]
        for time in WearerWeek.month.flatMap(WearerWeek.minutes) {
            let state = body.state(at: time)
            #expect(94...99 ~= state.bloodOxygenPercent)
            let isAsleep = state.activity == .asleep
            least[isAsleep] = min(least[isAsleep] ?? 100, state.bloodOxygenPercent)
        }
        #expect(least == [true: 94, false: 96])
    }

    @Test func skinIsWarmerAtNightAndWithinWhatWasCaptured() {
        var body = BodyClock(wearer)
        var night = 0
        var day = 0
        for date in WearerWeek.days {
            for time in WearerWeek.minutes(date) {
                #expect(358...368 ~= body.state(at: time).skinTemperatureTenths)
            }
            night += body.state(at: WearerWeek.time(date, 2 * 3600)).skinTemperatureTenths
            day += body.state(at: WearerWeek.time(date, 14 * 3600)).skinTemperatureTenths
        }
        #expect(night > day + 7 * 3)
    }

    @Test func stressStaysWithinItsScale() {
        for level in [5, 35, 70] {
            var body = BodyClock(Wearer(stressLevel: level))
            for time in WearerWeek.days.flatMap(WearerWeek.minutes) {
                #expect(1...99 ~= body.state(at: time).stress)
            }
        }
    }
}
