#if os(Linux)
import BlueZVocabulary
import HaloDBus
import HaloTransport
import Testing

@testable import HaloBlueZ

/// Another program connects the same device: what it does is not ours to end.
@Suite struct LinkOthersTests {
    /// An attempt that waits for what comes of another program's.
    private func waiting(_ options: BlueZOptions = BlueZOptions()) -> LinkScript {
        var link = LinkScript(options)
        link.open()
        link.script.refuse(
            Device1.connect, BlueZErrorName.inProgress, BlueZErrorText.inProgress)
        #expect(link.opened.all.isEmpty)
        return link
    }

    @Test func callingOffEndsNothingOfTheirs() {
        var link = waiting()
        link.cancel()
        #expect(link.opened.all.map(\.?.kind) == [.cancelled])
        #expect(link.script.questions(Device1.disconnect).isEmpty)
        #expect(link.state == nil)
    }

    @Test func callingOffEndsWhatIsOurs() {
        var link = waiting()
        link.script.pass(LinkLimits.othersPause)
        #expect(link.script.questions(Device1.connect).count == 1)
        link.cancel()
        #expect(link.script.questions(Device1.disconnect).count == 1)
    }

    @Test(arguments: [false, true])
    func theirLinkIsTakenOverIfTheOptionsSaySo(_ adopts: Bool) {
        var link = waiting(BlueZOptions(adoptsConnected: adopts))
        link.setConnected(true)
        #expect(link.opened.all.map(\.?.kind) == [adopts ? nil : .alreadyConnected])
        link.close()
        #expect(link.script.questions(Device1.disconnect).count == (adopts ? 1 : 0))
    }

    @Test func aLinkAfterTheyHaveGivenUpIsOurs() {
        var link = waiting(BlueZOptions(adoptsConnected: false))
        link.script.pass(LinkLimits.othersPause)
        link.script.answer(Device1.connect)
        link.setConnected(true)
        #expect(link.opened.all == [nil])
    }
}
#endif
