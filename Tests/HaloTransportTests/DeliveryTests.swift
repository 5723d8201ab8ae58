import HaloProtocol
import HaloTesting
import Testing

@testable import HaloTransport

/// Delivery of events: how often it holds the time, and events that come meanwhile.
@Suite struct DeliveryTests {
    /// The receivers beside a subscriber.
    private enum Receivers: CaseIterable {
        case none, observer, stream
    }

    private let time = HookedTime()
    private let driver = ScriptedDriver()
    private let notes = Notes<String>()

    private func link() -> BLELink {
        let link = BLELink(PeripheralIdentity("ring"), on: time, features: [])
        link.open(driver)
        driver.answerAtOnce()
        return link
    }

    /// A single value holds the time once, and so does a batch that is buffered. With an observer,
    /// each value holds it once more.
    @Test(arguments: [(0, 0, 0), (1, 1, 1), (2, 1, 3), (3, 1, 4), (5, 1, 6)])
    func batchedValuesHoldTimeOnce(
        _ count: Int, alone: Int, watched: Int
    ) {
        let values = (0..<count).map { [UInt8($0)] }
        for receivers in Receivers.allCases {
            let link = link()
            let buffer = BoundedBuffer<LinkNotification>(capacity: 8, on: time)
            _ = link.subscribe(to: Sample.sending, buffer) { _ in }
            var events: LinkEvents?
            switch receivers {
            case .none: break
            case .observer: _ = link.observe { _, _ in }
            case .stream: events = link.events(buffer: 8)
            }
            defer { withExtendedLifetime(events) {} }
            time.forget()
            link.receive(values, of: Sample.sending.id)
            let expected = receivers == .none ? alone : watched
            #expect(time.count(of: .now) == expected, "\(receivers)")
            #expect(time.count(of: .waiting(.actionBegins)) == expected, "\(receivers)")
            #expect(time.count(of: .waiting(.actionEnds)) == expected, "\(receivers)")
        }
    }

    /// A batch waits behind a call that adds an observer.
    @Test(arguments: [1, 2, 3])
    func observerAddedBeforeABatchGetsEachValue(_ count: Int) async throws {
        let link = link()
        let id = Sample.sending.id
        let values = (0..<count).map { [UInt8($0)] }
        let buffer = BoundedBuffer<LinkNotification>(capacity: 8, on: time)
        _ = link.subscribe(to: Sample.sending, buffer) { _ in }
        let heard = Notes<LinkEvent>()
        link.update { state in
            state.actions.append(
                .call {
                    link.receive(values, of: id)
                    _ = link.observe { event, _ in heard.add(event) }
                })
        }
        #expect(heard.all == values.map { .value(id, $0) })
        #expect(link.remains == ["1 observers", "1 subscriptions"])
        for value in values {
            let kept = try await buffer.next()
            #expect(kept?.element.value == value)
        }
    }

    /// One task is resumed during a batch. A value that comes at that moment is delivered after the
    /// batch, also to another task.
    @Test func valueDuringABatchComesAfterIt() throws {
        let link = link()
        let id = Sample.sending.id
        let found = try runDeterministically(step: { false }, idleStepLimit: 1000) { [time] in
            let first = BoundedBuffer<LinkNotification>(capacity: 8, on: time)
            let second = BoundedBuffer<LinkNotification>(capacity: 8, on: time)
            _ = link.subscribe(to: Sample.sending, first) { _ in }
            _ = link.subscribe(to: Sample.sending, second) { _ in }
            async let waited = first.next()
            while time.base.listenerCount == 0 { await Task.yield() }
            time.atNext(.waiting(.listeningEnds)) { link.receive(.value(id, [9])) }
            link.receive([[1], [2], [3]], of: id)
            var found: [[UInt8]] = []
            for _ in 0..<4 {
                if let entry = try await second.next() { found.append(entry.element.value) }
            }
            let value = try await waited?.element.value
            #expect(value == [1])
            for _ in 0..<3 {
                if let entry = try await first.next() { found.append(entry.element.value) }
            }
            return found
        }
        #expect(found == [[1], [2], [3], [9], [2], [3], [9]])
    }

    @Test func cancelledObserverDoesNotCancelTheOthers() {
        let link = link()
        let watching = ["first", "second", "third"].map { name in
            link.observe { [notes] _, _ in notes.add(name) }
        }
        watching[1].cancel()
        watching[1].cancel()
        link.receive(.maximumLengthChanged)
        #expect(notes.all == ["first", "third"])
        watching[0].cancel()
        link.receive(.maximumLengthChanged)
        #expect(notes.all == ["first", "third", "third"])
    }

    /// The link ends while the closing timer is scheduled.
    @Test func endDuringClosingLeavesNoTimer() {
        let link = link()
        time.atNext(.schedule) {
            link.receive(.disconnected(DisconnectReason(.remote, details: "words")))
        }
        link.close()
        #expect(time.count(of: .schedule) == 1)
        #expect(time.base.timerCount == 0)
        #expect(link.disconnectReason == DisconnectReason(.local, details: "words"))
        #expect(driver.calls == [])
    }

    /// The link may have the last reference to a driver, whose `deinit` may use the link.
    @Test(.timeLimit(.minutes(20))) func releasedDriverMayUseTheLink() {
        let link = BLELink(PeripheralIdentity("ring"), on: time, features: [])
        let reasons = Notes<DisconnectReason?>()
        link.open(PlainDriver { [weak link] in reasons.add(link?.disconnectReason) })
        #expect(reasons.all == [])
        link.receive(.disconnected(DisconnectReason(.remote)))
        #expect(reasons.all == [DisconnectReason(.remote)])
    }

    /// Pending subscribers fail in order, each with its characteristic.
    @Test func pendingSubscribersLearnTheStaleCharacteristic() {
        let link = BLELink(PeripheralIdentity("ring"), on: time, features: [])
        link.open(driver)
        let errors = Notes<BLEError>()
        for characteristic in [Sample.other, Sample.sending, Sample.writable, Sample.readable] {
            _ = link.subscribe(to: characteristic, nil) { result in
                if case .failure(let error) = result { errors.add(error) }
            }
        }
        link.receive(.servicesChanged)
        #expect(
            errors.all
                == [Sample.other, Sample.sending, Sample.writable, Sample.readable].map {
                    BLEError(.noSuchAttribute, .subscribe, uuid: $0.uuid)
                })
    }

    @Test func pendingSubscribersLearnTheirCharacteristicAtTheEnd() {
        let link = BLELink(PeripheralIdentity("ring"), on: time, features: [])
        link.open(driver)
        let errors = Notes<BLEError>()
        for characteristic in [Sample.other, Sample.sending] {
            _ = link.subscribe(to: characteristic, nil) { result in
                if case .failure(let error) = result { errors.add(error) }
            }
        }
        let reason = DisconnectReason(.outOfReach, details: "words")
        link.receive(.disconnected(reason))
        #expect(
            errors.all
                == [Sample.other, Sample.sending].map {
                    BLEError(.disconnected, .subscribe, uuid: $0.uuid, reason: reason)
                })
    }
}
