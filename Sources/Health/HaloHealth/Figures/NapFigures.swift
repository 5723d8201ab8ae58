/// Sleep beside the night.
public struct NapFigures: Hashable, Sendable, Codable {
    /// The number of naps.
    public let count: Int
    /// Their minutes of light, deep and REM sleep.
    public let asleepMinutes: Int
}
