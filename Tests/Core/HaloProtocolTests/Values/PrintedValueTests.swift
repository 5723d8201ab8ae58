import HaloProtocol
import Testing

/// A printed value shows its fields by name, not its storage.
struct PrintedValueTests {
    @Test func printsAMeasurement() throws {
        let value = try HeartRateMeasurement(
            beatsPerMinute: 61, contact: .detected, energyKilojoules: 7, rrIntervals: [800, 812])
        #expect(
            String(describing: value) == "HeartRateMeasurement(beatsPerMinute: 61, contact: "
                + "HaloProtocol.HeartRateMeasurement.Contact.detected, "
                + "energyKilojoules: Optional(7), rrIntervals: [800, 812])")
    }

    @Test func printsADayOfTotals() throws {
        let date = try DecimalDate(CivilDate(year: 2026, month: 11, day: 22))
        let day = try DailyTotals.Day(daysAgo: 12, date: date)
        #expect(
            Mirror(reflecting: day).children.map { "\($0.label ?? ""): \($0.value)" }
                == ["offset: 18", "date: \(date)"])
    }

    @Test func printsCapabilities() {
        let labels = Mirror(reflecting: SetTime.Reply()).children.compactMap(\.label)
        #expect(labels.count == 12)
        #expect(
            labels.suffix(4) == [
                "mediaFeatures", "companionFeatures", "contactTens", "stressFeatures",
            ])
    }

    @Test func printsHours() throws {
        let hours = (0..<24).map { (minimum: UInt8($0), maximum: UInt8($0) + 100) }
        let values = Mirror(reflecting: try HourlyRanges(hours)).children.first
        #expect(values?.label == "values")
        #expect(values?.value as? [UInt8] == hours.flatMap { [$0.minimum, $0.maximum] })
    }
}
