public import HaloProtocol

extension Ring {
    /// Starts a workout, and gives its progress second by second; returns when the ring has begun.
    ///
    /// It is the one way to a heart rate for longer than a minute that is known to work on rings
    /// with a Realtek chip. Seen on an R10.
    public nonisolated(nonsending) func startWorkout(
        _ sport: Sport
    ) async throws(DeviceError) -> WorkoutRun {
        try await WorkoutRun.start(sport, on: self)
    }
}
