import TestSupport
import Testing

/// The number of programs that run at once. They mostly wait; the optimised one is tested with
/// large files, whose memory is sampled.
private let width = CommandLineProgram.optimisedProgram == nil ? 16 : 4

private let programs = Turnstile(width)
private let programThreads = TestThreads(width)

extension Trait where Self == TestTurn {
    /// The tests run programs, and hold their threads until these end.
    static var waitsForPrograms: TestTurn { TestTurn(programs, on: programThreads) }
}
