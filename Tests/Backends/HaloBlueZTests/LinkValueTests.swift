import BlueZVocabulary
import HaloProtocol
import HaloTransport
import TestSupport
import Testing

@testable import HaloBlueZ
@testable import HaloDBus

/// Notifications of a device, as signals.
@Suite(.computes) struct LinkValueTests {
    private func values(_ link: LinkScript) -> [[UInt8]] {
        link.events.all.compactMap { if case .value(_, let value) = $0 { value } else { nil } }
    }

    @Test func valuesThatComeAtOnceStayInTheirOrder() {
        // Among other values, and until the end of the link: later ones are dropped.
        var link = LinkScript.established()
        for characteristic in [GATTTree.beat, GATTTree.text] {
            _ = link.notify(true, link.attribute(characteristic))
            link.script.answer(GattCharacteristic1.startNotify)
        }
        let away = Tree.changed(
            Tree.device, Device1.interfaceName, [Device1.connected: .boolean(false)])
        link.script.say([
            LinkScript.told([1], of: GATTTree.beat), LinkScript.told([2], of: GATTTree.beat),
            LinkScript.told([3], of: GATTTree.text), LinkScript.told([4], of: GATTTree.beat),
            away, LinkScript.told([5], of: GATTTree.beat),
        ])
        link.script.say([LinkScript.told([6], of: GATTTree.beat)])
        #expect(values(link).starts(with: [[1], [2], [3], [4]]))
    }

    /// Held values are bounded: beyond 64, the oldest one is delivered.
    @Test func heldValuesAreBounded() {
        var link = LinkScript.established()
        let beat = link.subscribe(GATTTree.beat)
        _ = link.read(beat)
        for number in 1...64 { link.value([UInt8(number)], of: GATTTree.beat) }
        #expect(values(link) == [])
        link.value([65], of: GATTTree.beat)
        link.value([66], of: GATTTree.beat)
        #expect(values(link) == [[1], [2]])
        link.script.answer(GattCharacteristic1.readValue, [.bytes([66])])
        #expect(values(link) == (1...65).map { [$0] })
    }

    @Test func aValueLongerThanAPacketIsDelivered() {
        // bluez#576.
        var link = LinkScript.established()
        _ = link.subscribe(GATTTree.beat)
        let value = [UInt8](repeating: 5, count: 600)
        link.value(value, of: GATTTree.beat)
        #expect(values(link) == [value])
    }

    @Test func tooManyQueuedValuesEndTheConnection() throws {
        var link = LinkScript.established()
        let beat = link.subscribe(GATTTree.beat)
        let connection = try #require(link.script.opened.last)
        let source = DBusPropertySource(
            GATTTree.beat.path, GattCharacteristic1.interfaceName, GattCharacteristic1.value)
        let batch = DBusPropertyValues(
            source: source, values: Array(repeating: [], count: 1 << 12))
        let (limit, count) = (BlueZSession.maximumEffects, batch.values.count)
        for _ in 0..<limit / count + 2 {
            link.script.session.received(batch, from: connection)
        }
        #expect(link.script.session.effectCount < limit + 2 * count)
        #expect(link.script.closed.isEmpty)
        link.script.change { _ in }
        #expect(link.script.closed == link.script.opened)
        #expect(link.events.all.contains(.value(beat, [])))
    }
}
