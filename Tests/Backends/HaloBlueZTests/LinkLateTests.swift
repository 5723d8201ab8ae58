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
