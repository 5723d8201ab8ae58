/// The lowest and the highest blood oxygen of an hour; in every capture they were equal.
public struct BloodOxygenRange: Hashable, Sendable, Codable {
    /// The lowest saturation in percent.
    public let least: Int
    /// The highest saturation in percent.
    public let most: Int

    /// Creates a value, for previews and tests.
    public init(least: Int, most: Int) {
        self.least = least
        self.most = most
    }
}

extension BloodOxygenRange: CustomStringConvertible {
    /// `97 %`, or `95–97 %`.
    public var description: String { least == most ? "\(most) %" : "\(least)–\(most) %" }
}
