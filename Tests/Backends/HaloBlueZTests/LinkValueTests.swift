#if os(Linux)
import BlueZVocabulary
import HaloDBus
import HaloProtocol
import HaloTransport
import Testing

@testable import HaloBlueZ

/// Notifications of a device, as signals.
@Suite struct LinkValueTests {
    private func established() -> LinkScript {
        var link = LinkScript()
        link.establish()
        return link
    }

    private func values(_ link: LinkScript) -> [[UInt8]] {
        link.events.all.compactMap { if case .value(_, let value) = $0 { value } else { nil } }
    }

    @Test func aValueBeforeTheAnswerIsNotLost() {
        // bleak#374.
        var link = established()
        let heard = link.notify(true, link.attribute(GATTTree.beat))
        link.value([0], of: GATTTree.beat)
        #expect(values(link) == [[0]])
        #expect(heard.all.isEmpty)
        link.script.answer(GattCharacteristic1.startNotify)
        #expect(heard.all == [nil])
    }

    @Test func valuesThatComeAtOnceStayInTheirOrder() {
        // Among other values, and until the end of the link: later ones are dropped.
        var link = established()
        for characteristic in [GATTTree.beat, GATTTree.text] {
            _ = link.notify(true, link.attribute(characteristic))
            link.script.answer(GattCharacteristic1.startNotify)
        }
        let away = Tree.changed(
            Tree.device, Device1.interfaceName, [Device1.connected: .boolean(false)])
        link.script.say([
            LinkScript.told([1], of: GATTTree.beat), LinkScript.told([2], of: GATTTree.beat),
            LinkScript.told([3], of: GATTTree.text), LinkScript.told([4], of: GATTTree.beat),
            away, LinkScript.told([5], of: GATTTree.beat),
        ])
        link.script.say([LinkScript.told([6], of: GATTTree.beat)])
        #expect(values(link).starts(with: [[1], [2], [3], [4]]))
    }

    /// The daemon signals a value once for each subscriber; the option decides whether the second
    /// is dropped.
    @Test(arguments: [
        (nil, [1, 1, 2, 1, 1, 1]), (Duration.zero, [1, 2, 1, 1, 1]),
        (.milliseconds(10), [1, 2, 1, 1]),
    ])
    func equalValuesAreLeftOutOnRequest(_ time: Duration?, _ expected: [UInt8]) {
        var link = LinkScript(BlueZOptions(dropsEqualValuesWithin: time))
        link.establish()
        _ = link.subscribe(GATTTree.beat)
        for value in [1, 1, 2, 1] as [UInt8] { link.value([value], of: GATTTree.beat) }
        link.script.pass(.milliseconds(10))
        link.value([1], of: GATTTree.beat)
        link.script.pass(.milliseconds(11))
        link.value([1], of: GATTTree.beat)
        #expect(values(link) == expected.map { [$0] })
    }

    /// The time begins with a delivered value: a device that sends one value for ever is heard.
    @Test func anEqualValueIsDeliveredWhenTheTimeIsOver() {
        var link = LinkScript(BlueZOptions(dropsEqualValuesWithin: .milliseconds(10)))
        link.establish()
        _ = link.subscribe(GATTTree.beat)
        for _ in 0..<6 {
            link.value([1], of: GATTTree.beat)
            link.script.pass(.milliseconds(6))
        }
        #expect(values(link) == [[1], [1], [1]])  // at 0, 12 and 24 ms
    }

    @Test func valuesWithoutASubscriberAreDropped() {
        // The daemon goes on with what an earlier link, or another program, subscribed to.
        var link = established()
        link.value([1], of: GATTTree.beat)
        #expect(values(link).isEmpty)
    }

    @Test func aSubscriptionOfAnEarlierLinkCounts() {
        var link = established()
        let heard = link.notify(true, link.attribute(GATTTree.beat))
        link.script.refuse(
            GattCharacteristic1.startNotify, BlueZErrorName.inProgress, BlueZErrorText.inProgress)
        #expect(heard.all == [nil])
        link.value([1], of: GATTTree.beat)
        #expect(values(link) == [[1]])
    }

    @Test func aRefusedSubscriptionDeliversNoValues() {
        var link = established()
        let heard = link.notify(true, link.attribute(GATTTree.beat))
        link.script.refuse(
            GattCharacteristic1.startNotify, BlueZErrorName.failed, BlueZErrorText.att(0x81))
        #expect(heard.all.map(\.?.attError) == [ATTError(code: 0x81)])
        link.value([1], of: GATTTree.beat)
        #expect(values(link).isEmpty)
    }

    @Test func switchingOffEndsItAndNothingToSwitchOffIsFine() {
        var link = established()
        let beat = link.subscribe(GATTTree.beat)
        let heard = link.notify(false, beat)
        link.script.refuse(
            GattCharacteristic1.stopNotify, BlueZErrorName.failed, BlueZErrorText.noNotifySession)
        #expect(heard.all == [nil])
        link.value([1], of: GATTTree.beat)
        #expect(values(link).isEmpty)
        #expect(link.notify(false, beat).all == [nil])
        #expect(link.script.asked.isEmpty)
    }

    @Test func aReadValueIsNoNotification() throws {
        // bleak, bluer: the daemon signals it just before the reply.
        var link = established()
        let beat = link.subscribe(GATTTree.beat)
        let read = link.read(beat)
        link.value([1], of: GATTTree.beat)
        link.value([2], of: GATTTree.beat)
        #expect(values(link).isEmpty)
        link.script.answer(GattCharacteristic1.readValue, [.bytes([2])])
        #expect(values(link) == [[1]])
        #expect(try read.all.map { try $0.get() } == [[2]])
        link.value([2], of: GATTTree.beat)
        #expect(values(link) == [[1], [2]])
    }

    @Test func heldValuesAreDeliveredAfterAnyRead() {
        var link = established()
        let beat = link.subscribe(GATTTree.beat)
        _ = link.read(beat)
        link.value([1], of: GATTTree.beat)
        link.loseLink()
        link.script.pass(LinkLimits.reasonTimeout)
        #expect(
            link.events.all.suffix(2) == [
                .value(beat, [1]), .disconnected(DisconnectReason(.remote)),
            ])
    }

    /// Held values are bounded: beyond 64, the oldest one is delivered.
    @Test func heldValuesAreBounded() {
        var link = established()
        let beat = link.subscribe(GATTTree.beat)
        _ = link.read(beat)
        for number in 1...64 { link.value([UInt8(number)], of: GATTTree.beat) }
        #expect(values(link) == [])
        link.value([65], of: GATTTree.beat)
        link.value([66], of: GATTTree.beat)
        #expect(values(link) == [[1], [2]])
        link.script.answer(GattCharacteristic1.readValue, [.bytes([66])])
        #expect(values(link) == (1...65).map { [$0] })
    }

    @Test func aValueLongerThanAPacketIsDelivered() {
        // bluez#576.
        var link = established()
        _ = link.subscribe(GATTTree.beat)
        let value = [UInt8](repeating: 5, count: 600)
        link.value(value, of: GATTTree.beat)
        #expect(values(link) == [value])
    }

    @Test func tooManyQueuedValuesEndTheConnection() throws {
        var link = established()
        let beat = link.subscribe(GATTTree.beat)
        let connection = try #require(link.script.opened.last)
        let batch = DBusPropertyValues(
            Array(repeating: [], count: 1 << 12), of: GattCharacteristic1.value,
            GattCharacteristic1.interfaceName, at: GATTTree.beat.path)
        let (limit, count) = (BlueZSession.maximumEffects, batch.values.count)
        for _ in 0..<limit / count + 2 {
            link.script.session.received(batch, from: connection)
        }
        #expect(link.script.session.effectCount < limit + 2 * count)
        #expect(link.script.closed.isEmpty)
        link.script.change { _ in }
        #expect(link.script.closed == link.script.opened)
        #expect(link.events.all.contains(.value(beat, [])))
    }

    @Test func leftSubscriptionsEndAfterTheLink() {
        var link = established()
        _ = link.subscribe(GATTTree.beat)
        link.loseLink()
        link.script.pass(LinkLimits.reasonTimeout)
        #expect(
            link.script.questions(GattCharacteristic1.stopNotify).map(\.path)
                == [GATTTree.beat.path])
        link.script.answer(GattCharacteristic1.stopNotify)
        // The next link gets no value without a subscription.
        link.open()
        link.setConnected(true)
        link.script.answer(Device1.connect)
        link.setResolved(true)
        link.value([1], of: GATTTree.beat)
        #expect(values(link).isEmpty)
    }
}
#endif
