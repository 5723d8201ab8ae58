#if os(Linux)
import BlueZVocabulary
import HaloDBus
import HaloProtocol
import HaloTransport
import Testing

@testable import HaloBlueZ

/// Late events, and state that must not stay too long.
@Suite struct LinkLateTests {
    @Test func anotherProgramsAttemptHasATimeout() {
        var link = LinkScript()
        link.open()
        let began = link.script.session.now
        while link.script.refuse(
            Device1.connect, BlueZErrorName.inProgress, BlueZErrorText.inProgress),
            link.script.session.now.duration(since: began) < LinkLimits.connectTimeout * 2
        {
            link.script.pass(LinkLimits.othersBackoff)
        }
        #expect(link.opened.all.map(\.?.kind) == [.backend])
        let limit = LinkLimits.connectTimeout + LinkLimits.othersBackoff
        #expect(link.script.session.now.duration(since: began) <= limit)
        #expect(link.script.session.links.entries.isEmpty)
    }

    @Test func theAnswerToAnEarlierAttemptIsNotThatToTheNext() {
        var link = LinkScript()
        link.open()
        // The device is forgotten and heard again, while the first Connect is not answered.
        link.script.say(Tree.removed(Tree.device, [Device1.interfaceName]))
        link.script.pass(LinkLimits.firstBackoff)
        link.hear()
        #expect(link.script.questions(Device1.connect).count == 2)
        link.script.refuse(Device1.connect, BlueZErrorName.notReady)
        #expect(link.opened.all.isEmpty)
        #expect(link.state?.isAsking == true)
        link.setConnected(true)
        link.script.answer(Device1.connect)
        #expect(link.opened.all == [nil])
    }

    @Test func aFoundDeviceIsNotReportedAsMissingLater() {
        var link = LinkScript(knowsDevice: false)
        link.open()
        link.script.answer(Adapter1.setDiscoveryFilter)
        link.script.answer(Adapter1.startDiscovery)
        link.script.pass(LinkLimits.searchTimeout - .seconds(1))
        // That it is not connected the daemon need not say.
        var properties = Tree.deviceProperties
        properties[Device1.connected] = nil
        link.hear(properties)
        link.script.pass(.seconds(2))
        #expect(link.opened.all.isEmpty)
        link.setConnected(true)
        link.script.answer(Device1.connect)
        #expect(link.opened.all == [nil])
    }

    @Test func servicesOfAnAttemptThatFailedAreNotThoseOfTheNext() {
        var link = LinkScript()
        link.open()
        link.setConnected(true)
        link.exportServices()
        link.setResolved(true)
        link.script.refuse(Device1.connect, BlueZErrorName.failed, BlueZErrorText.abortedByLocal)
        link.setConnected(false)
        link.script.pass(LinkLimits.firstBackoff)
        link.setConnected(true)
        link.script.answer(Device1.connect)
        link.discover()
        #expect(link.opened.all == [nil])
        #expect(link.found.all.isEmpty, "the daemon has not said it of this link")
        link.setResolved(false)
        link.setResolved(true)
        #expect(link.found.count == 1)
    }

    /// The daemon is asked twice to disconnect: only the second reply is the end of the link.
    @Test func aLinkThatIsAboutToEndIsNotTakenOver() {
        var link = LinkScript()
        link.open()
        link.cancel()
        link.setConnected(true)
        #expect(link.script.questions(Device1.disconnect).count == 2)
        link.script.refuse(Device1.disconnect, BlueZErrorName.failed)
        link.open()
        link.script.pass(LinkLimits.disconnectTimeout)
        #expect(link.opened.all.map(\.?.kind) == [.cancelled], "the next one waits")
        link.setConnected(false)
        #expect(link.script.questions(Device1.connect).count == 2)
    }

    @Test func theReasonThatIsKnownFirstStays() {
        var link = LinkScript()
        link.establish()
        link.close()
        link.script.say(
            DBusSignal(
                Device1.disconnected, of: Device1.interfaceName, at: Tree.device,
                [.string(BlueZReason.timeout), .string("")]))
        link.loseLink()
        #expect(link.events.all.last == .disconnected(DisconnectReason(.local)))
    }

    /// A write that waited for room in a socket has no timeout once the socket has accepted it.
    @Test func aWriteThatASocketHasTakenDoesNotEndTheLinkLater() throws {
        var link = LinkScript(BlueZOptions(acquiresWrites: true))
        link.establish()
        let sink = link.attribute(GATTTree.sink)
        for _ in 0..<LinkLimits.commandsBeforeSocket {
            _ = link.write([1], to: sink, .withoutResponse)
            link.script.answer(GattCharacteristic1.writeValue)
        }
        let heard = link.write([2], to: sink, .withoutResponse)
        link.script.answer(GattCharacteristic1.acquireWrite, [.unixFD(0), .uint16(185)])
        let offer = try #require(link.offers.all.last)
        link.script.change { $0.socketMade(SocketDouble(), offer.number, on: offer.link) }
        for update in link.updates.all { link.script.change(update) }
        #expect(heard.all == [nil])
        link.script.passAll(LinkLimits.operationTimeout * 2)
        #expect(link.state?.name == .open)
        #expect(link.script.session.nextTimer == nil)
    }

    /// The end of one socket says nothing about the content of another.
    @Test func theEndWaitsForTheLastSocket() throws {
        var link = LinkScript(BlueZOptions(notifyMode: .sockets))
        let second = GATTTree.Characteristic(
            path: Tree.path(GATTTree.service.text + "/char0020"), uuid: BluetoothUUID(0xFFF4),
            flags: ["notify"])
        link.open()
        link.setConnected(true)
        link.script.answer(Device1.connect)
        link.exportServices()
        link.script.say(second.added(mtu: 517))
        link.setResolved(true)
        link.discover()
        for characteristic in [GATTTree.beat, second] {
            _ = link.notify(true, link.attribute(characteristic))
            link.script.answer(GattCharacteristic1.acquireNotify, [.unixFD(0), .uint16(185)])
            let offer = try #require(link.offers.all.last)
            link.script.change { $0.socketMade(SocketDouble(), offer.number, on: offer.link) }
        }
        let (one, other) = (link.offers.all[0], link.offers.all[1])
        link.loseLink()
        link.script.change { $0.socketEnded(one.number, on: one.link) }
        link.script.pass(LinkLimits.reasonTimeout * 2)
        link.script.change { $0.socketReceived([[9]], other.number, on: other.link) }
        link.script.change { $0.socketEnded(other.number, on: other.link) }
        link.script.pass(LinkLimits.reasonTimeout)
        #expect(
            link.events.all.suffix(2) == [
                .value(link.attribute(second), [9]), .disconnected(DisconnectReason(.remote)),
            ])
    }

    @Test func aRestartedDaemonGetsTheAgentAgain() {
        var link = LinkScript(BlueZOptions(pairing: BlueZPairing()))
        link.open()
        link.script.answer(AgentManager1.registerAgent)
        link.script.own(nil)
        link.script.own(":1.99")
        link.script.answer(DBusObjectManager.getManagedObjects, [Tree.usual])
        link.hear()
        link.open()
        #expect(link.script.members.filter { $0 == AgentManager1.registerAgent }.count == 2)
    }
}
#endif
