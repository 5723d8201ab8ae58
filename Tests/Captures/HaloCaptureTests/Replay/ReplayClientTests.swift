import CaptureSupport
import HaloProtocol
import HaloSimulator
import HaloTransport
import TestSupport
import Testing

@testable import HaloCapture

/// The requests of a recording, sent to a device: their times, the waits for replies, and the end.
@Suite(.computes) struct ReplayClientTests {
    private static let question = "> uart \(spaced(RingSamples.question))\n"
    private static let answer = "< uart \(spaced(RingSamples.answer))\n"
    private static let exchange = question + "+ 40ms\n" + answer

    /// The result of a replay, and the traces of its links.
    private struct Outcome {
        let comparison: ReplayComparison
        let traces: [LinkTrace]
        let isConnected: Bool
        /// The duration in microseconds.
        let length: Int64

        var writes: [LinkTrace] {
            traces.filter { $0.kind == .request && $0.operation == .write }
        }

        /// The moments of the writes in microseconds.
        var moments: [Int64] { writes.map(\.moment.microseconds) }

        /// The time from the last write to the disconnection of the last link, in microseconds.
        var rest: Int64? {
            let closed = traces.last { $0.kind == .request && $0.operation == .disconnect }
            guard let closed, let last = moments.last else { return nil }
            return closed.moment.microseconds - last
        }

        /// The beginnings and ends of links.
        var links: [String] {
            traces.compactMap { trace -> String? in
                if trace.kind == .reply, trace.operation == .connect { return "connected" }
                if case .disconnected = trace.event { return "gone" }
                return nil
            }
        }
    }

    /// Sends the requests of one capture to a device that replays another one.
    private static func run(
        _ text: String, of device: String, _ options: ReplayClientOptions = ReplayClientOptions(),
        _ replay: ReplayOptions = .lenient, isDeaf: Bool = false
    ) async throws -> Outcome {
        let air = VirtualBluetooth(seed: 3)
        let placed = air.add(ReplayDevice(try Capture(reading: device), replay))
        let traces = Locked<[LinkTrace]>([])
        let transport = TracedTransport(DeafTransport(base: air, isDeaf: isDeaf)) { trace in
            traces.withLock { $0.append(trace) }
        }
        let client = ReplayClient(try Capture(reading: text), options)
        let start = air.time.now()
        let comparison = try await client.run(over: transport, to: placed.identity)
        return Outcome(
            comparison: comparison, traces: traces.withLock { $0 },
            isConnected: placed.isConnected,
            length: air.time.now().microseconds(since: start))
    }

    // MARK: Links

    @Test func eachLinkIsClosedBeforeTheNextOne() async throws {
        let text = "* connected\n" + Self.exchange + "* connected\n" + Self.exchange
        let outcome = try await Self.run(text, of: text)
        #expect(outcome.links == ["connected", "gone", "connected", "gone"])
        #expect(!outcome.isConnected)
        #expect(outcome.comparison.isSame, "\(outcome.comparison)")
        #expect(outcome.comparison.exchanges.map(\.request.line) == [2, 6])
    }

    /// A short file can have connections without number, and each of them takes time.
    @Test(arguments: [(2, 2), (3, 3), (4, 3), (0, 0), (-1, 0)])
    func noMoreConnectionsAreMadeThanAllowed(limit: Int, count: Int) async throws {
        let text = String(repeating: "* connected\n" + Self.exchange, count: 3)
        var options = ReplayClientOptions()
        options.connectionLimit = limit
        let outcome = try await Self.run(text, of: text, options)
        #expect(outcome.links.count { $0 == "connected" } == count)
        let comparison = outcome.comparison
        #expect(comparison.exchanges.count == count)
        #expect(comparison.leftOutConnectionCount == 3 - count)
        #expect(comparison.isSame == (count == 3), "\(comparison)")
        let words = "further connections, not made: \(3 - count)"
        #expect("\(comparison)".contains(words) == (count < 3))
    }

    /// The client waits five seconds for a device that does not report the end of the link.
    @Test func itIsWaitedUntilALinkIsClosed() async throws {
        let usual = try await Self.run(Self.exchange, of: Self.exchange)
        let deaf = try await Self.run(Self.exchange, of: Self.exchange, isDeaf: true)
        #expect(deaf.comparison == usual.comparison)
        #expect(deaf.length - usual.length > 4_000_000)
    }

    @Test func eitherSideEndsTheConnection() async throws {
        let device = "* connected\n" + Self.question + "+ 1s\n* disconnected 13\n"
        let text =
            "* connected\n" + Self.question + "+ 5s\n" + Self.question + "* connected\n"
            + Self.question
        var replay = ReplayOptions.lenient
        replay.replaysDisconnections = true
        let outcome = try await Self.run(text, of: device, ReplayClientOptions(), replay)
        #expect(outcome.links == ["connected", "gone"])
        #expect(outcome.comparison.exchanges.map(\.request.line) == [2, 4])
        #expect(outcome.comparison.interruption?.kind == .disconnected)
        #expect(outcome.comparison.differences.isEmpty && !outcome.comparison.isSame)
        #expect(outcome.comparison.description.contains("\nit ended early: "))
    }

    // MARK: Time

    /// The time between two requests that were ten seconds apart in the recording.
    @Test(
        arguments: [
            (.recorded, 900, 10_000_000...10_050_000), (.recorded, 3, 3_000_000...4_000_000),
            (.scaled(by: 0.5), 900, 5_000_000...5_050_000),
            (.scaled(by: 2), 900, 20_000_000...20_050_000), (.immediate, 900, 0...1_000_000),
        ] as [(ReplayTiming, Int64, ClosedRange<Int64>)])
    func requestsHaveTheirTime(
        timing: ReplayTiming, longestPause: Int64, range: ClosedRange<Int64>
    ) async throws {
        let text = Self.exchange + "+ 9.96s\n" + Self.exchange
        var options = ReplayClientOptions()
        options.timing = timing
        options.longestPause = .seconds(longestPause)
        let outcome = try await Self.run(text, of: text, options)
        #expect(outcome.comparison.isSame, "\(outcome.comparison)")
        let moments = outcome.moments
        try #require(moments.count == 2)
        #expect(range.contains(moments[1] - moments[0]))
    }

    @Test(arguments: [3, 7] as [Int64])
    func missingAnswersAreWaitedFor(timeout: Int64) async throws {
        var options = ReplayClientOptions()
        options.timing = .immediate
        options.timeout = .seconds(timeout)
        let outcome = try await Self.run(
            Self.exchange + Self.exchange, of: "* subscribed uart\n" + Self.question, options)
        let moments = outcome.moments
        try #require(moments.count == 2)
        let gap = moments[1] - moments[0]
        #expect((timeout * 1_000_000...timeout * 1_000_000 + 500_000).contains(gap))
        #expect(outcome.comparison.differences.map(\.heard) == [[], []])
        #expect(outcome.comparison.exchanges.map(\.microseconds) == [nil, nil])
        #expect(outcome.comparison.interruption == nil)
    }

    /// With an unknown number of replies, the client waits for a second silence.
    @Test(
        arguments: [
            (question, 250, 250_000...900_000), (question, 4_000, 4_000_000...4_900_000),
            (
                "> uart \(spaced(RingSamples.frame(0x43, [0])))\n"
                    + "< uart \(spaced(RingSamples.frame(0x43, [0x25, 0x12, 0x11])))\n",
                4_000, 8_000_000...9_000_000
            ),
        ] as [(String, Int64, ClosedRange<Int64>)])
    func itHasToBeQuietAtTheEnd(
        text: String, quiet: Int64, range: ClosedRange<Int64>
    ) async throws {
        var options = ReplayClientOptions()
        options.permissions = .unknown
        options.quiet = .milliseconds(quiet)
        let outcome = try await Self.run(text, of: text, options)
        let rest = try #require(outcome.rest)
        #expect(range.contains(rest))
        #expect(outcome.comparison.isSame, "\(outcome.comparison)")
    }

    @Test func timesOfAnswersAreCompared() async throws {
        let outcome = try await Self.run(Self.exchange, of: Self.exchange)
        let exchange = try #require(outcome.comparison.exchanges.first)
        #expect(exchange.recorded == exchange.heard && exchange.recorded.count == 1)
        #expect(exchange.recordedMicroseconds == 40_000)
        #expect((40_000...400_000).contains(exchange.microseconds ?? 0))
    }

    // MARK: What is sent

    @Test func theDefaultsAreThoseThatAreDocumented() {
        let options = ReplayClientOptions()
        #expect(options.permissions == [] && options.timing == .recorded && options.link == nil)
        #expect(options.longestPause == .seconds(900) && options.timeout == .seconds(12))
        #expect(options.quiet == .milliseconds(250) && !options.comparesSettings)
        #expect(options.connectionLimit == 1000)
    }

    @Test(
        arguments: [
            ([], [true, false, false]), (.unknown, [true, true, false]),
            (.dangerous, [true, false, true]), ([.unknown, .dangerous], [true, true, true]),
        ] as [(ReplayClientOptions.Permissions, [Bool])])
    func onlyPermittedRequestsAreSent(permission: ReplayClientOptions.Permissions, allowed: [Bool])
    {
        var options = ReplayClientOptions()
        options.permissions = permission
        let risks: [RequestRisk] = [.known, .unknown, .dangerous]
        #expect(risks.map { options.allows($0) } == allowed)
    }

    /// A request that the device lacks makes the result different; a forbidden request does not.
    @Test(
        arguments: [
            ([], "its effect is not known", true),
            (.unknown, "the device has no such characteristic", false),
        ] as [(ReplayClientOptions.Permissions, String, Bool)])
    func skippedRequestsAreReported(
        permission: ReplayClientOptions.Permissions, reason: String, isSame: Bool
    ) async throws {
        var options = ReplayClientOptions()
        options.permissions = permission
        let outcome = try await Self.run("> ffe1 01\n" + Self.exchange, of: Self.exchange, options)
        #expect(
            outcome.comparison.skipped.map(\.description)
                == ["line 1: > ffe1 01: not sent: \(reason)"])
        #expect(outcome.comparison.exchanges.count == 1)
        #expect(outcome.comparison.differences.isEmpty)
        #expect(outcome.comparison.isSame == isSame)
    }

    /// A record that is too long for one packet is written in pieces, as in the recording.
    @Test func longRecordsAreWrittenInPieces() async throws {
        let bytes = [0xBC, 0x29, 0x52, 0x02] + [UInt8](repeating: 7, count: 596)
        let write = "> bigdata \(spaced(bytes))\n"
        var options = ReplayClientOptions()
        options.permissions = .unknown
        let text = "> bigdata write \(spaced(bytes))\n* acknowledged bigdata\n"
        let acknowledged = try await Self.run(text, of: text, options)
        let pieces = acknowledged.writes.map { $0.bytes ?? [] }
        #expect(pieces.map(\.count) == [512, 88])
        #expect(Array(pieces.joined()) == bytes)
        #expect(acknowledged.writes.allSatisfy { $0.mode == .withResponse })
        let command = try await Self.run(write, of: write, options)
        let parts = command.writes.map { $0.bytes ?? [] }
        let lengths = parts.map(\.count)
        #expect(lengths.count > 1 && Set(lengths.dropLast()).count == 1)
        #expect((lengths.last ?? 0) <= (lengths.first ?? 0))
        #expect(Array(parts.joined()) == bytes)
        #expect(command.writes.allSatisfy { $0.mode == .withoutResponse })
    }
}

/// A transport whose links, if it is deaf, do not end on request.
private struct DeafTransport: ForwardingTransport {
    let base: VirtualBluetooth
    let isDeaf: Bool

    func openLink(
        to identity: PeripheralIdentity, events: @escaping @Sendable (LinkEvent) -> Void,
        completion: @escaping BLECompletion<any LinkDriver>
    ) -> BLECancellable {
        base.openLink(to: identity, events: events) { [isDeaf] result in
            completion(result.map { isDeaf ? DeafLink($0) : $0 })
        }
    }
}

private final class DeafLink: ForwardingDriver {
    let base: any LinkDriver

    init(_ base: any LinkDriver) { self.base = base }

    func disconnect() {}
}
