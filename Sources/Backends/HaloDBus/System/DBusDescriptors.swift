#if os(Linux)
internal import Synchronization

/// The file descriptors of one message, in order.
///
/// At the end of its life, it closes those that were not taken.
package final class DBusDescriptors: Sendable {
    private static let taken: Int32 = -1
    private let numbers: Mutex<[Int32]>

    package init() {
        numbers = Mutex([])
    }

    init(owning numbers: [Int32]) {
        self.numbers = Mutex(numbers)
    }

    deinit {
        for number in numbers.withLock({ $0 }) where number != Self.taken {
            SystemSocket.close(number)
        }
    }

    /// The number of descriptors, taken ones included.
    package var count: Int { numbers.withLock { $0.count } }

    /// Takes the descriptor at an index; `nil` if there is none, or it was taken before.
    package func take(_ index: Int) -> DBusDescriptor? {
        let number = numbers.withLock { numbers in
            guard numbers.indices.contains(index) else { return Self.taken }
            defer { numbers[index] = Self.taken }
            return numbers[index]
        }
        return number == Self.taken ? nil : DBusDescriptor(owning: number)
    }

    /// Calls a function with the numbers; none is closed meanwhile.
    func withNumbers<Result: Sendable>(_ body: ([Int32]) -> Result) -> Result {
        let result = body(numbers.withLock { $0 })
        return withExtendedLifetime(self) { result }
    }

    /// Moves all descriptors of another instance to the end of this one.
    func append(contentsOf others: DBusDescriptors) {
        let more = others.numbers.withLock { numbers in
            defer { numbers = [] }
            return numbers
        }
        numbers.withLock { $0 += more }
    }

    /// Removes the first `count` descriptors; `nil` if there are fewer.
    func removeFirst(_ count: Int) -> DBusDescriptors? {
        let first = numbers.withLock { numbers -> [Int32]? in
            guard count <= numbers.count else { return nil }
            defer { numbers.removeFirst(count) }
            return Array(numbers.prefix(count))
        }
        return first.map { DBusDescriptors(owning: $0) }
    }
}
#endif
