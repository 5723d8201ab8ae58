import BlueZVocabulary
import HaloDBus
import HaloProtocol
import HaloTransport
import TestSupport
import Testing

@testable import HaloBlueZ

/// Attempts to open a link, successful and failed.
@Suite(.computes) struct LinkOpeningTests {
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

    @Test(arguments: [DBusRefusal.keyMissing.details, DBusRefusal.keyMissingLE.details])
    func aLostBondFailsAtOnce(_ text: String) throws {
        var link = LinkScript()
        link.open()
        link.script.refuse(Device1.connect, BlueZErrorName.failed, text)
        let error = try #require(link.opened.all.first ?? nil)
        #expect(error.kind == .bondLost && !error.isTransient)
        let sentence = "connecting failed: the device has forgotten the bond"
        #expect(error.description.hasPrefix(sentence))
        #expect(error.description.contains("bluetoothctl remove \(Tree.address)"))
        #expect(link.script.session.links.entries.isEmpty)
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

    @Test func onlyTheDeviceThatIsSoughtEndsTheSearch() {
        var link = LinkScript(knowsDevice: false)
        link.open()
        for number in 0..<UInt8(100) {
            let text = number < 16 ? "0\(String(number, radix: 16))" : String(number, radix: 16)
            var properties = Tree.deviceProperties
            properties[Device1.address] = .string("C0:00:00:00:00:\(text)")
            let path = Tree.path("/org/bluez/hci0/dev_\(number)")
            link.script.say(Tree.added(path, [Device1.interfaceName: properties]))
        }
        #expect(link.script.questions(Device1.connect).isEmpty)
        link.hear()
        #expect(link.script.questions(Device1.connect).map(\.path) == [Tree.device])
    }
}
