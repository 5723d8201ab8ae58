/// The 29th of February, or an adjacent day: its text, and the seconds from 1970 to its midnight in
/// UTC.
package struct LeapDay: Sendable, CustomStringConvertible {
    package let description: String
    package let seconds: Int64

    private init(_ text: String, _ seconds: Int64) {
        description = text
        self.seconds = seconds
    }

    package static let all = [
        LeapDay("2000-02-28", 951_696_000), LeapDay("2000-02-29", 951_782_400),
        LeapDay("2000-03-01", 951_868_800), LeapDay("2023-02-28", 1_677_542_400),
        LeapDay("2023-03-01", 1_677_628_800), LeapDay("2024-02-28", 1_709_078_400),
        LeapDay("2024-02-29", 1_709_164_800), LeapDay("2024-03-01", 1_709_251_200),
        LeapDay("2024-12-31", 1_735_603_200), LeapDay("2025-01-01", 1_735_689_600),
        LeapDay("2028-02-29", 1_835_395_200), LeapDay("2100-02-28", 4_107_456_000),
        LeapDay("2100-03-01", 4_107_542_400),
    ]
    /// Days that do not exist.
    package static let none = ["2023-02-29", "2024-02-30", "2025-02-29", "2100-02-29"]
}
