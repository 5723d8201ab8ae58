/// A blood oxygen that was measured just now.
public struct BloodOxygenReading: Hashable, Sendable, Codable, CustomStringConvertible {
    /// The saturation, from 0 to 100.
    public let percent: Int

    /// Creates a value, for previews and tests.
    public init(percent: Int) {
        self.percent = percent
    }

    /// `97 %`.
    public var description: String { "\(percent) %" }
}
