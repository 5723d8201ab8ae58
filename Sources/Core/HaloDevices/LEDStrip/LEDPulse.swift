package import HaloProtocol

/// A light that beats like a heart: it flashes with each beat and fades until the next one. Its
/// colour follows the heart rate, from blue at 50 beats per minute to red at 170.
///
///     var pulse = LEDPulse()
///     pulse.receive(beatsPerMinute: 72, at: strip.time.now())
///     let colour = pulse.colour(at: strip.time.now())
package struct LEDPulse: Hashable, Sendable {
    private var beatsPerMinute = 0
    /// The beats until the last heart rate came, in millionths.
    private var beats: Int64 = 0
    private var moment = Moment.origin

    private static let slowest = (beatsPerMinute: 50, hueDegrees: 240)
    private static let fastest = (beatsPerMinute: 170, hueDegrees: 0)
    /// The brightness before a beat, in thousandths.
    private static let leastBrightness = 120

    package init() {}

    /// Receives a heart rate; 0 is no heart rate, and dark. The rhythm continues without a jump.
    package mutating func receive(beatsPerMinute rate: Int, at now: Moment) {
        beats = beats(at: now)
        moment = now
        beatsPerMinute = min(max(rate, 0), 300)
    }

    package func colour(at now: Moment) -> LEDColour {
        guard beatsPerMinute > 0 else { return .black }
        let phase = Int(beats(at: now) % 1_000_000 / 1000)
        // Quadratic: bright for a moment, then long dim.
        let fading = (1000 - phase) * (1000 - phase) / 1000
        let brightness = Self.leastBrightness + fading * (1000 - Self.leastBrightness) / 1000
        return LEDColour(hueDegrees: hue).dimmed(toThousandths: brightness)
    }

    private var hue: Int {
        let span = Self.fastest.beatsPerMinute - Self.slowest.beatsPerMinute
        let part = min(max(beatsPerMinute - Self.slowest.beatsPerMinute, 0), span)
        let hues = Self.fastest.hueDegrees - Self.slowest.hueDegrees
        return Self.slowest.hueDegrees + hues * part / span
    }

    private func beats(at now: Moment) -> Int64 {
        let elapsed = max(now.duration(since: moment).wholeMicroseconds, 0)
        let (product, overflow) = elapsed.multipliedReportingOverflow(by: Int64(beatsPerMinute))
        return (beats + (overflow ? 0 : product / 60)) % 1_000_000_000_000
    }
}
