public import HaloProtocol
internal import HaloTransport

/// An effect that this computer calculates: a colour for each moment since its beginning.
public struct LEDEffect: Sendable {
    /// Returns the colour at a time after the beginning.
    public let colour: @Sendable (Duration) -> LEDColour

    /// Creates an effect.
    public init(_ colour: @escaping @Sendable (Duration) -> LEDColour) {
        self.colour = colour
    }

    /// All hues in turn, each turn in `period`.
    public static func rainbow(period: Duration = .seconds(10)) -> LEDEffect {
        LEDEffect { LEDColour(hueDegrees: thousandths(of: period, at: $0) * 360 / 1000) }
    }

    /// A colour that comes and goes, each time in `period`.
    public static func breathing(
        _ colour: LEDColour, period: Duration = .seconds(4)
    ) -> LEDEffect {
        LEDEffect { elapsed in
            let part = thousandths(of: period, at: elapsed)
            return colour.dimmed(toThousandths: part < 500 ? part * 2 : (1000 - part) * 2)
        }
    }

    /// From a colour to another one, which then stays.
    public static func fade(
        from first: LEDColour, to last: LEDColour, over duration: Duration
    ) -> LEDEffect {
        LEDEffect { elapsed in
            guard elapsed < duration else { return last }
            return first.mixed(with: last, thousandths: thousandths(of: duration, at: elapsed))
        }
    }

    private static func thousandths(of period: Duration, at elapsed: Duration) -> Int {
        let length = max(period.wholeMicroseconds, 1)
        let part = max(elapsed.wholeMicroseconds, 0) % length
        return Int(Double(part) / Double(length) * 1000)
    }
}

extension LEDStrip {
    /// Plays an effect for a duration, and then shows its last colour. Without a duration it plays
    /// until its task is cancelled, or the connection is closed, and throws.
    ///
    /// A colour is calculated when the one before it is written: 25 times a second, and less often
    /// over a slow link. While the link is lost, the effect goes on unseen.
    public nonisolated(nonsending) func play(
        _ effect: LEDEffect, for duration: Duration? = nil
    ) async throws(DeviceError) {
        let begun = time.now()
        while true {
            let elapsed = time.now().duration(since: begun)
            let end = duration.flatMap { elapsed >= $0 ? $0 : nil }
            try await whileReconnecting { () async throws(DeviceError) in
                try await set(effect.colour(end ?? elapsed))
            }
            if end != nil { return }
        }
    }

    /// Fades from the last colour that the strip reports to another one, as ``play(_:for:)`` does.
    ///
    /// A strip that reports no status fades from black.
    public nonisolated(nonsending) func fade(
        to colour: LEDColour, over duration: Duration
    ) async throws(DeviceError) {
        var first = LEDColour.black
        do throws(DeviceError) {
            first = try await state().lastColour
        } catch {
            guard error.kind == .notSupported || error.kind == .timedOut else { throw error }
        }
        try await play(.fade(from: first, to: colour, over: duration), for: duration)
    }

    /// Beats like a heart with each heart rate of a sequence, until the sequence ends.
    ///
    /// A heart rate lasts until the next one; 0 is dark. The function throws if its task is
    /// cancelled, or the connection is closed.
    ///
    ///     try await strip.pulse(with: strap.measurements.map(\.beatsPerMinute))
    public nonisolated(nonsending) func pulse<Rates: AsyncSequence & Sendable>(
        with rates: Rates
    ) async throws where Rates.Element == Int {
        let pulse = Locked(LEDPulse())
        let time = time
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                for try await rate in rates {
                    pulse.withLock { $0.receive(beatsPerMinute: rate, at: time.now()) }
                }
            }
            group.addTask {
                try await self.play(LEDEffect { _ in pulse.withLock { $0.colour(at: time.now()) } })
            }
            defer { group.cancelAll() }
            // The first one ends with the sequence; playing has no end.
            try await group.next()
            if Task.isCancelled { throw DeviceError.taskCancelled }
        }
    }
}
