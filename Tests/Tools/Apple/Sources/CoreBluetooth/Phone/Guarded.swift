internal import Foundation

/// A value under a lock. The function that changes it must not call back.
final class Guarded<Value>: @unchecked Sendable {
    private var stored: Value
    private let lock = NSLock()

    init(_ value: Value) { stored = value }

    /// A copy of the value.
    var value: Value { withLock { $0 } }

    /// Calls a function with the value, under the lock.
    func withLock<Result>(_ body: (inout Value) -> Result) -> Result {
        lock.lock()
        defer { lock.unlock() }
        return body(&stored)
    }
}

/// A weak reference.
final class Weak<Object: AnyObject>: @unchecked Sendable {
    private(set) weak var object: Object?

    init(_ object: Object) { self.object = object }
}

/// A value that one queue at a time uses, by the rules of its owner.
struct Unchecked<Value>: @unchecked Sendable {
    let value: Value

    init(_ value: Value) { self.value = value }
}
