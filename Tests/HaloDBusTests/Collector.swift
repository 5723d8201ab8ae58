#if os(Linux)
import HaloTesting
import Synchronization

/// What came, in order; a task can wait until there is enough.
final class Collector<Element: Sendable>: Sendable {
    private let elements = Mutex<[Element]>([])

    var all: [Element] { elements.withLock { $0 } }

    func append(_ element: Element) { elements.withLock { $0.append(element) } }

    /// All that came, as soon as there are so many.
    func wait(
        for count: Int, file: String = #fileID, line: Int = #line
    ) async throws -> [Element] {
        try await eventually("\(count) at \(file):\(line), after \(all.suffix(20))") {
            elements.withLock { $0.count >= count }
        }
        return all
    }
}

extension Result {
    var isSuccess: Bool {
        if case .success = self { true } else { false }
    }
}
#endif
