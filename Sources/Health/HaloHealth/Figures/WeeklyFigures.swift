/// The figures of seven days, made by ``HealthFigures/week(endingOn:)``.
public struct WeeklyFigures: Hashable, Sendable, Codable {
    /// The days, the earliest first.
    public let days: [DailyFigures]

    /// A mean over days.
    public struct Mean: Hashable, Sendable, Codable {
        /// The mean.
        public let value: Double
        /// The number of days that have a value.
        public let days: Int
    }

    /// Returns the mean of a figure over the days that have a value, as in `week.mean(\.steps)`.
    ///
    /// Days without a value, and values so far, are left out.
    public func mean(
        _ figure: (DailyFigures) -> Figure<some BinaryInteger>
    ) -> Figure<Mean> {
        mean { figure($0).map { Double($0) } }
    }

    /// Returns the mean of a figure over the days that have a value.
    ///
    /// Days without a value, and values so far, are left out.
    public func mean(_ figure: (DailyFigures) -> Figure<Double>) -> Figure<Mean> {
        let values = days.compactMap { day in
            if case .value(let value) = figure(day) { value } else { nil }
        }
        return values.mean { $0 }.map { .value(Mean(value: $0, days: values.count)) }
            ?? .missing(.tooFew(0, of: 1, .days))
    }
}

extension WeeklyFigures.Mean: CustomStringConvertible {
    /// `8120.5 on 5 days`.
    public var description: String { "\(FigureNumber.text(value)) on \(dayCount)" }

    var dayCount: String { "\(days) \(days == 1 ? "day" : "days")" }
}
