/// Sleep beside the night.
public struct NapFigures: Hashable, Sendable, Codable {
    /// The number of naps.
    public let count: Int
    /// Their minutes of light, deep and REM sleep.
    public let asleepMinutes: Int
}

extension NapFigures: CustomStringConvertible {
    /// `2 naps, 75 min asleep`.
    public var description: String {
        "\(count) \(count == 1 ? "nap" : "naps"), \(asleepMinutes) min asleep"
    }
}
