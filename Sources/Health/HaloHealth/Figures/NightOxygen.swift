/// The blood oxygen of a night.
public struct NightOxygen: Hashable, Sendable, Codable {
    /// The lowest value in percent.
    public let lowestPercent: Int
    /// The mean of the values in percent, of each the middle of its lowest and highest.
    public let averagePercent: Double
    /// The number of values of which the lowest is at least 4 below the median of the night.
    ///
    /// No published definition. The oxygen desaturation index of sleep laboratories counts falls of
    /// 3 or 4 percent within a continuous recording; rings store a value an hour, which cannot show
    /// them.
    public let dips: Int
}

extension NightOxygen: CustomStringConvertible {
    /// `95.3 % on average, lowest 91 %, 2 dips`.
    public var description: String {
        "\(FigureNumber.text(averagePercent, decimals: 1)) % on average, "
            + "lowest \(lowestPercent) %, \(dips) \(dips == 1 ? "dip" : "dips")"
    }
}
