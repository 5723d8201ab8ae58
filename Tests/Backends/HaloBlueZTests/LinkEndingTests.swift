#if os(Linux)
import BlueZVocabulary
import HaloDBus
import HaloProtocol
import HaloTransport
import Testing

@testable import HaloBlueZ

/// The ends of links: each operation ends with its link, once.
@Suite(.takesTurns) struct LinkEndingTests {
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

    @Test func noValueIsTooLongForAnEndedLink() {
        let link = BlueZLink(
            LinkNumber(rawValue: 1), to: PeripheralIdentity(Tree.address),
            BlueZHub(options: BlueZOptions()))
        for mode in WriteMode.allCases {
            #expect(link.maximumWriteLength(mode) == BlueZLink.longestValue)
        }
    }

    @Test func aClosedLinkHasEndedWhenTheDaemonSaysSo() {
        var link = established()
        link.close()
        #expect(link.script.questions(Device1.disconnect).count == 1)
        link.script.pass(.seconds(2))
        link.setResolved(false)
        #expect(ends(link).isEmpty)
        link.setConnected(false)
        #expect(ends(link) == [DisconnectReason(.local)])
        link.script.answer(Device1.disconnect)
        #expect(link.script.session.links.entries.isEmpty)
    }

    @Test func aDaemonThatDoesNotSaySoIsNotWaitedFor() {
        // bluez#947.
        var link = established()
        link.close()
        link.close()
        #expect(link.script.questions(Device1.disconnect).count == 1)
        link.script.pass(LinkLimits.disconnectTimeout)
        #expect(ends(link) == [DisconnectReason(.local)])
        #expect(link.script.session.links.entries.isEmpty)
    }

    @Test func everythingThatIsUnderWayEndsOnce() {
        var link = established()
        let read = link.read(link.attribute(GATTTree.text))
        let write = link.write([1], to: link.attribute(GATTTree.sink))
        let notify = link.notify(true, link.attribute(GATTTree.beat))
        link.loseLink()
        link.script.pass(LinkLimits.reasonTimeout)
        #expect(read.count == 1)
        #expect(write.all.map(\.?.reason?.kind) == [.remote])
        #expect(notify.all.map(\.?.reason?.kind) == [.remote])
        link.script.passAll()
        #expect([read.count, write.count, notify.count] == [1, 1, 1])
        #expect(link.script.session.links.entries.isEmpty)
        #expect(link.write([1], to: AttributeID(1)).all.map(\.?.kind) == [.disconnected])
    }

    @Test func anAdapterThatIsSwitchedOffIsTheReasonEvenIfTheLinkEndsFirst() {
        // The daemon says it 20 ms later (testbed).
        var link = established()
        link.loseLink()
        link.script.pass(.milliseconds(20))
        #expect(ends(link).isEmpty)
        link.script.say(
            Tree.changed(
                Tree.hci0, Adapter1.interfaceName, [Adapter1.powered: .boolean(false)]))
        #expect(ends(link).map(\.kind) == [.adapterGone])
    }

    @Test func anAdapterThatIsPulledOutTakesItsLinks() {
        var link = established()
        link.script.say(Tree.removed(Tree.hci0, [Adapter1.interfaceName]))
        #expect(ends(link).map(\.kind) == [.adapterGone])
    }

    @Test func aDaemonThatIsGoneTakesItsLinks() {
        var link = established()
        let read = link.read(link.attribute(GATTTree.text))
        link.script.own(nil)
        #expect(ends(link).map(\.kind) == [.backendGone])
        #expect(read.count == 1)
        #expect(link.script.session.links.entries.isEmpty)
    }

    @Test func aBusThatIsGoneTakesItsLinks() {
        var link = established()
        link.script.change { $0.busEnded(1, DBusError(.disconnected, details: "gone")) }
        #expect(ends(link).map(\.kind) == [.backendGone])
    }

    @Test func aDeviceThatTheDaemonForgetsEndsItsLink() {
        var link = established()
        link.script.say(Tree.removed(Tree.device, [Device1.interfaceName]))
        #expect(ends(link).map(\.kind) == [.remote])
    }

    /// The daemon's reasons for the end of a link, and their meanings.
    static let reasons: [(String, DisconnectReason.Kind)] = [
        (BlueZReason.timeout, .outOfReach),
        (BlueZReason.remote, .remote),
        (BlueZReason.local, .remote),
        (BlueZReason.unknown, .remote),
        (BlueZReason.suspend, .adapterGone),
        ("what nobody has heard of", .remote),
    ]

    private func explain(_ link: inout LinkScript, _ name: String, _ text: String) {
        link.script.say(
            DBusSignal(
                Device1.disconnected, of: Device1.interfaceName, at: Tree.device,
                [.string(name), .string(text)]))
    }

    /// From 5.83 on the reason comes first: then the end waits for nothing.
    @Test(arguments: reasons)
    func theReasonOfANewerDaemonIsReported(_ name: String, _ kind: DisconnectReason.Kind) {
        var link = established()
        explain(&link, name, "words")
        #expect(ends(link).isEmpty)
        #expect(link.state?.name == .open)
        link.loseLink()
        #expect(ends(link) == [DisconnectReason(kind, details: "words")])
        #expect(link.script.session.links.entries.isEmpty)
        #expect(link.script.session.nextTimer == nil)
    }

    @Test(arguments: reasons)
    func aReasonAfterTheEndIsReported(_ name: String, _ kind: DisconnectReason.Kind) {
        var link = established()
        link.loseLink()
        explain(&link, name, "")
        #expect(ends(link) == [DisconnectReason(kind, details: name)])
    }

    /// A bond that the device has lost: the error includes the remedy.
    @Test func aLostBondIsReported() throws {
        var link = established()
        let read = link.read(link.attribute(GATTTree.text))
        explain(&link, BlueZReason.authentication, "words")
        link.loseLink()
        let hint = "words; bluetoothctl remove \(Tree.address) forgets it here, too"
        #expect(ends(link) == [DisconnectReason(.bondLost, details: hint)])
        let error = try #require(read.all.first?.failure)
        #expect(!error.isTransient)
        #expect(error.description.contains("the keys of the bond did not fit"))
    }

    /// With a daemon that gives no reason, the end waits a short time for one.
    @Test func theEndWaitsForItsReason() {
        var link = established()
        link.loseLink()
        link.script.pass(LinkLimits.reasonTimeout - .milliseconds(1))
        #expect(ends(link).isEmpty)
        link.script.pass(.milliseconds(1))
        #expect(ends(link) == [DisconnectReason(.remote)])
    }

    @Test func aReconnectedDeviceEndsTheOldLink() {
        var link = established()
        link.loseLink()
        link.setConnected(true)
        #expect(ends(link).map(\.kind) == [.remote])
    }

    @Test func aLinkThatWasTakenOverTwiceIsEndedByTheAppsOwnWill() {
        var link = established()
        link.loseLink()
        link.close()
        #expect(ends(link).map(\.kind) == [.remote])
        #expect(link.script.questions(Device1.disconnect).isEmpty)
    }

    @Test func nothingIsLeftAfterManyLinks() {
        var link = LinkScript()
        for round in 0..<50 {
            link.establish()
            _ = link.subscribe(GATTTree.beat)
            _ = link.read(link.attribute(GATTTree.text))
            if round.isMultiple(of: 2) { link.close() }
            link.loseLink()
            link.script.passAll(.seconds(60))
            for member in [
                GattCharacteristic1.readValue, GattCharacteristic1.stopNotify,
                Device1.disconnect,
            ] { while link.script.answer(member) {} }
        }
        let session = link.script.session
        #expect(session.links.entries.isEmpty)
        #expect(session.links.byDevice.isEmpty)
        #expect(session.links.sources.isEmpty)
        #expect(session.links.listening.isEmpty)
        #expect(session.discovery.holdCount == 0)
        #expect(session.nextTimer == nil)
        #expect(ends(link).count == 50)
    }
}
#endif
