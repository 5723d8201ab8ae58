#if os(Linux)
import Synchronization

@testable import HaloDBus

/// What came, in order; a task can wait until there is enough.
final class Collector<Element: Sendable>: Sendable {
    private struct State {
        var elements: [Element] = []
        var waiting: (count: Int, answer: DBusAnswer<Void>)?
    }

    private let state = Mutex(State())

    var all: [Element] { state.withLock { $0.elements } }

    func append(_ element: Element) {
        let answer = state.withLock { state -> DBusAnswer<Void>? in
            state.elements.append(element)
            guard let waiting = state.waiting, state.elements.count >= waiting.count else {
                return nil
            }
            state.waiting = nil
            return waiting.answer
        }
        answer?.resolve(.success(()))
    }

    /// All that came, as soon as there are so many.
    func wait(for count: Int) async throws -> [Element] {
        let answer = DBusAnswer<Void>()
        state.withLock { state in
            if state.elements.count >= count {
                answer.resolve(.success(()))
            } else {
                state.waiting = (count, answer)
            }
        }
        try await answer.value()
        return all
    }
}
#endif
