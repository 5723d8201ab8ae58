import Glibc
import TestSupport
import Testing

@testable import HaloDBus

/// A process without free descriptors.
@Suite(.isAlone) struct NoRoomTests {
    /// A bus whose threads have a descriptor table of their own, so that other suites keep theirs.
    private final class Cramped: Sendable {
        let heard = Collector<String>()

        private typealias Unshare = @convention(c) (Int32) -> Int32
        /// `unshare` and `CLONE_FILES`, which Glibc's module does not export.
        private static let unshare = dlsym(nil, "unshare").map {
            unsafeBitCast($0, to: Unshare.self)
        }
        private static let files: Int32 = 0x400

        /// One thread does everything; its events are collected in order.
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
            // Descriptors that this table shares need not be waited for.
            for number in 3..<Int32(4096) { SystemSocket.close(number) }
            let bus = try PrivateBus()
            guard case let place? = try bus.listen().socket else { throw TestBus.Missing() }
            var taken = [try SystemSocket.pair().0]
            while case let number = dup(taken[0]), number >= 0 { taken.append(number) }
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
            // A client that connects then is accepted, too.
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

    /// A client that connects without free descriptors waits, and is accepted once there is one.
    @Test func aClientWithoutADescriptorWaits() async throws {
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
