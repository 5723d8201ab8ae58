import BlueZVocabulary
import HaloDBus
import HaloProtocol
import HaloTransport
import TestSupport
import Testing

@testable import HaloBlueZ

/// The discovery of a device's services: when it ends, and its result.
@Suite(.computes) struct LinkServicesTests {
    @Test func servicesThatAreThereWhenTheDaemonSaysSoAreAll() throws {
        var link = LinkScript()
        link.open()
        link.setConnected(true)
        link.script.answer(Device1.connect)
        link.discover()
        link.exportServices()
        #expect(link.found.all.isEmpty)
        link.setResolved(true)
        let services = try #require(link.found.all.first).get()
        #expect(services.map(\.uuid) == [GATTTree.serviceUUID])
        // In the order of the device's handles, not of the signals.
        #expect(
            services[0].characteristics.map(\.uuid)
                == [GATTTree.text, GATTTree.sink, GATTTree.beat].map(\.uuid))
        let properties: [GATTProperties] = [
            .read, [.write, .writeWithoutResponse], [.read, .notify],
        ]
        #expect(services[0].characteristics.map(\.properties) == properties)
        // The descriptor that switches values is the daemon's own.
        let descriptors = services[0].characteristics.map { $0.descriptors.map(\.uuid) }
        #expect(descriptors == [[BluetoothUUID(0x2901)], [], []])
        // One timer is left, and has no effect.
        #expect(link.script.session.nextTimer == nil)
    }

    @Test func changedServicesAreReportedAndNumbersAreStale() throws {
        // bleak#625, #376: true, false, objects go, objects come, true.
        var link = LinkScript.established()
        let old = link.subscribe(GATTTree.beat)
        link.setResolved(false)
        #expect(!link.events.all.contains(.servicesChanged))
        link.script.say(Tree.removed(GATTTree.text.path, [GattCharacteristic1.interfaceName]))
        link.script.say(Tree.removed(GATTTree.sink.path, [GattCharacteristic1.interfaceName]))
        #expect(link.events.all.filter { $0 == .servicesChanged }.count == 1)
        #expect(link.script.questions(GattCharacteristic1.stopNotify).count == 1)
        link.script.answer(GattCharacteristic1.stopNotify)
        link.discover()
        #expect(link.found.count == 1)
        link.setResolved(true)
        #expect(link.found.count == 2)
        let numbers = try link.found.all.map { found in
            Set(try found.get().flatMap(\.characteristics).map(\.id))
        }
        // A number that comes again would have an app read another characteristic than it means.
        #expect(numbers.first?.isDisjoint(with: numbers.last ?? []) == true)
        let stale = link.read(old)
        #expect(stale.all.count == 1)
        guard case .failure(let error)? = stale.all.first else {
            Issue.record("a stale number was read")
            return
        }
        #expect(error.kind == .noSuchAttribute)
        // A value that still comes is dropped.
        link.value([1], of: GATTTree.beat)
        #expect(link.events.all.last == .servicesChanged)
    }

    @Test func theSameServicesAgainAreNoChange() {
        var link = LinkScript.established()
        let old = link.attribute(GATTTree.text)
        link.setResolved(false)
        link.exportServices()
        link.setResolved(true)
        #expect(!link.events.all.contains(.servicesChanged))
        link.discover()
        #expect(link.attribute(GATTTree.text) == old)
    }

    @Test func aBatteryThatTheDaemonHidesIsAService() throws {
        // gattlib#84, #89.
        var link = LinkScript()
        link.open()
        link.setConnected(true)
        link.script.answer(Device1.connect)
        link.exportServices()
        link.change([Device1.uuids: .strings([StandardServices.battery.description])])
        link.setResolved(true)
        link.discover()
        #expect(link.found.all.isEmpty)
        link.script.say(
            Tree.added(
                Tree.device, [Battery1.interfaceName: [Battery1.percentage: .byte(64)]]))
        let services = try #require(link.found.all.first).get()
        let battery = try #require(services.last)
        #expect(battery.uuid == StandardServices.battery)
        let level = try #require(battery.characteristics.first)
        #expect(level.uuid == BluetoothUUID(0x2A19))
        let read = link.read(level.id)
        #expect(try read.all.first?.get() == [64])
        let subscribed = link.notify(true, level.id)
        #expect(subscribed.all == [nil])
        link.change([Battery1.percentage: .byte(63)], of: Battery1.interfaceName)
        #expect(link.events.all.last == .value(level.id, [63]))
        _ = link.notify(false, level.id)
        link.change([Battery1.percentage: .byte(62)], of: Battery1.interfaceName)
        #expect(link.events.all.last == .value(level.id, [63]))
    }

    @Test func aBatteryThatTheDaemonNeverTellsOfIsNotWaitedForLong() {
        var link = LinkScript()
        link.change([Device1.uuids: .strings([StandardServices.battery.description])])
        link.establish()
        #expect(link.found.all.isEmpty)
        link.script.pass(LinkLimits.batteryTime)
        #expect(link.found.count == 1)
    }

    @Test(
        arguments: [
            (nil, 20), (23, 20), (0, 20), (247, 244), (517, 510), (65_535, 510),
        ] as [(UInt16?, Int)])
    func theMaximumFollowsFromThePackets(_ mtu: UInt16?, _ maximum: Int) {
        var link = LinkScript()
        link.establish(mtu: mtu)
        #expect(link.state?.link?.maximumLength == maximum)
        #expect(link.events.all.contains(.maximumLengthChanged) == (maximum != 20))
    }
}
