import HaloTransport
import TestSupport
import Testing

/// A wait ends, and names its condition.
@Suite(.passesTime) struct EventuallyTests {
    @Test func whatComesIsWaitedFor() async throws {
        let questions = Locked(0)
        try await eventually("a third question") {
            questions.withLock { questions in
                questions += 1
                return questions == 3
            }
        }
        #expect(questions.withLock { $0 } == 3)
    }

    @Test func whatNeverComesIsNamed() async throws {
        let questions = Locked(0)
        let error = await #expect(throws: NeverSo.self) {
            try await eventually(
                "the moon, after \(questions.withLock { $0 })", within: .zero, looks: 3
            ) {
                questions.withLock { $0 += 1 }
                return false
            }
        }
        #expect(error?.what == "the moon, after 3")
        #expect("\(try #require(error))".hasSuffix(": the moon, after 3"))
    }

    /// A condition that becomes true between two checks counts, even after the timeout.
    @Test func timeThatIsUpIsNotEnough() async throws {
        let questions = Locked(0)
        try await eventually("a third question", within: .zero, looks: 3) {
            questions.withLock { questions in
                questions += 1
                return questions == 3
            }
        }
    }
}
