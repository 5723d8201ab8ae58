/// A temperature of the skin that was measured just now.
public struct TemperatureReading: Hashable, Sendable, Codable, CustomStringConvertible {
    /// The temperature in degrees Celsius.
    public let celsius: Double

    /// Creates a value, for previews and tests.
    public init(celsius: Double) {
        self.celsius = celsius
    }

    /// `36.4 °C`.
    public var description: String { "\(celsius) °C" }
}
