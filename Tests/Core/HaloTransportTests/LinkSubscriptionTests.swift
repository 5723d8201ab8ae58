import HaloProtocol
import HaloTesting
import HaloTransport
import TestSupport
import Testing

/// Subscriptions on a device, and their subscribers.
@Suite(.passesTime) struct LinkSubscriptionTests {
    private let bluetooth = ScriptedBluetooth()
    private let notes = Notes<String>()
    private var driver: ScriptedDriver { bluetooth.driver }
    private let on = ScriptedDriver.Call.setNotify(true, Sample.sending.id)
    private let off = ScriptedDriver.Call.setNotify(false, Sample.sending.id)
    private let link: BLELink

    init() throws { link = try #require(bluetooth.link()) }

    @Test func valuesBeforeTheReplyAreKept() throws {
        let values = try bluetooth.run { [bluetooth] in
            async let subscribed = link.notifications(of: Sample.sending)
            await bluetooth.driver.asked()
            bluetooth.happen(.value(Sample.sending.id, [1]), .value(Sample.sending.id, [2]))
            bluetooth.driver.answer()
            let values = try await subscribed
            var iterator = values.makeAsyncIterator()
            return [try await iterator.next()?.value, try await iterator.next()?.value]
        }
        #expect(values == [[1], [2]])
    }

    @Test func laterSubscriberSharesTheSubscription() throws {
        let first = link.submitSubscription(to: Sample.sending, notes.ending("first"))
        let second = link.submitSubscription(to: Sample.sending, notes.ending("second"))
        #expect(notes.all == [])
        driver.answer()
        let third = link.submitSubscription(to: Sample.sending, notes.ending("third"))
        #expect(notes.all == ["first", "second", "third"])
        first.cancel()
        first.cancel()
        third.cancel()
        #expect(driver.calls == [on])
        second.cancel()
        #expect(driver.calls == [on, off])
    }

    @Test func cancellingBeforeTheReplySwitchesOff() throws {
        link.submitSubscription(to: Sample.sending, notes.ending("first")).cancel()
        #expect(driver.calls == [on, off])
        let second = link.submitSubscription(to: Sample.sending, notes.ending("second"))
        #expect(driver.calls == [on, off, on])
        driver.answer()
        #expect(notes.all == ["first: \(BLEError.Kind.cancelled)"])
        driver.answer()
        driver.answer()
        #expect(notes.all == ["first: \(BLEError.Kind.cancelled)", "second"])
        second.cancel()
        #expect(driver.calls == [on, off, on, off])
    }

    @Test func refusalFailsAllSubscribersAndTheNextRequestsAgain() throws {
        _ = link.submitSubscription(to: Sample.sending, notes.ending("first"))
        _ = link.submitSubscription(to: Sample.sending, notes.ending("second"))
        driver.answer(BLEError(.refused, .subscribe, attError: .insufficientEncryption))
        let refused = BLEError.Kind.refused
        #expect(notes.all == ["first: \(refused)", "second: \(refused)"])
        _ = link.submitSubscription(to: Sample.sending, notes.ending("third"))
        #expect(driver.calls == [on, on])
        driver.answer()
        #expect(notes.all.last == "third")
    }

    @Test func refusedSwitchingOffIsIgnored() throws {
        let first = link.submitSubscription(to: Sample.sending, notes.ending("first"))
        driver.answer()
        first.cancel()
        driver.answer(BLEError(.refused, .unsubscribe, attError: .unlikely))
        _ = link.submitSubscription(to: Sample.sending, notes.ending("second"))
        driver.answer()
        #expect(notes.all == ["first", "second"])
    }

    @Test func switchingOffHasNoLimit() throws {
        let subscription = link.submitSubscription(to: Sample.sending, notes.ending("first"))
        driver.answer()
        for _ in 0..<300 { link.submitRead(Sample.readable) { _ in } }
        subscription.cancel()
        #expect(driver.calls.last == off)
    }

    @Test func valuesGoToTheSubscribersOfTheirCharacteristic() throws {
        driver.answerAtOnce()
        let found = try bluetooth.run { [bluetooth] in
            let sending = try await link.notifications(of: Sample.sending)
            let other = try await link.notifications(of: Sample.other)
            bluetooth.happen(.value(Sample.other.id, [7]), .value(Sample.sending.id, [8]))
            bluetooth.happen(.value(AttributeID(77), [9]))
            bluetooth.happen(.disconnected(DisconnectReason(.local)))
            var found: [[[UInt8]]] = []
            for values in [sending, other] {
                var all: [[UInt8]] = []
                for try await notification in values { all.append(notification.value) }
                found.append(all)
            }
            return found
        }
        #expect(found == [[[8]], [[7]]])
    }

    @Test func droppingSequenceAndIteratorSwitchesOff() throws {
        driver.answerAtOnce()
        try bluetooth.run { [driver, on, off] in
            var values: Notifications? = try await link.notifications(of: Sample.sending)
            var iterator = values?.makeAsyncIterator()
            values = nil
            #expect(driver.calls == [on])
            #expect(iterator != nil)
            iterator = nil
            #expect(driver.calls == [on, off])
        }
    }

    @Test func changedServicesEndSubscriptions() throws {
        let kinds = try bluetooth.run { [bluetooth, driver] in
            async let subscribed = link.notifications(of: Sample.sending)
            await driver.asked()
            driver.answer()
            var values = try await subscribed.makeAsyncIterator()
            let pending = Notes<BLEError.Kind>()
            _ = link.submitSubscription(to: Sample.other) { result in
                if case .failure(let error) = result { pending.add(error.kind) }
            }
            bluetooth.happen(.value(Sample.sending.id, [1]), .servicesChanged)
            #expect(try await values.next()?.value == [1])
            do throws(BLEError) { _ = try await values.next() } catch { pending.add(error.kind) }
            return pending.all
        }
        #expect(kinds == [.noSuchAttribute, .noSuchAttribute])
        let again = link.submitSubscription(to: Sample.sending, notes.ending("again"))
        driver.answer()
        driver.answer()
        #expect(notes.all == ["again"])
        again.cancel()
    }
}
