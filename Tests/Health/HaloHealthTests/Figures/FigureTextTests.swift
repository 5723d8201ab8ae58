import HaloDevices
import TestSupport
import Testing

@testable import HaloHealth

/// Figures in words.
@Suite(.passesTime) struct FigureTextTests {
    @Test func figuresPrintWithTheirUnitAndDigits() {
        let missing = Figure<Double>.missing(.tooFew(3, of: 4, .nights))
        let mean = WeeklyFigures.Mean(value: 8119.25, days: 1)
        let rows: [(String, String)] = [
            (FigureDefinition.steps.text(of: Figure<Int>.soFar(822)), "822 steps so far"),
            (FigureDefinition.restingBeatsPerMinute.text(of: .soFar(59.7)), "60 bpm so far"),
            (FigureDefinition.kilocalories.text(of: .value(119.538)), "120 kcal"),
            (FigureDefinition.heartRateVariabilityTrend.text(of: .value(2.9)), "+3 ms"),
            (FigureDefinition.heartRateVariabilityTrend.text(of: .value(-2.9)), "-3 ms"),
            (
                FigureDefinition.heartRateVariabilityTrend.text(of: missing),
                "needs 4 nights, has 3"
            ),
            (FigureDefinition.temperatureDeviation.text(of: .value(0.3125)), "+0.3 °C"),
            (FigureDefinition.temperatureDeviation.text(of: .value(-1)), "-1 °C"),
            (FigureDefinition.stress.text(of: .value(34.4)), "34"),
            (FigureDefinition.stepStreak.text(of: Figure<Int>.value(9)), "9 days"),
            (FigureDefinition.steps.text(of: .value(mean)), "8119 steps on 1 day"),
            (FigureDefinition.stress.text(of: .value(.infinity)), "inf"),
            ("\(Figure<Double>.value(492.28571))", "492.29"),
            ("\(Figure<Double>.soFar(60))", "60 so far"), ("\(Figure<Int>.value(7))", "7"),
        ]
        for (text, wanted) in rows { #expect(text == wanted) }
    }

    @Test func everyFigureHasAName() {
        let names = FigureDefinition.allCases.map { "\($0)" }
        #expect(Set(names).count == names.count && names.allSatisfy { !$0.contains("Minute") })
    }

    /// A day prints the figures that it has, each once.
    @Test func aDayPrintsItsFigures() throws {
        let history = MadeHistory.full(days: 3)
        let day = HealthFigures(history, ageYears: 41).day(history.today)
        let parts = "\(day)".split(separator: "; ")
        let night = try #require(day.night.value)
        #expect(parts.first == "\(day.day)" && parts.contains("night: \(day.night)"))
        #expect("\(night)".hasPrefix("\(night.asleepMinutes) min asleep from "))
        #expect(parts.contains { $0.hasSuffix(" bpm so far") || $0.hasSuffix(" bpm") })
    }
}
