internal import HaloProtocol

struct SeededAnomalies: Sendable {
    let kinds: RingAnomalies
    private let noise: SeededNoise

    static let none = SeededAnomalies([], seed: 0)

    init(_ kinds: RingAnomalies, seed: UInt64) {
        self.kinds = kinds
        noise = SeededNoise(seed: seed)
    }

    /// The seconds from the stall of the logging until the ring appears; `nil` if it never stalls.
    var stalledSeconds: Int? {
        guard kinds.contains(.stalledLogging) else { return nil }
        return noise.number(.stall, 0, in: 6...40) * 3600
    }

    /// The seconds by which the clock is ahead: three years, one of them a leap year.
    var clockSecondsAhead: Int { kinds.contains(.clockAhead) ? 1096 * 86_400 : 0 }

    /// `true` if the value that is due at a time of the ring's clock is not stored.
    func omits(_ series: SlotSeries, at time: CivilDateTime) -> Bool {
        let second = Int64(time.secondsSince1970)
        if kinds.contains(.lostSlots) {
            let percent = noise.number(.lossRate, 0, in: 5...30)
            let place = second * 8 + Int64(series.rawValue)
            if noise.happens(.lostSlot, place, percent: percent) { return true }
        }
        guard kinds.contains(.earlyEndOfStress), series == .stress else { return false }
        let hours = noise.number(.stressEnd, second / 86_400, in: 3...11)
        return second % 86_400 >= Int64(24 - hours) * 3600
    }

    func unwornHeartRate(at time: CivilDateTime) -> UInt8? {
        let second = Int64(time.secondsSince1970)
        guard kinds.contains(.unwornHeartRates),
            noise.happens(.unwornSlot, second, percent: 70)
        else { return nil }
        let slow = noise.line(.unwornPulse, at: second, period: 5400, amplitude: 18)
        return UInt8(clamping: 74 + slow + noise.number(.unwornPulse, -second, in: -4...4))
    }

    func sessions(of night: SleepSpan) -> [SleepSpan] {
        let (day, minutes) = (Int64(night.end.secondsSince1970 / 86_400), night.minutes)
        guard kinds.contains(.splitNights), minutes >= 180,
            noise.happens(.splitChance, day, percent: 67)
        else { return [night] }
        let end = noise.number(.split, day, in: minutes / 3...minutes * 2 / 3)
        let gap = noise.number(.splitGap, day, in: 3...9)
        return [night.part(0..<end), night.part(end + gap..<minutes)]
    }

    /// `true` if the temperatures of today are not sent yet at a time of the ring's clock.
    func hidesTemperatures(at time: CivilTime) -> Bool {
        kinds.contains(.lateTemperature) && time.secondsSinceMidnight < 22 * 3600
    }

    func batterySag(report number: Int64) -> UInt8 {
        guard kinds.contains(.jumpingBattery), noise.happens(.sagChance, number, percent: 50)
        else { return 0 }
        return UInt8(clamping: noise.number(.sag, number, in: 10...15))
    }

    /// One of some opcodes, which the ring refuses; `nil` if it refuses none of them.
    func refused(of opcodes: [UInt8]) -> UInt8? {
        guard kinds.contains(.refusedAbility), !opcodes.isEmpty else { return nil }
        return opcodes[noise.number(.refusal, 0, in: 0...opcodes.count - 1)]
    }
}

extension SleepSpan {
    fileprivate func part(_ minutes: Range<Int>) -> SleepSpan {
        var begin = 0
        var part: [Stretch] = []
        for stretch in stages {
            let end = begin + Int(stretch.minutes)
            let count = (begin..<end).clamped(to: minutes).count
            if count > 0 { part.append(Stretch(stretch.stage, minutes: count)) }
            begin = end
        }
        return SleepSpan(
            start: start.advanced(bySeconds: 60 * minutes.lowerBound), stages: part)
    }
}
