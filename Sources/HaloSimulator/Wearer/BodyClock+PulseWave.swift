public import HaloProtocol

extension BodyClock {
    /// How much blood is under a pulse sensor at a moment, 0 to 1365: what raw sensors see.
    ///
    /// Each beat is a wave and, a third as high, its echo. Beats are counted anew each minute.
    public mutating func pulseWave(at time: CivilDateTime, milliseconds: Int = 0) -> Int {
        let part = milliseconds.limited(to: 0...999)
        let second = Int(time.secondsSince1970 % 60)
        let minute = time.advanced(bySeconds: -second)
        // In 1/1024 of a beat since the minute began.
        var phase = 0
        for elapsed in 0..<second {
            phase += heartRate16(at: minute.advanced(bySeconds: elapsed)) * 1024 / 960
        }
        phase += heartRate16(at: time) * 1024 / 960 * part / 1000
        let place = phase % 1024
        return Wave.bump(at: place, of: 450) + Wave.bump(at: place - 380, of: 400) / 3
    }
}
