/// How deep a sleep is, as rings classify it.
public enum SleepStage: UInt8, FieldCode {
    /// The ring classified nothing.
    case none = 0
    /// The ring could not tell.
    case error = 1
    /// Light sleep.
    case light = 2
    /// Deep sleep.
    case deep = 3
    /// Sleep with rapid eye movements.
    case rem = 4
    /// Awake in between.
    case awake = 5

    public var label: FieldName {
        switch self {
        case .none: "none"
        case .error: "error"
        case .light: "light"
        case .deep: "deep"
        case .rem: "REM"
        case .awake: "awake"
        }
    }
}
