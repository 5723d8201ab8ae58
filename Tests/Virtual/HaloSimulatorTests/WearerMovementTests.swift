import HaloProtocol
import HaloSimulator
import TestSupport
import Testing

/// The movement of a wearer.
@Suite(.passesTime) struct WearerMovementTests {
    private let wearer = Wearer(seed: 7, restingHeartRate: 58)

    private func movement(_ date: CivilDate, of wearer: Wearer) -> Movement {
        wearer.movement(from: WearerWeek.time(date), to: WearerWeek.time(date, 86_400))
    }

    @Test(arguments: [3_000, 8_000, 15_000])
    func aDaysStepsLieAroundTheUsualNumber(_ usual: Int) {
        var sum = 0
        for date in WearerWeek.month {
            let steps = movement(date, of: Wearer(seed: 7, stepsPerDay: usual)).steps
            #expect(usual / 2...usual * 8 / 5 ~= steps, "\(date)")
            sum += steps
        }
        #expect(usual * 85 / 100...usual * 115 / 100 ~= sum / 28)
    }

    @Test func walksByDayAndNeverAsleep() {
        var body = BodyClock(wearer)
        for date in WearerWeek.month {
            let night = body.night(endingOn: date)
            #expect(body.movement(from: night.start, to: night.end) == .none)
            #expect(body.movement(from: night.end, to: WearerWeek.time(date, 72_000)).steps > 1000)
        }
    }

    @Test func stepsOfMinutesAddUpToThoseOfTheDay() {
        var body = BodyClock(wearer)
        for date in WearerWeek.days {
            var sum = Movement.none
            for time in WearerWeek.minutes(date) {
                let minute = body.movement(from: time, to: time.advanced(bySeconds: 60))
                #expect(0...185 ~= minute.steps)
                #expect(minute.smallCalories >= 0 && minute.millimetres >= 0)
                #expect(0...60 ~= minute.activeSeconds)
                sum = sum + minute
            }
            #expect(sum == movement(date, of: wearer))
        }
    }

    @Test func movementGrowsWithEverySecondOfAWalk() throws {
        var body = BodyClock(wearer)
        let walk = try #require(
            body.exertions(on: WearerWeek.monday).max { $0.minutes < $1.minutes })
        var before = Movement.none
        for second in 1...walk.minutes * 60 {
            let time = walk.start.advanced(bySeconds: second)
            let movement = body.movement(from: walk.start, to: time)
            #expect(0...3 ~= movement.steps - before.steps)
            #expect(movement.activeSeconds == second)
            before = movement
        }
        #expect(before.steps > 80 * walk.minutes)
    }

    @Test func movementGoesOnOverMidnight() {
        let start = WearerWeek.time(WearerWeek.monday, 43_200)
        let end = WearerWeek.time(WearerWeek.days[6], 43_200)
        var sum = wearer.movement(from: start, to: WearerWeek.time(WearerWeek.days[1]))
        for date in WearerWeek.days[1..<6] { sum = sum + movement(date, of: wearer) }
        sum = sum + wearer.movement(from: WearerWeek.time(WearerWeek.days[6]), to: end)
        #expect(wearer.movement(from: start, to: end) == sum)
        #expect(wearer.movement(from: end, to: start) == .none)
        #expect(wearer.movement(from: start, to: start) == .none)
    }

    @Test func aWalkingStepIsAsCaptured() throws {
        var body = BodyClock(wearer)
        let walk = try #require(
            body.exertions(on: WearerWeek.monday).first { $0.activity == .walking })
        let movement = body.movement(from: walk.start, to: walk.end)
        #expect(movement.smallCalories == 58 * movement.steps)
        #expect(movement.millimetres == 752 * Int64(movement.steps))
        #expect(movement.metres == 752 * movement.steps / 1000)
        #expect(movement.runningSteps == 0)
    }

    @Test func tallerAndHeavierPeopleGoFartherAndBurnMore() {
        let tall = Wearer(heightCentimetres: 200, weightKilograms: 100)
        #expect(tall.stepMillimetres == 860)
        #expect(tall.smallCaloriesPerStep == 83)
    }

    @Test(arguments: 0...7)
    func exerciseHasItsDaysInEachWeek(_ days: Int) {
        var body = BodyClock(Wearer(seed: 3, exerciseDaysPerWeek: days))
        for week in 0..<4 {
            let active = WearerWeek.month[week * 7..<week * 7 + 7].filter { date in
                body.exertions(on: date).contains { $0.activity != .walking }
            }
            // A nap may take the place of it.
            #expect(days - 1...days ~= active.count)
        }
    }

    @Test func runningStepsAreRunAndCyclingHasNone() {
        var body = BodyClock(Wearer(seed: 5, exerciseDaysPerWeek: 7))
        var kinds: Set<BodyActivity> = []
        for date in WearerWeek.month {
            for exertion in body.exertions(on: date) where exertion.activity != .walking {
                let movement = body.movement(from: exertion.start, to: exertion.end)
                kinds.insert(exertion.activity)
                #expect(movement.steps == movement.runningSteps)
                #expect((movement.steps > 0) == (exertion.activity == .running))
                #expect((movement.millimetres > 0) == (exertion.activity == .running))
                #expect(movement.smallCalories > 100_000)
                #expect(movement.activeSeconds == exertion.minutes * 60)
            }
        }
        #expect(kinds == [.running, .cycling])
    }

    @Test func exertionsLieApartWhileUp() {
        var body = BodyClock(wearer)
        for date in WearerWeek.month {
            let exertions = body.exertions(on: date)
            #expect(exertions.count > 5)
            for (first, second) in zip(exertions, exertions.dropFirst()) {
                #expect(first.end <= second.start)
            }
            for exertion in exertions {
                #expect(body.state(at: exertion.start).activity == exertion.activity)
                let last = exertion.end.advanced(bySeconds: -1)
                #expect(body.state(at: last).activity == exertion.activity)
                #expect(body.state(at: last).stepsPerMinute > 0 || exertion.activity == .cycling)
            }
        }
    }

    @Test func theNextExertionIsTheOneThatGoesOnOrComes() throws {
        var body = BodyClock(wearer)
        var time = WearerWeek.time(WearerWeek.monday)
        var found: [Exertion] = []
        while let next = body.exertion(from: time), next.start < WearerWeek.time(WearerWeek.days[3])
        {
            #expect(body.exertion(from: next.start) == next)
            #expect(body.exertion(from: next.end.advanced(bySeconds: -1)) == next)
            found.append(next)
            time = next.end
        }
        #expect(found == WearerWeek.days[0..<3].flatMap { body.exertions(on: $0) })
    }

    @Test func theEarthsPullIsFeltAtRestAndStepsOnWalks() throws {
        var body = BodyClock(wearer)
        func norms(_ start: CivilDateTime) -> [Int] {
            (0..<40).map { sample in
                let time = start.advanced(bySeconds: sample / 10)
                let a = body.acceleration(at: time, milliseconds: sample % 10 * 100)
                return (a.x * a.x + a.y * a.y + a.z * a.z) / 1000
            }
        }
        let night = norms(WearerWeek.time(WearerWeek.monday, 3 * 3600))
        #expect(night.allSatisfy { 970...1030 ~= $0 })
        let walk = try #require(
            body.exertions(on: WearerWeek.monday).first { $0.minutes > 3 })
        let walking = norms(walk.start.advanced(bySeconds: 60))
        #expect((walking.max() ?? 0) - (walking.min() ?? 0) > 300)
    }
}
