import TestSupport
import Testing

@testable import HaloTransport

/// A value under a lock.
@Suite(.passesTime) struct LockedTests {
    /// A type that is not `Sendable`.
    private final class Counter {
        var count = 0
    }

    /// The compiler allows another task to have the old value: the lock keeps no part of it.
    @Test func nonSendableValueIsExchanged() async {
        let locked = Locked(Counter())
        locked.withLock { $0.count += 1 }
        let taken = locked.withLock { counter in
            let old = counter
            counter = Counter()
            return old
        }
        let count = await Task {
            taken.count += 1
            return taken.count
        }.value
        #expect(count == 2)
        #expect(locked.withLock { $0.count } == 0)
    }

    private struct Refusal: Error {}

    @Test func lockIsFreeAfterAnError() {
        let locked = Locked(1)
        #expect(throws: Refusal.self) {
            try locked.withLock { (value) throws(Refusal) in
                value = 2
                throw Refusal()
            }
        }
        #expect(locked.withLock { $0 } == 2)
    }
}
