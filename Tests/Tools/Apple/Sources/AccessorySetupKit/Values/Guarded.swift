import Foundation

/// A value under a lock, for classes that are `Sendable` in Apple's framework.
final class Guarded<Value>: @unchecked Sendable {
    private let lock = NSLock()
    private var value: Value

    /// Creates a value under a lock.
    init(_ value: Value) { self.value = value }

    /// Calls a function with the value, under the lock, in which it calls nothing back.
    @discardableResult
    func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&value)
    }

    /// A copy of the value.
    var copy: Value { withLock { $0 } }
}
