import HaloProtocol
import HaloTesting
import HaloTransport
import TestSupport
import Testing

/// Operations: they end once, keep their order, and have a limit.
@Suite(.passesTime) struct LinkOperationTests {
    private let bluetooth = ScriptedBluetooth()
    private let notes = Notes<String>()
    private var driver: ScriptedDriver { bluetooth.driver }
    private let link: BLELink

    init() throws { link = try #require(bluetooth.link()) }

    @Test func operationsReachTheDriverInOrder() throws {
        link.submitRead(Sample.readable, notes.ending("read"))
        link.submitWrite([1], to: Sample.writable, .withResponse, notes.ending("write"))
        link.submitServices(notes.ending("services"))
        #expect(
            driver.calls == [
                .read(Sample.readable.id), .write([1], Sample.writable.id, .withResponse),
                .discover,
            ])
        driver.answer()
        driver.answer()
        driver.answer()
        #expect(notes.all == ["read", "write", "services"])
    }

    @Test func propertiesAreCheckedBeforeTheRequest() throws {
        link.submitRead(Sample.writable, notes.ending("read"))
        link.submitWrite([1], to: Sample.readable, .withResponse, notes.ending("write"))
        link.submitWrite([1], to: Sample.readable, .withoutResponse, notes.ending("command"))
        _ = link.submitSubscription(to: Sample.readable, notes.ending("subscribe"))
        let kind = BLEError.Kind.notPermitted
        #expect(
            notes.all == [
                "read: \(kind)", "write: \(kind)", "command: \(kind)", "subscribe: \(kind)",
            ])
        #expect(driver.calls == [])
    }

    @Test func valueBeyondTheMaximumIsNotWritten() throws {
        let longest = [UInt8](repeating: 0, count: 20)
        link.submitWrite(longest, to: Sample.writable, .withResponse, notes.ending("longest"))
        link.submitWrite(longest + [0], to: Sample.writable, .withResponse, notes.ending("more"))
        #expect(notes.all == ["more: \(BLEError.Kind.tooLong)"])
        #expect(driver.calls == [.write(longest, Sample.writable.id, .withResponse)])
    }

    /// Async calls make the same checks as calls with completions.
    @Test func asyncCallsAreCheckedToo() throws {
        driver.answerAtOnce()
        let kinds = try bluetooth.run {
            var kinds: [BLEError.Kind?] = []
            func attempt(_ body: () async throws -> Void) async {
                do {
                    try await body()
                    kinds.append(nil)
                } catch {
                    kinds.append((error as? BLEError)?.kind)
                }
            }
            let long = [UInt8](repeating: 0, count: 21)
            await attempt { _ = try await link.read(Sample.writable) }
            await attempt { try await link.write([1], to: Sample.readable) }
            await attempt { try await link.write([1], to: Sample.readable, .withoutResponse) }
            await attempt { try await link.write(long, to: Sample.writable) }
            await attempt { try await link.write(long, to: Sample.writable, .withoutResponse) }
            await attempt { _ = try await link.notifications(of: Sample.readable) }
            return kinds
        }
        #expect(
            kinds == [
                .notPermitted, .notPermitted, .notPermitted, .tooLong, .tooLong, .notPermitted,
            ])
        #expect(driver.calls == [])
    }

    @Test(arguments: [-1, 0, Int.min])
    func negativeMaximumIsZero(_ maximum: Int) throws {
        driver.state.withLock { $0.maximumLength = maximum }
        #expect(link.maximumWriteLength(for: .withResponse) == 0)
        link.submitWrite([1], to: Sample.writable, .withResponse, notes.ending("write"))
        #expect(notes.all == ["write: \(BLEError.Kind.tooLong)"])
    }

    @Test func writesWithoutResponseAreSentOneAtATime() throws {
        for byte in 1...3 as ClosedRange<UInt8> {
            link.submitWrite(
                [byte], to: Sample.writable, .withoutResponse, notes.ending("\(byte)"))
        }
        #expect(driver.calls.count == 1)
        driver.answer()
        #expect(driver.calls.count == 2)
        driver.answer()
        driver.answer()
        #expect(notes.all == ["1", "2", "3"])
    }

    @Test func operationsBehindAQueuedWriteWait() throws {
        link.submitWrite([1], to: Sample.writable, .withoutResponse) { _ in }
        link.submitRead(Sample.readable) { _ in }
        link.submitWrite([2], to: Sample.writable, .withoutResponse) { _ in }
        link.submitRead(Sample.readable) { _ in }
        #expect(driver.calls.count == 2)
        driver.answer()
        #expect(
            driver.calls == [
                .write([1], Sample.writable.id, .withoutResponse), .read(Sample.readable.id),
                .write([2], Sample.writable.id, .withoutResponse), .read(Sample.readable.id),
            ])
    }

    @Test func cancelledQueuedWriteIsNeverSent() throws {
        link.submitWrite([1], to: Sample.writable, .withoutResponse) { _ in }
        let second = link.submitWrite(
            [2], to: Sample.writable, .withoutResponse, notes.ending("second"))
        link.submitWrite([3], to: Sample.writable, .withoutResponse, notes.ending("third"))
        second.cancel()
        second.cancel()
        driver.answer()
        driver.answer()
        #expect(notes.all == ["second: \(BLEError.Kind.cancelled)", "third"])
        #expect(
            driver.calls == [
                .write([1], Sample.writable.id, .withoutResponse),
                .write([3], Sample.writable.id, .withoutResponse),
            ])
    }

    @Test func cancelledWriteInFlightStillDelaysTheNext() throws {
        let first = link.submitWrite(
            [1], to: Sample.writable, .withoutResponse, notes.ending("first"))
        link.submitWrite([2], to: Sample.writable, .withoutResponse, notes.ending("second"))
        first.cancel()
        #expect(driver.calls.count == 1)
        driver.answer()
        #expect(driver.calls.count == 2)
        driver.answer()
        #expect(notes.all == ["first: \(BLEError.Kind.cancelled)", "second"])
    }

    @Test func operationsBeyondTheLimitAreRefused() throws {
        for _ in 0..<1000 {
            link.submitRead(Sample.readable, notes.ending("read"))
        }
        let refused = "read: \(BLEError.Kind.overloaded)"
        #expect(notes.all.filter { $0 == refused }.count == 1000 - 256)
        #expect(driver.openCount == 256)
        driver.answer()
        link.submitRead(Sample.readable, notes.ending("one more"))
        #expect(driver.openCount == 256)
        #expect(!notes.all.contains { $0.hasPrefix("one more") })
    }

    @Test func cancelledOperationsInFlightCountForTheLimit() throws {
        for _ in 0..<1000 { link.submitRead(Sample.readable) { _ in }.cancel() }
        #expect(driver.openCount == 256)
    }

    /// Cancelled writes do not count, with or without another queued write before them.
    @Test(arguments: [0, 1])
    func cancelledQueuedWritesDoNotCountForTheLimit(_ before: Int) throws {
        let write = { (value: Int, name: String) in
            link.submitWrite(
                [UInt8(value)], to: Sample.writable, .withoutResponse, self.notes.ending(name))
        }
        for value in 0...before { _ = write(value, "first") }
        for _ in 0..<3 {
            let waiting = (before..<255).map { _ in write(8, "waiting") }
            let places = notes.all.count
            _ = write(8, "too many")
            #expect(notes.all.dropFirst(places) == ["too many: \(BLEError.Kind.overloaded)"])
            for registration in waiting { registration.cancel() }
        }
        let ends = notes.all.filter { $0.hasPrefix("waiting") }
        #expect(ends.count == 3 * (255 - before))
        #expect(Set(ends) == ["waiting: \(BLEError.Kind.cancelled)"])
        _ = write(9, "last")
        driver.answerAll()
        #expect(notes.all.last == "last")
        #expect(
            driver.calls
                == (Array(0...before) + [9]).map {
                    .write([UInt8($0)], Sample.writable.id, .withoutResponse)
                })
    }

    @Test func secondCompletionOfADriverIsIgnored() throws {
        link.submitRead(Sample.readable, notes.ending("read"))
        driver.answerButForget()
        driver.answer()
        #expect(notes.all == ["read"])
    }

    @Test func linkEndEndsOperationsInOrder() throws {
        link.submitRead(Sample.readable, notes.ending("read"))
        link.submitWrite([1], to: Sample.writable, .withoutResponse, notes.ending("one"))
        link.submitWrite([2], to: Sample.writable, .withoutResponse, notes.ending("two"))
        link.submitServices(notes.ending("services"))
        _ = link.submitSubscription(to: Sample.sending, notes.ending("subscribe"))
        _ = link.observe { event, _ in
            if case .disconnected = event { notes.add("end") }
        }
        bluetooth.happen(.disconnected(DisconnectReason(.remote)))
        bluetooth.happen(.disconnected(DisconnectReason(.outOfReach)))
        driver.answerAll()
        let ended = BLEError.Kind.disconnected
        #expect(notes.all.last == "end")
        #expect(
            Set(notes.all)
                == Set(
                    ["read", "one", "two", "services", "subscribe"].map { "\($0): \(ended)" }
                        + ["end"]))
        #expect(notes.all.count == 6)
        #expect(Array(notes.all.prefix(3)) == ["read", "one", "two"].map { "\($0): \(ended)" })
        #expect(link.disconnectReason?.kind == .remote)
    }

    @Test func endedLinkRequestsNothing() throws {
        bluetooth.happen(.disconnected(DisconnectReason(.remote)))
        link.submitRead(Sample.readable, notes.ending("read"))
        link.submitWrite([1], to: Sample.writable, .withResponse, notes.ending("write"))
        link.submitServices(notes.ending("services"))
        _ = link.submitSubscription(to: Sample.sending, notes.ending("subscribe"))
        _ = link.observe { event, _ in notes.add("\(event)") }
        let ended = BLEError.Kind.disconnected
        let remote = LinkEvent.disconnected(DisconnectReason(.remote))
        #expect(
            notes.all
                == ["read", "write", "services", "subscribe"].map { "\($0): \(ended)" }
                + ["\(remote)"])
        #expect(driver.calls == [])
    }

    @Test func errorNamesTheCharacteristic() throws {
        let errors = Notes<BLEError>()
        link.submitRead(Sample.readable) { result in
            if case .failure(let error) = result { errors.add(error) }
        }
        driver.answer(BLEError(.refused, .read, attError: .insufficientAuthentication))
        #expect(errors.all.first?.uuid == Sample.readable.uuid)
        #expect(errors.all.first?.attError == .insufficientAuthentication)
    }

    @Test func completionsMayCallBack() throws {
        driver.answerAtOnce()
        _ = link.observe { event, _ in
            notes.add("\(event)")
            if case .value(_, let value) = event, value == [1] {
                link.submitWrite([9], to: Sample.writable, .withResponse, notes.ending("write"))
                bluetooth.happen(.value(Sample.sending.id, [2]))
                notes.add("called")
            }
        }
        bluetooth.happen(.value(Sample.sending.id, [1]))
        #expect(
            notes.all == [
                "\(LinkEvent.value(Sample.sending.id, [1]))", "called",
                "\(LinkEvent.value(Sample.sending.id, [2]))", "write",
            ])
    }

    @Test func closingEndsAfterTheTimeout() throws {
        try bluetooth.run { await link.disconnect() }
        #expect(link.disconnectReason?.kind == .local)
        #expect(bluetooth.stepped.now() == .origin + .seconds(5))
        #expect(bluetooth.stepped.waiterCount == 0)
    }

    @Test(arguments: [DisconnectReason.Kind.remote, .outOfReach, .adapterGone, .local])
    func closedLinkHasTheLocalReason(
        _ kind: DisconnectReason.Kind
    ) throws {
        let reasons = Notes<DisconnectReason.Kind?>()
        _ = link.observe { event, _ in
            if case .disconnected(let reason) = event { reasons.add(reason.kind) }
        }
        link.submitRead(Sample.readable) { result in
            if case .failure(let error) = result { reasons.add(error.disconnectReason?.kind) }
        }
        link.close()
        bluetooth.happen(.disconnected(DisconnectReason(kind, details: "words")))
        #expect(reasons.all == [.local, .local])
        #expect(link.disconnectReason == DisconnectReason(.local, details: "words"))
    }

    @Test func closingIsRequestedOnceAndLast() throws {
        link.close()
        link.close()
        link.submitRead(Sample.readable, notes.ending("read"))
        #expect(notes.all == ["read: \(BLEError.Kind.disconnected)"])
        #expect(link.disconnectReason == nil)
        bluetooth.happen(.disconnected(DisconnectReason(.local)))
        #expect(driver.calls == [.disconnect])
        #expect(bluetooth.stepped.timerCount == 0)
    }
}
