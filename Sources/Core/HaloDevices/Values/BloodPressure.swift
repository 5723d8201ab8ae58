/// A blood pressure in millimetres of mercury.
public struct BloodPressure: Hashable, Sendable, Codable, CustomStringConvertible {
    /// The higher pressure, while the heart contracts.
    public let systolic: Int
    /// The lower pressure, between beats.
    public let diastolic: Int

    /// Creates a blood pressure.
    public init(systolic: Int, diastolic: Int) {
        self.systolic = systolic
        self.diastolic = diastolic
    }

    /// `120/80 mmHg`.
    public var description: String { "\(systolic)/\(diastolic) mmHg" }
}
