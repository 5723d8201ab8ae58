#if os(Linux)
import BlueZVocabulary
import HaloDBus
import HaloTransport
import Testing

@testable import HaloBlueZ

/// A new link to a device whose old one the daemon was asked to end, and has not ended in time.
@Suite(.takesTurns) struct LinkPartingTests {
    @Test(arguments: [false, true])
    func aLinkThatIsAboutToEndIsNotTakenOver(_ isAnsweredFirst: Bool) {
        // The daemon takes longer than it is waited for, and then does it all the same.
        var link = LinkScript()
        link.establish()
        link.close()
        link.script.pass(BlueZSession.leaveTimeout)
        link.open()
        #expect(link.opened.all.count == 1 && link.state?.phase == .seeking)
        if isAnsweredFirst {
            // It is still there after the answer: then it does not end, and is as good as any.
            link.script.answer(Device1.disconnect)
            #expect(link.opened.all.map(\.?.kind) == [nil, nil])
            #expect(link.script.questions(Device1.connect).isEmpty)
        } else {
            link.loseLink()
            #expect(link.script.questions(Device1.connect).count == 1)
            link.script.answer(Device1.disconnect)
            link.setConnected(true)
            link.script.answer(Device1.connect)
            #expect(link.opened.all.map(\.?.kind) == [nil, nil])
        }
        #expect(link.script.session.links.parting.isEmpty)
        #expect(link.script.session.links.seeking.isEmpty)
    }

    @Test func aDaemonThatNeverAnswersDoesNotKeepADeviceFromEverybody() {
        var link = LinkScript()
        link.establish()
        link.close()
        link.script.pass(BlueZSession.leaveTimeout)
        link.open()
        link.script.answer(Device1.disconnect, .failure(DBusError(.timedOut)))
        #expect(link.opened.all.map(\.?.kind) == [nil, nil])
    }
}
#endif
