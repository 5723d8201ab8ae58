import TestSupport
import Testing

@testable import HaloSimulator

@Suite(.passesTime) struct SimulationMinimiserTests {
    @Test(arguments: [[], [0], [7], [3, 17], [0, 39], [5, 6, 7], [1, 9, 20, 33]])
    func findsJustWhatIsNeeded(needed: [Int]) {
        let all = Array(0..<40)
        let found = FaultMinimiser().minimise(all) { Set(needed).isSubset(of: $0) }
        #expect(found == needed)
    }

    @Test func whatCannotBeMadeSmallerIsKept() {
        let all = Array(0..<9)
        #expect(FaultMinimiser().minimise(all) { $0.count == 9 } == all)
        #expect(FaultMinimiser().minimise([]) { _ in true } == [])
    }

    @Test func doesNotTryForEver() {
        var attempts = 0
        let all = Array(0..<5_000)
        _ = FaultMinimiser(attemptLimit: 50).minimise(all) { part in
            attempts += 1
            return part.count >= 4_000 && part.count.isMultiple(of: 2)
        }
        #expect(attempts <= 51)
    }
}
