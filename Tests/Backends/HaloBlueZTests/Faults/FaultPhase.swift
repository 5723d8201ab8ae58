import FakeBlueZ
import HaloDBus
import HaloProtocol
import HaloTesting
import HaloTransport
import TestSupport

@testable import HaloBlueZ

/// The operation that is under way during a fault.
enum FaultPhase: CaseIterable, Sendable {
    case scanning, searching, connecting, discovering
    case reading, writing, subscribing
    case listening
    case closing

    /// The pending operation, which ends with an error or without one.
    typealias Waiting = Task<(any Error)?, Never>

    func bench() async throws -> FaultBench {
        var (quirks, timing) = (FakeQuirks(), FakeTiming())
        switch self {
        case .connecting: quirks.connectHangs = true
        case .discovering: quirks.neverResolves = true
        case .subscribing: quirks.secondStartNotifyHangs = true
        case .closing: timing.disconnecting = .seconds(3600)
        default: break
        }
        return try await FaultBench(quirks: quirks, timing: timing)
    }

    /// `true` if a link ends, and not only an attempt.
    var isOnLink: Bool {
        switch self {
        case .scanning, .searching, .connecting, .closing: false
        default: true
        }
    }

    /// Begins the operation, and returns when it is under way.
    func begin(_ bench: FaultBench) async throws -> [Waiting] {
        switch self {
        case .scanning: return try await scan(bench)
        case .searching, .connecting: return try await connect(bench)
        default: break
        }
        let link = try await bench.transport.connect(to: FaultBench.identity)
        switch self {
        case .discovering:
            let waiting = Waiting { await failure { _ = try await link.services } }
            guard try await bench.reaches({ $0.link?.waiters.isEmpty == false }) else {
                throw NotReached()
            }
            return [waiting]
        case .closing:
            let waiting = Waiting {
                await link.disconnect()
                return link.disconnectReason?.kind == .local ? nil : NotReached()
            }
            // A daemon is not waited for for ever: a computer that has too much to do may come
            // here when that is over.
            let isClosing = try await eventually {
                if link.disconnectReason != nil { return true }
                return bench.transport.hub.read { session in
                    session.links.contains { $0.name == .disconnecting }
                }
            }
            guard isClosing else { throw NotReached() }
            return [waiting]
        case .listening: return [try await listen(bench, link)]
        case .subscribing: return try await subscribe(bench, link)
        default: return try await ask(bench, link)
        }
    }

    struct NotReached: Error {}

    private func scan(_ bench: FaultBench) async throws -> [Waiting] {
        let isHeard = Locked(false)
        let scan = bench.transport.scan()
        let waiting = Waiting {
            await failure { for try await _ in scan { isHeard.withLock { $0 = true } } }
        }
        guard try await eventually({ isHeard.withLock { $0 } }) else { throw NotReached() }
        return [waiting]
    }

    private func connect(_ bench: FaultBench) async throws -> [Waiting] {
        let identity =
            self == .searching ? PeripheralIdentity("C0:DE:00:00:00:77") : FaultBench.identity
        let waiting = Waiting {
            await failure {
                _ = try await bench.transport.connect(to: identity, timeout: .seconds(600))
            }
        }
        let name: LinkMachine.Name = self == .searching ? .searching : .connecting
        guard try await bench.reaches({ $0.name == name && $0.adapter != nil }) else {
            throw NotReached()
        }
        return [waiting]
    }

    private func listen(_ bench: FaultBench, _ link: BLELink) async throws -> Waiting {
        let second = try await bench.characteristic(.second, link)
        let values = try await link.notifications(of: second)
        bench.tell(.send(.second, [7]))
        var iterator = values.makeAsyncIterator()
        guard try await iterator.next()?.value == [7] else { throw NotReached() }
        return Waiting {
            var iterator = values.makeAsyncIterator()
            return await failure { while try await iterator.next() != nil {} }
        }
    }

    private func subscribe(_ bench: FaultBench, _ link: BLELink) async throws -> [Waiting] {
        let second = try await bench.characteristic(.second, link)
        _ = try await link.notifications(of: second)
        let waiting = Waiting {
            await failure {
                while true { _ = try await link.notifications(of: second) }
            }
        }
        guard
            try await bench.reaches({ $0.running?.operation.work == .notify(true) })
        else { throw NotReached() }
        return [waiting]
    }

    private func ask(_ bench: FaultBench, _ link: BLELink) async throws -> [Waiting] {
        let silent = try await bench.characteristic(.silent, link)
        let text = try await bench.characteristic(.text, link)
        let asked = Waiting {
            await failure {
                if self == .reading {
                    _ = try await link.read(silent)
                } else {
                    try await link.write([1], to: silent)
                }
            }
        }
        guard try await bench.reaches({ $0.running != nil }) else { throw NotReached() }
        // What waits behind it ends with it.
        let behind = Waiting { await failure { _ = try await link.read(text) } }
        guard try await bench.reaches({ $0.running != nil }) else { throw NotReached() }
        return [asked, behind]
    }
}
