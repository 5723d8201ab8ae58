public import Synchronization

/// A value under a mutex that several objects and closures hold, as `Mutex` itself cannot be.
///
/// While the lock is held, call no function that can call back: remove the work from the value, and
/// do it afterwards.
@usableFromInline
package final class Locked<Value>: Sendable {
    @usableFromInline let mutex: Mutex<Value>

    @inlinable package init(_ value: consuming sending Value) { mutex = Mutex(value) }

    /// Calls a function with the value, under the lock.
    ///
    /// Values that are not `Sendable` can be moved in and out: the compiler checks that the value
    /// and the caller share no object afterwards.
    @discardableResult
    @inlinable
    package func withLock<Result, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result { try mutex.withLock(body) }
}
