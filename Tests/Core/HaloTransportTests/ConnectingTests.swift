import HaloProtocol
import HaloTesting
import HaloTransport
import TestSupport
import Testing

/// Attempts to connect: each ends once, and leaves nothing behind when it is cancelled.
@Suite(.passesTime) struct ConnectingTests {
    private let ring = PeripheralIdentity("ring")

    private func kind<Value: Sendable>(
        _ bluetooth: ScriptedBluetooth, _ body: @escaping @Sendable () async throws -> Value
    ) throws -> BLEError.Kind? {
        try bluetooth.run {
            do {
                _ = try await body()
                return nil
            } catch let error as BLEError {
                return error.kind
            }
        }
    }

    @Test func linkThatOpensAtOnceIsReturned() throws {
        let bluetooth = ScriptedBluetooth()
        let link = try bluetooth.run { [ring] in
            try await bluetooth.connect(to: Discovery(ring), timeout: .seconds(5))
        }
        #expect(link.identity == ring)
        #expect(bluetooth.stepped.timerCount == 0)
        #expect(bluetooth.stepped.waiterCount == 0)
    }

    @Test func linkThatOpensLaterIsReturned() throws {
        let bluetooth = ScriptedBluetooth(opensAtOnce: false)
        _ = bluetooth.stepped.schedule(at: .origin + .seconds(3)) {
            bluetooth.answer(.success(bluetooth.driver))
        }
        let link = try bluetooth.run { [ring] in
            try await bluetooth.connect(to: ring, timeout: .seconds(5))
        }
        #expect(link.disconnectReason == nil)
        #expect(bluetooth.stepped.now() == .origin + .seconds(3))
        #expect(bluetooth.stepped.timerCount == 0)
    }

    @Test func backendsErrorIsThrown() throws {
        let bluetooth = ScriptedBluetooth(opensAtOnce: false)
        _ = bluetooth.stepped.schedule(at: .origin) {
            bluetooth.answer(.failure(BLEError(.alreadyConnected, .connect)))
        }
        let found = try kind(bluetooth) { [ring] in try await bluetooth.connect(to: ring) }
        #expect(found == .alreadyConnected)
        #expect(bluetooth.state.withLock { $0.cancelledAttempts } == 0)
    }

    @Test func timeoutEndsAnAttemptAndClosesALateLink() throws {
        let bluetooth = ScriptedBluetooth(opensAtOnce: false)
        let found = try kind(bluetooth) { [ring] in
            try await bluetooth.connect(to: ring, timeout: .seconds(7))
        }
        #expect(found == .timedOut)
        #expect(bluetooth.stepped.now() == .origin + .seconds(7))
        #expect(bluetooth.state.withLock { $0.cancelledAttempts } == 1)
        #expect(bluetooth.driver.calls == [])
        bluetooth.answer(.success(bluetooth.driver))
        #expect(bluetooth.driver.calls == [.disconnect])
    }

    @Test(arguments: [Duration.zero, .seconds(-5), .seconds(Int64.max), .seconds(Int64.min)])
    func noTimeoutTraps(_ timeout: Duration) throws {
        let bluetooth = ScriptedBluetooth(opensAtOnce: false)
        let found = try kind(bluetooth) { [ring] in
            try await bluetooth.connect(to: ring, timeout: timeout)
        }
        #expect(found == .timedOut)
    }

    @Test(arguments: 0..<12)
    func cancelledAtAnyTimeItEndsOnceAndLeavesNothing(_ turns: Int) throws {
        let bluetooth = ScriptedBluetooth(opensAtOnce: false)
        let ends = Notes<BLEError.Kind?>()
        try bluetooth.run { [ring] in
            await withTaskGroup(of: Void.self) { group in
                group.addTask {
                    do throws(BLEError) {
                        _ = try await bluetooth.connect(to: ring)
                        ends.add(nil)
                    } catch {
                        ends.add(error.kind)
                    }
                }
                for _ in 0..<turns { await Task.yield() }
                group.cancelAll()
                await Task.yield()
                bluetooth.answer(.success(bluetooth.driver))
            }
        }
        #expect(ends.all == [.cancelled])
        let began = bluetooth.state.withLock { $0.attempts.count }
        #expect(bluetooth.driver.calls == (began == 0 ? [] : [.disconnect]))
        #expect(bluetooth.stepped.waiterCount == 0)
        #expect(bluetooth.stepped.timerCount == 0)
    }

    @Test func secondReplyOfABackendIsIgnored() throws {
        let bluetooth = ScriptedBluetooth()
        let link = try #require(bluetooth.link())
        bluetooth.answer(.failure(BLEError(.backend, .connect)))
        bluetooth.answer(.success(ScriptedDriver()))
        #expect(link.disconnectReason == nil)
        #expect(bluetooth.driver.calls == [])
    }

    @Test func secondDriverOfABackendIsClosed() throws {
        let bluetooth = ScriptedBluetooth()
        _ = try #require(bluetooth.link())
        let second = ScriptedDriver()
        bluetooth.answer(.success(second))
        #expect(second.calls == [.disconnect])
    }
}
