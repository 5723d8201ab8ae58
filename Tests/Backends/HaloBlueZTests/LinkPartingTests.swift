#if os(Linux)
import BlueZVocabulary
import HaloDBus
import HaloTransport
import Testing

@testable import HaloBlueZ

/// A new link to a device whose old link the daemon has not ended in time.
@Suite struct LinkPartingTests {
    /// A link whose end has taken longer than its timeout, and a request for a new one.
    private func parting() -> LinkScript {
        var link = LinkScript()
        link.establish()
        link.close()
        link.script.pass(LinkLimits.disconnectTimeout)
        link.open()
        #expect(link.opened.all.count == 1 && link.state?.name == .searching)
        return link
    }

    @Test(arguments: [false, true])
    func aLinkThatIsAboutToEndIsNotTakenOver(_ isAnsweredFirst: Bool) {
        var link = parting()
        // 5.66 answers first, 5.79 says first that the link has ended.
        if isAnsweredFirst { link.script.answer(Device1.disconnect) }
        #expect(link.opened.all.count == 1)
        link.loseLink()
        #expect(link.script.questions(Device1.connect).count == 1)
        if !isAnsweredFirst { link.script.answer(Device1.disconnect) }
        link.setConnected(true)
        link.script.answer(Device1.connect)
        #expect(link.opened.all.map(\.?.kind) == [nil, nil])
        link.script.passAll()
        #expect(link.script.session.links.disconnecting.isEmpty)
        #expect(link.script.session.links.listening.isEmpty)
        #expect(link.state?.name == .open)
    }

    @Test func aLinkThatDoesNotEndCanBeAdopted() {
        var link = parting()
        link.script.answer(Device1.disconnect)
        link.script.pass(LinkLimits.lateLink)
        #expect(link.opened.all.map(\.?.kind) == [nil, nil])
        #expect(link.script.questions(Device1.connect).isEmpty)
    }

    @Test func aDeviceThatIsForgottenMeanwhileIsHeardAnew() {
        var link = parting()
        link.script.say(Tree.removed(Tree.device, [Device1.interfaceName]))
        #expect(link.script.session.links.disconnecting.isEmpty)
        #expect(link.script.session.discovery.searcherCount == 1)
        link.hear()
        #expect(link.script.questions(Device1.connect).count == 1)
    }

    @Test func aDaemonThatNeverAnswersDoesNotKeepADeviceFromEverybody() {
        var link = parting()
        link.script.answer(Device1.disconnect, .failure(DBusError(.timedOut)))
        #expect(link.opened.all.map(\.?.kind) == [nil, nil])
    }
}
#endif
