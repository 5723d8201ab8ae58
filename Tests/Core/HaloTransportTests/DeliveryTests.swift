import HaloProtocol
import HaloTesting
import TestSupport
import Testing

@testable import HaloTransport

/// Delivery of events, and events that come meanwhile.
@Suite(.passesTime) struct DeliveryTests {
    private let time = HookedTime()
    private let driver = ScriptedDriver()
    private let notes = Notes<String>()

    private func link() -> BLELink {
        let link = BLELink(PeripheralIdentity("ring"), on: time, features: [])
        link.open(driver)
        driver.answerAtOnce()
        return link
    }

    /// Every receiver gets each value, in order and with its moment.
    @Test func receiversGetEachValueInOrder() throws {
        let link = link()
        let id = Sample.sending.id
        let expected: [[UInt8]] = [[1], [2], [3]]
        let found = try runDeterministically(step: { false }, idleStepLimit: 1000) {
            [time, notes] in
            let values = try await link.notifications(of: Sample.sending)
            let others = try await link.notifications(of: Sample.sending, bufferLimit: 2)
            let events = link.events()
            let watching = link.observe { event, moment in notes.add("\(event) \(moment)") }
            for value in expected {
                time.stepped.advance(by: .seconds(1))
                link.receive(.value(id, value))
            }
            link.receive(.value(AttributeID(77), [9]))
            watching.cancel()
            link.receive(.disconnected(DisconnectReason(.local)))
            link.receive(.value(id, [4]))
            var found: [[LinkNotification]] = [[], []]
            for try await value in values { found[0].append(value) }
            for try await value in others { found[1].append(value) }
            var seen: [LinkEvent] = []
            for try await event in events { seen.append(event.event) }
            #expect(
                seen == expected.map { .value(id, $0) } + [
                    .value(AttributeID(77), [9]), .disconnected(DisconnectReason(.local)),
                ])
            return found
        }
        let moments = (1...3).map { Moment.origin + .seconds($0) }
        let all = zip(expected, moments).map { LinkNotification(value: $0, moment: $1) }
        let second = LinkNotification(value: [2], moment: moments[1], lostBefore: 1)
        #expect(found == [all, [second, all[2]]])
        var values = zip(expected, moments).map { "\(LinkEvent.value(id, $0)) \($1)" }
        values.append("\(LinkEvent.value(AttributeID(77), [9])) \(moments[2])")
        #expect(notes.all == values)
    }

    /// A value that is reported while another one is delivered comes after it, to all.
    @Test func valueDuringADeliveryComesAfterIt() {
        let link = link()
        let id = Sample.sending.id
        let watching = ["first", "second"].map { name in
            link.observe { [notes] event, _ in
                guard case .value(_, let value) = event else { return }
                if name == "first", value == [1] { link.receive(.value(id, [2])) }
                notes.add("\(name) \(value)")
            }
        }
        link.receive(.value(id, [1]))
        #expect(notes.all == ["first [1]", "second [1]", "first [2]", "second [2]"])
        for observer in watching { observer.cancel() }
        #expect(link.remains == [])
    }

    /// A backend may report several events within a call: they come in their order.
    @Test func eventsWithinACallKeepTheirOrder() {
        let link = link()
        let watching = link.observe { [notes] event, _ in notes.add("\(event)") }
        let id = Sample.sending.id
        let events: [LinkEvent] = [
            .servicesChanged, .value(id, [1]), .maximumLengthChanged, .value(id, [2]),
            .disconnected(DisconnectReason(.outOfReach)),
        ]
        time.loop.run { for event in events { link.receive(event) } }
        #expect(notes.all == events.map { "\($0)" })
        watching.cancel()
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
        #expect(time.stepped.timerCount == 0)
        #expect(link.disconnectReason == DisconnectReason(.local, details: "words"))
        #expect(driver.calls == [])
    }

    /// The link may have the last reference to a driver, whose `deinit` may use the link.
    @Test func releasedDriverMayUseTheLink() {
        let link = BLELink(PeripheralIdentity("ring"), on: time, features: [])
        let reasons = Notes<DisconnectReason?>()
        let lengths = Notes<Int?>()
        link.open(
            SilentDriver { [weak link] in
                reasons.add(link?.disconnectReason)
                lengths.add(link?.maximumWriteLength(for: .withResponse))
            })
        #expect(reasons.all == [])
        link.receive(.disconnected(DisconnectReason(.remote)))
        #expect(reasons.all == [DisconnectReason(.remote)])
        #expect(lengths.all == [0])
    }

    @Test func entryOfALogReadsItsMomentInATurn() {
        let isInside = Notes<Bool>()
        let tracer = LinkTracer(PeripheralIdentity("ring"), on: time) { _ in }
        time.atNext(.now) { [time] in isInside.add(time.loop.isInside) }
        tracer.closes()
        #expect(isInside.all == [true])
    }

    /// Pending subscribers fail in order, each with its characteristic.
    @Test func pendingSubscribersLearnTheStaleCharacteristic() {
        let link = BLELink(PeripheralIdentity("ring"), on: time, features: [])
        link.open(driver)
        let errors = Notes<BLEError>()
        time.loop.run {
            for characteristic in [
                Sample.other, Sample.sending, Sample.writable, Sample.readable,
            ] {
                _ = link.client.subscribe(to: characteristic, nil) { result in
                    if case .failure(let error) = result { errors.add(error) }
                }
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
            _ = link.submitSubscription(to: characteristic) { result in
                if case .failure(let error) = result { errors.add(error) }
            }
        }
        let reason = DisconnectReason(.outOfReach, details: "words")
        link.receive(.disconnected(reason))
        #expect(
            errors.all
                == [Sample.other, Sample.sending].map {
                    BLEError(.disconnected, .subscribe, uuid: $0.uuid, disconnectReason: reason)
                })
    }
}
