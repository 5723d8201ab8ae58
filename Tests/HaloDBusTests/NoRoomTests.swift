#if os(Linux)
import Glibc
import HaloTesting
import Testing

@testable import HaloDBus

/// A program that has no descriptors left.
@Suite(.isAlone) struct NoRoomTests {
    /// Where a bus is that runs on threads whose descriptors are their own: others have theirs.
    private final class Cramped: Sendable {
        let heard = Collector<String>()

        private typealias Unshare = @convention(c) (Int32) -> Int32
        /// What the system's module keeps to itself: `unshare`, and `CLONE_FILES`.
        private static let unshare = dlsym(nil, "unshare").map {
            unsafeBitCast($0, to: Unshare.self)
        }
        private static let files: Int32 = 0x400

        /// Everything happens on one thread; what comes of it is heard, in order.
        func begin() -> Bool {
            SystemThread.start { [self] in
                do {
                    try live()
                } catch {
                    heard.append("\(error)")
                }
                heard.append("over")
            }
        }

        private func live() throws {
            guard let unshare = Self.unshare, unshare(Self.files) == 0 else {
                return heard.append("impossible")
            }
            // Nobody waits for the end of what is open here as well as elsewhere.
            for number in 3..<Int32(4096) { SystemSocket.close(number) }
            let bus = try PrivateBus()
            guard case let place? = try bus.listen().socket else { throw TestBus.Missing() }
            var taken = [try SystemSocket.pair().0]
            while let number = try? SystemSocket.duplicate(taken[0]) { taken.append(number) }
            guard let one = taken.popLast() else { throw TestBus.Missing() }
            SystemSocket.close(one)
            guard let client = try SystemSocket.connect(to: place) else {
                throw TestBus.Missing()
            }
            let words = Array("\0AUTH\r\n".utf8)
            _ = words.withUnsafeBytes { SystemSocket.send(client, $0, []) }
            heard.append("answered: \(isAnswered(client, within: 300_000))")
            SystemSocket.close(taken.removeLast())
            heard.append("answered: \(isAnswered(client, within: 60_000_000))")
            // Who comes then is let in as well.
            for _ in 0..<2 { SystemSocket.close(taken.removeLast()) }
            guard let next = try SystemSocket.connect(to: place) else {
                throw TestBus.Missing()
            }
            _ = words.withUnsafeBytes { SystemSocket.send(next, $0, []) }
            heard.append("answered: \(isAnswered(next, within: 60_000_000))")
            bus.close()
            for number in taken { SystemSocket.close(number) }
        }

        private func isAnswered(_ socket: Int32, within limit: Int64) -> Bool {
            var poll = SystemPoll()
            poll.append(socket)
            poll.wait(for: limit)
            return poll.isReadable(0)
        }
    }

    /// Who comes when there is no room waits, and is let in as soon as there is some.
    @Test func whoFindsNoRoomWaits() async throws {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        guard limit.rlim_cur <= 1 << 20 else { return }
        let cramped = Cramped()
        #expect(cramped.begin())
        try await eventually("its end", within: .seconds(180)) {
            cramped.heard.all.last == "over"
        }
        guard cramped.heard.all.first != "impossible" else { return }
        #expect(
            cramped.heard.all
                == ["answered: false", "answered: true", "answered: true", "over"])
    }
}
#endif
