/// A temperature of the skin that was measured just now.
public struct TemperatureReading: Hashable, Sendable, Codable {
    /// The temperature in degrees Celsius.
    public let celsius: Double

    /// Creates a value, for previews and tests.
    public init(celsius: Double) {
        self.celsius = celsius
    }
}

extension TemperatureReading: CustomStringConvertible {
    /// `36.4 °C`.
    public var description: String { "\(celsius) °C" }
}
