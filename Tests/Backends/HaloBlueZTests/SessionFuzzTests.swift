import HaloTesting
import TestSupport
import Testing

/// The fuzz target of sessions, with pseudorandom bytes.
@Suite(.computes) struct SessionFuzzTests {
    private static func input(_ seed: Int) -> FuzzBytes {
        FuzzBytes(seed: UInt64(seed), count: 100 + seed % 900)
    }

    @Test func anyDaemonIsSurvivedAndEverythingIsAnsweredOnce() async throws {
        for seed in 0..<3000 {
            // Others have deadlines to keep.
            await Task.yield()
            try BlueZTarget().check(Self.input(seed).all)
        }
    }

    /// Checks the coverage: a state that is never reached is never tested.
    @Test func linksComeAboutAndAreUsed() async {
        var reach = SessionDrill.Reach()
        for seed in 0..<1500 {
            await Task.yield()
            var drill = SessionDrill(Self.input(seed))
            drill.play()
            reach += drill.reach
        }
        #expect(reach.scans > 100)
        #expect(reach.links > 100)
        #expect(reach.services > 20)
        #expect(reach.reads > 5)
    }
}
