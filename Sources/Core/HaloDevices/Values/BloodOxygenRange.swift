/// The lowest and the highest blood oxygen of an hour; in every capture they were equal.
public struct BloodOxygenRange: Hashable, Sendable, Codable, CustomStringConvertible {
    /// The lowest saturation in percent.
    public let lowestPercent: Int
    /// The highest saturation in percent.
    public let highestPercent: Int

    /// Creates a value, for previews and tests.
    public init(lowestPercent: Int, highestPercent: Int) {
        self.lowestPercent = lowestPercent
        self.highestPercent = highestPercent
    }

    /// `97 %`, or `95–97 %`.
    public var description: String {
        lowestPercent == highestPercent
            ? "\(highestPercent) %" : "\(lowestPercent)–\(highestPercent) %"
    }
}
