import BlueZVocabulary
import HaloDBus
import HaloProtocol
import HaloTransport
import TestSupport
import Testing

@testable import HaloBlueZ

/// The ends of links: each operation ends with its link, once.
@Suite(.takesTurns) struct LinkEndingTests {
    private func ends(_ link: LinkScript) -> [DisconnectReason] {
        link.events.all.compactMap { event in
            if case .disconnected(let reason) = event { reason } else { nil }
        }
    }

    private func explain(_ link: inout LinkScript, _ name: String, _ text: String) {
        link.script.say(
            DBusSignal(
                Device1.disconnected, of: Device1.interfaceName, at: Tree.device,
                [.string(name), .string(text)]))
    }

    @Test func noValueIsTooLongForAnEndedLink() {
        let link = BlueZLink(
            LinkNumber(rawValue: 1), to: PeripheralIdentity(Tree.address),
            BlueZHub(options: BlueZOptions()))
        for mode in WriteMode.allCases {
            #expect(link.maximumWriteLength(for: mode) == BlueZLink.longestValue)
        }
    }

    /// A bond that the device has lost: the error includes the remedy.
    @Test func aLostBondIsReported() throws {
        var link = LinkScript.established()
        let read = link.read(link.attribute(GATTTree.text))
        explain(&link, BlueZReason.authentication, "words")
        link.loseLink()
        let hint = "words; bluetoothctl remove \(Tree.address) forgets it here, too"
        #expect(ends(link) == [DisconnectReason(.bondLost, details: hint)])
        let error = try #require(read.all.first?.failure)
        #expect(!error.isTransient)
        #expect(error.description.contains("the keys of the bond did not fit"))
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

    /// The daemon's reasons for the end of a link, and their meanings. From 5.83 on the reason
    /// comes first: then the end waits for nothing.
    @Test(arguments: [
        (BlueZReason.timeout, DisconnectReason.Kind.outOfReach), (BlueZReason.remote, .remote),
        (BlueZReason.local, .remote), (BlueZReason.unknown, .remote),
        (BlueZReason.suspend, .adapterGone), ("what nobody has heard of", .remote),
    ])
    func theDaemonsReasonIsReported(_ name: String, _ kind: DisconnectReason.Kind) {
        var link = LinkScript.established()
        explain(&link, name, "words")
        #expect(ends(link).isEmpty)
        #expect(link.state?.name == .open)
        link.loseLink()
        #expect(ends(link) == [DisconnectReason(kind, details: "words")])
        #expect(link.script.session.links.entries.isEmpty)
        #expect(link.script.session.nextTimer == nil)
        link = LinkScript.established()
        link.loseLink()
        explain(&link, name, "")
        #expect(ends(link) == [DisconnectReason(kind, details: name)])
    }
}
