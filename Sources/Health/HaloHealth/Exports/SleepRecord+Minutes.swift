package import HaloDevices

extension SleepRecord {
    /// The longest sum of minutes: a stored length may be any number.
    private static var mostMinutes: Int { 100_000 }

    package func minutes(of stage: Stage) -> Int { minutes { $0 == stage } }

    /// The minutes of light, deep and REM sleep.
    package var minutesAsleep: Int { minutes(\.isSleep) }

    private func minutes(_ counts: (Stage) -> Bool) -> Int {
        min(stages.filter { counts($0.value) }.map(\.length).sum, Self.mostMinutes)
    }
}

extension SleepRecord.Stage {
    /// `true` for light, deep and REM sleep.
    var isSleep: Bool {
        switch self {
        case .light, .deep, .rem: true
        case .awake, .unclassified: false
        }
    }
}

extension TimedSample {
    /// The minutes, at most a day: a number that comes from a file may be any.
    var length: Int { min(max(minutes, 0), 1440) }
}
