import Glibc
import TestSupport
import Testing

@testable import HaloDBus

/// Threads.
@Suite(.computes) struct ThreadTests {
    /// Attributes of the current thread.
    private struct Habits: Hashable, Sendable {
        var stackLength = 0
        var isDetached = false

        private typealias Asking =
            @convention(c) (pthread_t, UnsafeMutablePointer<pthread_attr_t>) -> Int32
        /// Functions that Glibc's module does not export.
        private static let attributes = dlsym(nil, "pthread_getattr_np").map {
            unsafeBitCast($0, to: Asking.self)
        }

        static var current: Habits {
            var (attributes, length, state) = (pthread_attr_t(), 0, Int32(-1))
            guard let ask = Self.attributes, ask(pthread_self(), &attributes) == 0 else {
                return Habits()
            }
            defer { pthread_attr_destroy(&attributes) }
            pthread_attr_getstacksize(&attributes, &length)
            pthread_attr_getdetachstate(&attributes, &state)
            return Habits(
                stackLength: length, isDetached: state == Int32(PTHREAD_CREATE_DETACHED))
        }
    }

    /// A stack of 2 MiB, or a larger one that another thread has left; detached.
    @Test func aThreadHasAStackOfItsOwn() async throws {
        let heard = Collector<Habits>()
        #expect(SystemThread.start { heard.append(.current) })
        let habits = try #require(try await heard.wait(for: 1).first)
        #expect(habits.stackLength >= 2_097_152)
        #expect(habits.isDetached)
    }

    /// The closure is released when the thread has ended.
    @Test func aThreadReleasesItsClosure() async throws {
        final class Thing: Sendable {}
        let done = Collector<Int>()
        weak var left: Thing?
        do {
            let thing = Thing()
            left = thing
            #expect(SystemThread.start { withExtendedLifetime(thing) { done.append(1) } })
        }
        #expect(try await done.wait(for: 1) == [1])
        try await eventually("it lets go") { left == nil }
    }
}
