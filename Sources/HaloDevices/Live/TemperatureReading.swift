/// A temperature of the skin that was measured just now.
public struct TemperatureReading: Hashable, Sendable {
    /// Degrees Celsius.
    public let celsius: Double

    /// A temperature.
    public init(celsius: Double) {
        self.celsius = celsius
    }
}

extension TemperatureReading: CustomStringConvertible {
    /// `36.4 °C`.
    public var description: String { "\(celsius) °C" }
}
