#if canImport(CoreBluetooth)
internal import Dispatch
internal import Foundation

/// A value under a lock, for what an app's threads read while the queue works.
final class Guarded<Value: Sendable>: @unchecked Sendable {
    private let lock = NSLock()
    private var value: Value

    init(_ value: Value) { self.value = value }

    /// Reads or changes the value. The function must not call back.
    func withLock<Result>(_ body: (inout Value) -> Result) -> Result {
        lock.withLock { body(&value) }
    }
}
#endif
