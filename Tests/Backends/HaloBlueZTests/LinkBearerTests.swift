import BlueZVocabulary
import FakeBlueZ
import HaloDBus
import HaloSimulator
import HaloTransport
import TestSupport
import Testing

@testable import HaloBlueZ

/// Devices with both kinds of Bluetooth, such as headphones with a battery service: links over
/// classic Bluetooth are not ours.
@Suite(.takesTurns) struct LinkBearerTests {
    /// A device that is connected over classic Bluetooth, on a daemon that reports the bearer.
    private func dual() -> LinkScript {
        var link = LinkScript()
        link.script.say(
            Tree.added(
                Tree.device,
                [
                    BearerLE1.interfaceName: [Device1.connected: .boolean(false)],
                    BearerBREDR1.interfaceName: [Device1.connected: .boolean(true)],
                ]))
        link.setConnected(true)
        return link
    }

    private func setLowEnergy(_ isConnected: Bool, _ link: inout LinkScript) {
        link.change([Device1.connected: .boolean(isConnected)], of: BearerLE1.interfaceName)
    }

    private func sayWhy(_ reason: String, _ interface: String, _ link: inout LinkScript) {
        link.script.say(
            DBusSignal(
                Device1.disconnected, of: interface, at: Tree.device,
                [.string(reason), .string("")]))
    }

    private func end(_ link: LinkScript) -> DisconnectReason? {
        for case .disconnected(let reason) in link.events.all { return reason }
        return nil
    }

    @Test func aLinkOverTheOlderBluetoothIsNotTakenOver() {
        var link = dual()
        link.open()
        let questions = link.script.questions(Device1.connect)
        #expect(questions.map(\.interface) == [BearerLE1.interfaceName])
        setLowEnergy(true, &link)
        link.script.answer(Device1.connect)
        #expect(link.opened.all == [nil])
    }

    @Test func itsEndIsNotTheEndOfOurs() {
        var link = dual()
        link.open()
        setLowEnergy(true, &link)
        link.script.answer(Device1.connect)
        link.change(
            [Device1.connected: .boolean(false)], of: BearerBREDR1.interfaceName)
        sayWhy(BlueZReason.remote, Device1.interfaceName, &link)
        link.setConnected(true)
        #expect(link.state?.name == .open && end(link) == nil)
        sayWhy(BlueZReason.timeout, BearerLE1.interfaceName, &link)
        setLowEnergy(false, &link)
        #expect(end(link)?.kind == .outOfReach)
    }

    @Test func ourEndIsNotItsEnd() {
        var link = dual()
        link.open()
        setLowEnergy(true, &link)
        link.script.answer(Device1.connect)
        link.close()
        let questions = link.script.questions(Device1.disconnect)
        #expect(questions.map(\.interface) == [BearerLE1.interfaceName])
    }

    /// A single bearer, or the end of one, changes nothing: the device's own property counts.
    @Test func oneBearerAloneSaysNothing() {
        var link = dual()
        link.script.say(Tree.removed(Tree.device, [BearerBREDR1.interfaceName]))
        link.open()
        #expect(link.script.questions(Device1.connect).isEmpty)
        #expect(link.opened.all == [nil])
    }

    /// The fake daemon ends the LE link and keeps the classic one.
    @Test func theOlderLinkOutlivesOurs() async throws {
        let harness = try await LinkContractTests.Harness()
        let link = try await harness.transport.connect(to: harness.identity)
        harness.fake.setClassicLink(true, to: harness.identity)
        _ = try await link.services
        await link.disconnect()
        #expect(link.disconnectReason?.kind == .local)
        for _ in 0..<2 {
            let again = try await harness.transport.connect(to: harness.identity)
            _ = try await again.services
            harness.fake.setClassicLink(false, to: harness.identity)
            harness.fake.setClassicLink(true, to: harness.identity)
            #expect(again.disconnectReason == nil)
            await again.disconnect()
        }
        let name = harness.identity.rawValue.replacing(":", with: "_")
        let isConnected = try await harness.fake.bus.connect().call(
            DBusCall(
                DBusProperties.get, of: DBusProperties.interfaceName,
                at: try DBusObjectPath("/org/bluez/hci0/dev_\(name)"), on: BlueZDaemon.name,
                [.string(Device1.interfaceName), .string(Device1.connected)])
        ).first()
        #expect(isConnected.boolean == true)
    }
}
