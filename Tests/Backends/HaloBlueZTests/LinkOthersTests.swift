#if os(Linux)
import BlueZVocabulary
import HaloDBus
import HaloTransport
import Testing

@testable import HaloBlueZ

/// Another program connects the same device: its connection is not ended.
@Suite struct LinkOthersTests {
    /// An attempt that waits for the result of another program's attempt.
    private func waiting(_ options: BlueZOptions = BlueZOptions()) -> LinkScript {
        var link = LinkScript(options)
        link.open()
        link.script.refuse(
            Device1.connect, BlueZErrorName.inProgress, BlueZErrorText.inProgress)
        #expect(link.opened.all.isEmpty)
        return link
    }

    @Test func cancellingKeepsAnotherProgramsLink() {
        var link = waiting()
        link.cancel()
        #expect(link.opened.all.map(\.?.kind) == [.cancelled])
        #expect(link.script.questions(Device1.disconnect).isEmpty)
        #expect(link.state == nil)
    }

    @Test func cancellingEndsOurLink() {
        var link = waiting()
        link.script.pass(LinkLimits.othersBackoff)
        #expect(link.script.questions(Device1.connect).count == 1)
        link.cancel()
        #expect(link.script.questions(Device1.disconnect).count == 1)
    }

    @Test(arguments: [false, true])
    func anotherProgramsLinkIsAdoptedIfTheOptionsAllowIt(_ adopts: Bool) {
        var link = waiting(BlueZOptions(adoptsConnected: adopts))
        link.setConnected(true)
        #expect(link.opened.all.map(\.?.kind) == [adopts ? nil : .alreadyConnected])
        link.close()
        #expect(link.script.questions(Device1.disconnect).count == (adopts ? 1 : 0))
    }

    @Test func aLinkAfterTheOthersFailureIsOurs() {
        var link = waiting(BlueZOptions(adoptsConnected: false))
        link.script.pass(LinkLimits.othersBackoff)
        link.script.answer(Device1.connect)
        link.setConnected(true)
        #expect(link.opened.all == [nil])
    }
}
#endif
