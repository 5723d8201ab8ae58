/// A blood oxygen that was measured just now.
public struct BloodOxygenReading: Hashable, Sendable {
    /// How much of the blood carries oxygen.
    public let percent: Int

    /// A blood oxygen.
    public init(percent: Int) {
        self.percent = percent
    }
}

extension BloodOxygenReading: CustomStringConvertible {
    /// `97 %`.
    public var description: String { "\(percent) %" }
}
