#if canImport(Darwin)
internal import Darwin
#elseif canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Android)
internal import Android
#endif

/// A value that several threads may use, one at a time.
///
/// The standard library's own lock needs iOS 18. Nothing that can call back is to be called
/// while it is held: take out what is to be done, and do it afterwards.
@usableFromInline
package final class Locked<Value>: @unchecked Sendable {
    @usableFromInline var value: Value
    @usableFromInline let mutex: SystemMutex

    /// A value that nobody uses yet.
    @inlinable package init(_ value: sending Value) {
        self.value = value
        mutex = SystemMutex()
    }

    deinit { mutex.destroy() }

    /// Uses the value while nobody else can.
    @discardableResult
    @inlinable
    package func withLock<Result, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        mutex.lock()
        defer { mutex.unlock() }
        return try body(&value)
    }
}

/// The system's lock, which lies at one place in memory until it is destroyed.
@usableFromInline
struct SystemMutex {
    fileprivate let place: UnsafeMutablePointer<pthread_mutex_t>

    @usableFromInline init() {
        place = .allocate(capacity: 1)
        place.initialize(to: pthread_mutex_t())
        pthread_mutex_init(place, nil)
    }

    @usableFromInline func lock() { pthread_mutex_lock(place) }

    @usableFromInline func unlock() { pthread_mutex_unlock(place) }

    func destroy() {
        pthread_mutex_destroy(place)
        place.deinitialize(count: 1)
        place.deallocate()
    }
}

/// The system's way to wait under a lock until another thread says that something has changed.
struct SystemCondition {
    private let place: UnsafeMutablePointer<pthread_cond_t>

    init() {
        place = .allocate(capacity: 1)
        place.initialize(to: pthread_cond_t())
        pthread_cond_init(place, nil)
    }

    /// Gives the lock away until ``signal()``, or for no reason, and has it again then.
    func wait(_ mutex: SystemMutex) { pthread_cond_wait(place, mutex.place) }

    func signal() { pthread_cond_signal(place) }

    func destroy() {
        pthread_cond_destroy(place)
        place.deinitialize(count: 1)
        place.deallocate()
    }
}
