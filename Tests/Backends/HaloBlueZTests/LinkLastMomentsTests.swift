#if os(Linux)
import BlueZVocabulary
import HaloDBus
import HaloProtocol
import HaloTransport
import Testing

@testable import HaloBlueZ

/// Events on a link that has ended, or that the app has closed.
@Suite struct LinkLastMomentsTests {
    private func established() -> LinkScript {
        var link = LinkScript()
        link.establish()
        return link
    }

    private func ends(_ link: LinkScript) -> [DisconnectReason] {
        link.events.all.compactMap { event in
            if case .disconnected(let reason) = event { reason } else { nil }
        }
    }

    /// The daemon would continue the subscription on the next link: it is ended, also during an
    /// operation.
    @Test(arguments: [true, false])
    func subscriptionsEndWithALinkThatIsTakenAway(_ isReading: Bool) {
        var link = established()
        _ = link.subscribe(GATTTree.beat)
        if isReading { _ = link.read(link.attribute(GATTTree.text)) }
        link.script.say(Tree.removed(Tree.device, [Device1.interfaceName]))
        #expect(link.script.questions(GattCharacteristic1.stopNotify).count == 1)
        #expect(ends(link).map(\.kind) == [.remote])
    }

    /// Services that become known after the end of the link are dropped.
    @Test func discoveryFailsAfterTheEnd() {
        var link = LinkScript()
        link.open()
        link.setConnected(true)
        link.script.answer(Device1.connect)
        link.setResolved(true)
        link.exportServices()
        link.discover()
        link.script.pass(LinkLimits.quietTime - .milliseconds(1))
        link.setConnected(false)
        link.script.pass(.milliseconds(1))
        #expect(link.found.count == 0)
        link.script.pass(LinkLimits.reasonTimeout)
        #expect(link.found.all.map { $0.failure?.kind } == [.disconnected])
    }

    /// No timeout of service discovery is reported after the end of the link.
    @Test func noTimeoutComesAfterTheEnd() {
        var link = LinkScript()
        link.open()
        link.setConnected(true)
        link.script.answer(Device1.connect)
        link.discover()
        link.script.pass(LinkLimits.resolutionTimeout - .milliseconds(1))
        link.setConnected(false)
        link.script.pass(.seconds(1))
        #expect(link.found.all.map { $0.failure?.kind } == [.disconnected])
    }

    /// A link that has ended is not disconnected again.
    @Test func anAnswerThatNeverCameAsksForNothingAfterTheEnd() {
        var link = established()
        let read = link.read(link.attribute(GATTTree.text))
        link.loseLink()
        link.script.answer(GattCharacteristic1.readValue, .failure(DBusError(.timedOut)))
        #expect(link.script.questions(Device1.disconnect).isEmpty)
        link.script.pass(LinkLimits.reasonTimeout)
        #expect(ends(link).map(\.kind) == [.noResponse])
        #expect(read.all.map { $0.failure?.reason?.kind } == [.noResponse])
    }

    /// A link that is being closed is not disconnected again.
    @Test func anAnswerThatNeverCameAsksForNothingWhileTheLinkIsClosed() {
        var link = established()
        _ = link.read(link.attribute(GATTTree.text))
        link.close()
        link.script.answer(GattCharacteristic1.readValue, .failure(DBusError(.timedOut)))
        #expect(link.script.questions(Device1.disconnect).count == 1)
        link.loseLink()
        #expect(ends(link) == [DisconnectReason(.local)])
    }
}
#endif
