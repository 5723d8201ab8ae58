/// A stage of sleep, as rings classify it.
public enum SleepStage: UInt8, FieldCode {
    /// A part that the ring did not classify.
    case none = 0
    /// An error that the ring reported.
    case error = 1
    case light = 2
    case deep = 3
    /// Sleep with rapid eye movements.
    case rem = 4
    /// Awake between parts of sleep.
    case awake = 5

    public static let labels = FieldLabels<SleepStage>([.rem: "REM"])
}
