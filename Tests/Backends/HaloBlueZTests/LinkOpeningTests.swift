#if os(Linux)
import BlueZVocabulary
import HaloDBus
import HaloProtocol
import HaloTransport
import Testing

@testable import HaloBlueZ

/// Attempts to open a link, successful and failed.
@Suite struct LinkOpeningTests {
    @Test func aDeviceThatIsKnownIsConnectedTo() {
        var link = LinkScript()
        link.open()
        #expect(link.script.questions(Device1.connect).map(\.path) == [Tree.device])
        link.setConnected(true)
        #expect(link.opened.all.isEmpty)
        link.script.answer(Device1.connect)
        #expect(link.opened.all == [nil])
        #expect(link.state?.name == .open)
        #expect(link.script.session.discovery.holdCount == 0)
    }

    @Test func aDeviceThatIsNotKnownIsWaitedForWhileTheDaemonLooks() {
        var link = LinkScript(knowsDevice: false)
        link.open()
        #expect(link.script.questions(Device1.connect).isEmpty)
        #expect(link.script.session.discovery.searcherCount == 1)
        link.hear()
        #expect(link.script.questions(Device1.connect).count == 1)
        #expect(link.script.session.discovery.searcherCount == 1)
        link.setConnected(true)
        link.script.answer(Device1.connect)
        #expect(link.opened.all == [nil])
        #expect(link.script.session.discovery.searcherCount == 0)
    }

    @Test func aDeviceThatIsNeverHeardIsNotFound() {
        var link = LinkScript(knowsDevice: false)
        link.open()
        link.script.pass(LinkLimits.searchTimeout)
        #expect(link.opened.all.map(\.?.kind) == [.notFound])
        #expect(link.script.session.links.entries.isEmpty)
        #expect(link.script.session.discovery.holdCount == 0)
    }

    @Test func aDaemonThatDoesNotLookForTheDeviceIsNotWaitedFor() {
        var link = LinkScript(knowsDevice: false)
        link.open()
        link.script.answer(Adapter1.setDiscoveryFilter)
        link.script.refuse(Adapter1.startDiscovery, BlueZErrorName.failed, "no")
        #expect(link.opened.all.map(\.?.kind) == [.backend])
        #expect(link.opened.all.first??.details?.contains("no") == true)
        #expect(link.script.session.discovery.holdCount == 0)
        #expect(link.script.session.links.entries.isEmpty)
    }

    @Test func aLinkThatIsThereIsTakenOver() {
        var link = LinkScript()
        link.exportServices()
        link.setConnected(true)
        link.setResolved(true)
        link.open()
        #expect(link.opened.all == [nil])
        #expect(link.script.questions(Device1.connect).isEmpty)
        link.discover()
        #expect(link.found.count == 1)
    }

    @Test func aLinkThatIsThereIsRefusedIfTheOptionsSaySo() {
        var link = LinkScript(BlueZOptions(adoptsConnected: false))
        link.setConnected(true)
        link.open()
        #expect(link.opened.all.map(\.?.kind) == [.alreadyConnected])
        #expect(link.script.session.links.entries.isEmpty)
    }

    @Test func aSecondLinkIsRefused() {
        var link = LinkScript()
        link.establish()
        link.open()
        #expect(link.opened.all.map(\.?.kind) == [nil, .alreadyConnected])
        #expect(link.script.session.links.entries.count == 1)
    }

    @Test func aNewLinkWaitsForTheEndOfTheOldOne() {
        var link = LinkScript()
        link.establish()
        link.close()
        link.open()
        #expect(link.state?.name == .waiting)
        link.loseLink()
        #expect(link.events.all.last == .disconnected(DisconnectReason(.local)))
        #expect(link.script.questions(Device1.connect).count == 1)
    }

    /// While one link ends and another waits for that, a third one is refused: every time, and in
    /// any order of links.
    @Test func aThirdLinkIsRefused() {
        for _ in 0..<20 {
            var link = LinkScript()
            link.establish()
            link.close()
            link.open()
            link.open()
            #expect(link.opened.all.map(\.?.kind) == [nil, .alreadyConnected])
            link.loseLink()
            #expect(link.script.questions(Device1.connect).count == 1)
        }
    }

    @Test(arguments: [BlueZErrorText.keyMissing, BlueZErrorText.keyMissingLE])
    func aLostBondFailsAtOnce(_ text: String) throws {
        var link = LinkScript()
        link.open()
        link.script.refuse(Device1.connect, BlueZErrorName.failed, text)
        let error = try #require(link.opened.all.first ?? nil)
        #expect(error.kind == .bondLost && !error.isTransient)
        let sentence = "connecting failed: the device has forgotten the bond with this computer"
        #expect(error.description.hasPrefix(sentence))
        #expect(error.description.contains("bluetoothctl remove \(Tree.address)"))
        #expect(link.script.session.links.entries.isEmpty)
    }

    @Test func anAdapterThatIsOffFailsTheAttempt() {
        var link = LinkScript()
        link.script.say(
            Tree.changed(
                Tree.hci0, Adapter1.interfaceName, [Adapter1.powered: .boolean(false)]))
        link.open()
        #expect(link.opened.all.map(\.?.kind) == [.bluetoothOff])
    }

    @Test func anAdapterThatIsSwitchedOffEndsTheAttempt() {
        // Connect is never answered then (testbed).
        var link = LinkScript()
        link.open()
        link.script.say(
            Tree.changed(
                Tree.hci0, Adapter1.interfaceName, [Adapter1.powered: .boolean(false)]))
        #expect(link.opened.all.map(\.?.kind) == [.bluetoothOff])
        #expect(link.script.session.links.entries.isEmpty)
    }

    @Test func aDaemonThatLeavesEndsTheAttempt() {
        var link = LinkScript()
        link.open()
        link.script.own(nil)
        #expect(link.opened.all.map(\.?.kind) == [.backend])
        #expect(link.script.session.links.entries.isEmpty)
    }

    @Test func anAbortedLinkIsTriedAgainWhenItIsGone() {
        var link = LinkScript()
        link.open()
        for attempt in 1...3 {
            link.setConnected(true)
            link.script.refuse(
                Device1.connect, BlueZErrorName.failed, BlueZErrorText.abortedByLocal)
            link.setConnected(false)
            #expect(link.script.questions(Device1.connect).isEmpty)
            link.script.pass(LinkLimits.firstBackoff * (1 << (attempt - 1)))
            #expect(link.script.questions(Device1.connect).count == 1, "\(attempt)")
        }
        link.script.refuse(Device1.connect, BlueZErrorName.failed, BlueZErrorText.abortedByLocal)
        let error = link.opened.all.last ?? nil
        #expect(error?.kind == .backend)
        #expect(error?.details?.contains("interference") == true)
        #expect(link.script.session.links.entries.isEmpty)
    }

    /// An event that ends an attempt while it waits for the next try.
    enum EndOfWait: CaseIterable, Sendable {
        case cancelled, adapterOff, adapterRemoved, daemonGone

        var kind: BLEError.Kind {
            switch self {
            case .cancelled: .cancelled
            case .adapterOff: .bluetoothOff
            case .adapterRemoved: .unsupported
            case .daemonGone: .backend
            }
        }
    }

    @Test(arguments: EndOfWait.allCases)
    func anAttemptThatEndsWhileTheNextIsWaitedForIsNotMadeAgain(_ end: EndOfWait) {
        var link = LinkScript()
        link.open()
        link.script.refuse(Device1.connect, BlueZErrorName.failed, BlueZErrorText.abortedByLocal)
        link.script.pass(LinkLimits.firstBackoff / 2)
        switch end {
        case .cancelled: link.cancel()
        case .adapterOff:
            link.script.say(
                Tree.changed(
                    Tree.hci0, Adapter1.interfaceName, [Adapter1.powered: .boolean(false)]))
        case .adapterRemoved:
            link.script.say(Tree.removed(Tree.hci0, [Adapter1.interfaceName]))
        case .daemonGone: link.script.own(nil)
        }
        #expect(link.opened.all.map(\.?.kind) == [end.kind])
        // Only after a cancelled attempt is there something to be waited for: its end.
        #expect((link.script.session.nextTimer == nil) == (end != .cancelled))
        link.script.answer(Device1.disconnect)
        link.script.passAll()
        link.script.answer(DBusProperties.get, [.variant(.boolean(false))])
        link.script.passAll()
        #expect(link.script.members.filter { $0 == Device1.connect }.count == 1)
        #expect(link.opened.count == 1)
        #expect(link.script.session.links.entries.isEmpty)
        #expect(link.script.session.nextTimer == nil)
    }

    @Test func aDeviceThatIsNotThereIsNotTriedAgain() {
        var link = LinkScript()
        link.open()
        link.script.pass(.milliseconds(40_460))
        link.script.refuse(Device1.connect, BlueZErrorName.failed, BlueZErrorText.abortedByLocal)
        #expect(link.opened.all.map(\.?.kind) == [.timedOut])
    }

    @Test(arguments: [
        (BlueZErrorName.failed, BlueZErrorText.inputOutput, BLEError.Kind.backend),
        (BlueZErrorName.notReady, BlueZErrorText.notReady, .bluetoothOff),
        (DBusErrorName.accessDenied, "no", .unauthorized),
        (BlueZErrorName.failed, "what nobody has heard of", .backend),
    ])
    func errorsHaveKinds(_ name: String, _ text: String, _ kind: BLEError.Kind) {
        var link = LinkScript()
        link.open()
        link.script.refuse(Device1.connect, name, text)
        #expect(link.opened.all.map(\.?.kind) == [kind])
        #expect(link.script.session.links.entries.isEmpty)
    }

    @Test func anotherProgramsAttemptIsAwaited() {
        var link = LinkScript()
        link.open()
        link.script.refuse(
            Device1.connect, BlueZErrorName.failed, BlueZErrorText.alreadyInProgress)
        #expect(link.opened.all.isEmpty)
        link.setConnected(true)
        #expect(link.opened.all == [nil])
    }

    @Test func aDeviceThatTheDaemonForgotIsHeardAgain() {
        var link = LinkScript()
        link.open()
        link.script.say(Tree.removed(Tree.device, [Device1.interfaceName]))
        link.script.refuse(Device1.connect, DBusErrorName.unknownObject)
        link.script.pass(LinkLimits.firstBackoff)
        #expect(link.opened.all.isEmpty)
        #expect(link.script.session.discovery.holdCount == 1)
        #expect(link.script.session.discovery.searcherCount == 1)
        link.hear()
        link.setConnected(true)
        link.script.answer(Device1.connect)
        #expect(link.opened.all == [nil])
    }

    @Test func aConnectWithoutAReplySucceedsWithTheLink() {
        var link = LinkScript()
        link.open()
        link.setConnected(true)
        link.script.pass(LinkLimits.lateAnswer)
        #expect(link.opened.all == [nil])
    }

    @Test func aConnectThatIsNeverAnsweredIsEnded() {
        var link = LinkScript()
        link.open()
        link.script.answer(Device1.connect, .failure(DBusError(.timedOut)))
        #expect(link.opened.all.map(\.?.kind) == [.timedOut])
        #expect(link.script.questions(Device1.disconnect).count == 1)
        link.script.answer(Device1.disconnect)
        link.script.pass(LinkLimits.strayTimeout)
        link.script.answer(DBusProperties.get, [.variant(.boolean(false))])
        #expect(link.script.session.links.entries.isEmpty)
    }

    @Test func cancellingEndsTheDaemonsAttempt() {
        var link = LinkScript()
        link.open()
        link.cancel()
        #expect(link.opened.all.map(\.?.kind) == [.cancelled])
        #expect(link.script.questions(Device1.disconnect).count == 1)
        link.script.refuse(
            Device1.connect, BlueZErrorName.failed, BlueZErrorText.connectionCancelled)
        link.script.pass(LinkLimits.strayTimeout)
        link.script.answer(DBusProperties.get, [.variant(.boolean(false))])
        #expect(link.state == nil)
        #expect(link.events.all.isEmpty)
    }

    @Test func aLinkThatComesAfterItsCancellationIsEnded() {
        var link = LinkScript()
        link.open()
        link.cancel()
        link.script.answer(Device1.disconnect)
        link.script.refuse(
            Device1.connect, BlueZErrorName.failed, BlueZErrorText.connectionCancelled)
        #expect(link.script.questions(Device1.disconnect).isEmpty)
        link.setConnected(true)
        #expect(link.script.questions(Device1.disconnect).count == 1)
        link.setConnected(false)
        #expect(link.state == nil)
        #expect(link.events.all.isEmpty)
    }

    @Test(arguments: [false, true])
    func aLinkThatIsHeardOfTooLateIsEnded(_ isTold: Bool) {
        var link = LinkScript()
        link.open()
        link.cancel()
        link.script.answer(Device1.disconnect)
        link.script.refuse(
            Device1.connect, BlueZErrorName.failed, BlueZErrorText.connectionCancelled)
        link.script.pass(LinkLimits.strayTimeout)
        if isTold { link.setConnected(true) }
        link.script.answer(DBusProperties.get, [.variant(.boolean(true))])
        #expect(link.script.questions(Device1.disconnect).count == 1)
        link.setConnected(false)
        #expect(link.state == nil)
    }

    @Test func aLinkThatComesWhenNobodyWantsItIsEnded() {
        var link = LinkScript()
        link.open()
        link.cancel()
        link.script.answer(Device1.disconnect)
        link.setConnected(true)
        link.script.answer(Device1.connect)
        #expect(!link.script.questions(Device1.disconnect).isEmpty)
        link.setConnected(false)
        #expect(link.state == nil)
        #expect(link.events.all.isEmpty)
    }

    @Test func aLinkThatComesMuchTooLateIsEndedToo() {
        var link = LinkScript()
        link.open()
        link.cancel()
        link.script.pass(LinkLimits.disconnectTimeout)
        #expect(link.script.session.links.entries.isEmpty)
        link.setConnected(true)
        link.script.answer(Device1.disconnect)
        link.script.answer(Device1.connect)
        #expect(link.script.questions(Device1.disconnect).count == 1)
    }

    @Test func cancellingBeforeTheDeviceIsHeardAsksForNothing() {
        var link = LinkScript(knowsDevice: false)
        link.open()
        link.cancel()
        #expect(link.opened.all.map(\.?.kind) == [.cancelled])
        #expect(link.script.questions(Device1.disconnect).isEmpty)
        #expect(link.script.session.links.entries.isEmpty)
        link.hear()
        #expect(link.script.questions(Device1.connect).isEmpty)
    }
}
#endif
