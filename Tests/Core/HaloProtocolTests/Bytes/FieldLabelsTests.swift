import HaloProtocol
import TestSupport
import Testing

/// The words for the values of a code.
@Suite(.computes) struct FieldLabelsTests {
    private enum Pace: UInt8, FieldCode {
        case slow = 2
        case veryFast = 4
        case hasty = 9

        static let labels = FieldLabels<Pace>([.hasty: "in a hurry"])
    }

    /// A code that leaves out some of its cases where it lists them.
    private enum Gait: UInt8, FieldCode {
        case walk = 1
        case run = 3
        case swim = 200

        static var allCases: [Gait] { [.run] }
        static let labels = FieldLabels<Gait>()
    }

    @Test func areTheNamesOfCasesUnlessATypeSaysOtherwise() {
        #expect(Pace.allCases.map(\.label) == ["slow", "very fast", "in a hurry"])
        #expect("\(Reported<Pace>(rawValue: 4))" == "very fast")
        #expect("\(Reported<Pace>(rawValue: 3))" == "unknown (3)")
    }

    @Test func aCaseThatIsNotListedHasItsNumber() {
        #expect([Gait.walk, .run, .swim].map(\.label) == ["1", "run", "200"])
    }
}
