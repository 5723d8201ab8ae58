package import HaloProtocol

/// The state of a person at one moment, as ideal sensors would measure it: the formulae that derive
/// values from a day's plan, in integer arithmetic. Each value is computed when it is used.
///
/// - Heart rate: resting in deep sleep; above it light sleep 2, REM sleep 5, awake in bed 7,
///   sitting 9 beats, changing over three minutes. A walk takes a fifth to a third of the heart
///   rate reserve, a ride about 0.6, a run about 0.75. The heart needs two minutes to reach that.
///   It recovers along a parabola, in three minutes after a walk and ten after exercise. A meal
///   adds up to 5 beats for an hour and a half, a hard time up to 9. Two lines of noise are added,
///   one of five minutes and one of twenty seconds.
/// - Variability: the resting variability in light sleep; 1.15 times that in deep sleep, 0.85 in
///   REM sleep, 0.7 sitting, and less with effort and stress.
/// - Blood oxygen: a little lower asleep, with dips of some minutes, never more than 3 % below the
///   usual nor above 99 %.
/// - Stress: the usual level, higher under strain and effort; two fifths of it asleep.
/// - Skin: half a degree warmer in bed than at noon, cooler on walks.
package struct BodyState: Sendable {
    let plan: DayPlan
    /// The second of the day, counted from midnight.
    let second: Int
    /// The seconds since 1970.
    let absolute: Int64
    package let activity: BodyActivity
    /// The current cadence in steps per minute; 0 without steps.
    package let stepsPerMinute: Int
    /// The effort that the heart has followed so far, in thousandths of the heart rate reserve.
    let effort: Int
    /// The sleep that the second lies in; `nil` while up, and on a walk in the night.
    private let sleep: PlannedSleep?

    private static let rampSeconds = 180

    private var wearer: Wearer { plan.wearer }
    private var noise: SeededNoise { plan.wearer.noise }

    init(_ plan: DayPlan, second: Int) {
        self.plan = plan
        self.second = second
        absolute = Int64(plan.day) * 86_400 + Int64(second)
        let bouts = plan.bouts(at: second)
        let residual = bouts.previous.map { Self.residual($0, second) } ?? 0
        effort = max(bouts.current.map { Self.rise($0, second) } ?? 0, residual)
        stepsPerMinute = bouts.current?.cadence ?? 0
        sleep = bouts.current == nil ? Self.sleep(in: plan, minute: second / 60) : nil
        activity = bouts.current?.activity ?? (sleep == nil ? .resting : .asleep)
    }

    private static func sleep(in plan: DayPlan, minute: Int) -> PlannedSleep? {
        if minute >= plan.night.start && minute < plan.night.end { return plan.night }
        if minute >= plan.nextNight.start { return plan.nextNight }
        return plan.naps.first { minute >= $0.start && minute < $0.end }
    }

    /// The current stretch of sleep with its first minute since this day's midnight, and the
    /// stretch before it; `nil` while up.
    private var stretch: PlannedSleep.Place? { sleep?.stretch(at: second / 60) }

    /// The effort that the heart has reached in a bout; all of it after two minutes.
    private static func rise(_ bout: Bout, _ second: Int) -> Int {
        let missing = 120 - (second - bout.start)
        guard missing > 0 else { return bout.effort }
        return bout.effort - bout.effort * missing * missing / 14_400
    }

    private static func residual(_ bout: Bout, _ second: Int) -> Int {
        let whole = bout.activity == .walking ? 180 : 600
        let missing = whole - (second - bout.end)
        guard missing > 0 else { return 0 }
        // After a bout of less than two minutes the effort falls from the part that was reached.
        let reached = rise(bout, bout.end)
        return reached * (missing * 1024 / whole) / 1024 * missing / whole
    }

    /// The sleep stage, or `nil` while up; ``SleepStage/awake`` while awake in bed.
    package var sleepStage: SleepStage? { stretch?.stage.stage }

    package var beatsPerMinute: UInt8 { UInt8(clamping: (heartRate16 + 8) / 16) }

    /// The time between two beats at the current heart rate in microseconds, without scatter.
    package var meanBeatMicroseconds: Int64 { 960_000_000 / Int64(heartRate16) }

    /// The heart rate in sixteenths of a beat per minute.
    var heartRate16: Int {
        let stretch = stretch
        let resting = wearer.restingHeartRate * 16
        var above = level(stretch)
        let isAsleep = stretch != nil
        if !isAsleep {
            for meal in plan.meals {
                above += 5 * 16 * Wave.bump(at: second - meal * 60, of: 5400) / 1024
            }
            above += 9 * 16 * strain / 1024
        }
        let reserve = wearer.highestHeartRate * 16 - resting
        above = max(above, max(reserve, 0) * effort / 1000)
        above += noise.line(
            .slowPulse, at: absolute, period: 300, amplitude: isAsleep ? 20 : 44)
        above += noise.line(.fastPulse, at: absolute, period: 20, amplitude: isAsleep ? 14 : 24)
        return (resting + above).limited(to: 30 * 16...max(wearer.highestHeartRate, 110) * 16)
    }

    /// The heart rate above resting by posture and sleep, in sixteenths of a beat per minute.
    private func level(_ stretch: PlannedSleep.Place?) -> Int {
        let sitting = 9 * 16
        guard let stretch else {
            // Just awake: the rate rises from that of light sleep.
            let end = plan.naps.last { $0.end * 60 <= second }?.end ?? plan.night.end
            let elapsed = second - end * 60
            guard 0..<Self.rampSeconds ~= elapsed else { return sitting }
            return Self.ramp(from: Self.level(.light), to: sitting, elapsed)
        }
        let to = Self.level(stretch.stage.stage)
        let elapsed = second - stretch.start * 60
        guard elapsed < Self.rampSeconds else { return to }
        return Self.ramp(
            from: stretch.before.map { Self.level($0.stage) } ?? sitting, to: to, elapsed)
    }

    private static func ramp(from: Int, to: Int, _ elapsed: Int) -> Int {
        from + (to - from) * elapsed / rampSeconds
    }

    private static func level(_ stage: SleepStage) -> Int {
        switch stage {
        case .deep: 0
        case .light, .none, .error: 2 * 16
        case .rem: 5 * 16
        case .awake: 7 * 16
        }
    }

    /// The strain, 0 to 1024.
    private var strain: Int {
        for strain in plan.strains where strain.contains(second / 60) {
            return Wave.bump(at: second - strain.lowerBound * 60, of: strain.count * 60)
        }
        return 0
    }

    /// The stress, 1 to 99.
    package var stress: UInt8 {
        let (usual, asleep) = (wearer.stressLevel, sleep != nil)
        let tension = noise.line(.tension, at: absolute, period: 2700, amplitude: asleep ? 4 : 9)
        let stress =
            asleep ? usual * 2 / 5 + tension : usual + tension + 28 * strain / 1024 + effort / 40
        return UInt8(clamping: stress.limited(to: 1...99))
    }

    /// The heart-rate variability in milliseconds: the root mean square of differences of
    /// successive beats.
    package var variabilityMilliseconds: UInt8 {
        let stage = sleepStage
        let share =
            switch stage {
            case .deep: 1150
            case .light, .some(.none), .error: 1000
            case .rem: 850
            case .awake: 750
            case nil: 700
            }
        let strained = share - (stage == nil ? max(Int(stress) - wearer.stressLevel, 0) * 8 : 0)
        let shift = noise.line(.variability, at: absolute, period: 1800, amplitude: 120)
        let calm = wearer.restingHeartRateVariability * max(strained + shift, 100) / 1000
        return UInt8(clamping: max(calm * (1000 - effort * 7 / 10) / 1000, 4))
    }

    package var bloodOxygenPercent: UInt8 {
        let usual = wearer.bloodOxygenPercent
        var sixteenths = usual * 16 + noise.line(.oxygen, at: absolute, period: 900, amplitude: 22)
        if sleep != nil {
            sixteenths -= 12
            let part = Int(absolute % 900)
            if noise.happens(.dip, absolute / 900, percent: 12) {
                sixteenths -= 40 * Wave.bump(at: part, of: 900) / 1024
            }
        }
        return UInt8(clamping: ((sixteenths + 8) / 16).limited(to: usual - 3...99))
    }

    package var skinTemperatureTenths: Int {
        // Warmest at two in the night, coolest at two in the afternoon.
        let turn = (second + DayPlan.seconds + 4 * 3600) % DayPlan.seconds
        let tide = 28 * Wave.value(at: turn, of: DayPlan.seconds) / 1024
        let shift = noise.line(.warmth, at: absolute, period: 2400, amplitude: 14)
        let outside = activity == .walking || activity == .running ? -15 : 0
        let tenths = wearer.skinTemperatureTenths * 10 + tide + shift + outside
        return (tenths + 5) / 10
    }
}
