public import HaloProtocol

extension BodyClock {
    /// What an accelerometer on the hand reads at a moment and a part of its second.
    ///
    /// It is the earth's pull along an axis that the hand keeps for some minutes, and the hand's
    /// own movement: almost none asleep, a tenth of the pull now and then while up, a swing with
    /// every second step of about a third of it walking and more than all of it running.
    public mutating func acceleration(
        at time: CivilDateTime, milliseconds: Int = 0
    ) -> BodyAcceleration {
        let state = state(at: time)
        let milliseconds = milliseconds.limited(to: 0...999)
        let second = Int64(time.secondsSince1970)
        let place = second * 1000 + Int64(milliseconds)
        let pull = pull(second, asleep: state.activity == .asleep)
        let swing = swing(state, place)
        let shiver = Self.shiver(state.activity)
        func reading(_ axis: Int) -> Int {
            let drawn = noise.number(.shiver, place * 4 + Int64(axis), in: -shiver...shiver)
            return pull[axis] + swing / (axis + 1) + drawn
        }
        return BodyAcceleration(x: reading(0), y: reading(1), z: reading(2))
    }

    /// Directions whose length is whole, so that the pull is the same along each.
    private static let directions = [[0, 0, 1], [2, 3, 6], [1, 2, 2], [4, 4, 7], [2, 6, 9]]
    private static let lengths = [1, 7, 3, 9, 11]

    private func pull(_ second: Int64, asleep: Bool) -> [Int] {
        let place = second / (asleep ? 1500 : 90)
        let bits = noise.bits(.posture, place * 2 + (asleep ? 1 : 0))
        let index = Int(bits % 5)
        let turn = Int(bits >> 8 % 3)
        return (0..<3).map { axis in
            let part = Self.directions[index][(axis + turn) % 3]
            let sign = bits >> UInt64(16 + axis) & 1 == 0 ? 1 : -1
            return sign * part * 1000 / Self.lengths[index]
        }
    }

    private func swing(_ state: BodyState, _ millisecond: Int64) -> Int {
        guard state.stepsPerMinute > 0 else { return 0 }
        let period = 120_000 / state.stepsPerMinute
        let size = state.activity == .running ? 1400 : 350
        return size * Wave.value(at: Int(millisecond % Int64(period)), of: period) / 1024
    }

    private static func shiver(_ activity: BodyActivity) -> Int {
        switch activity {
        case .asleep: 4
        case .resting: 30
        case .walking: 100
        case .running: 250
        case .cycling: 120
        }
    }
}
