import BlueZVocabulary
import HaloDBus
import HaloProtocol
import HaloTransport
import TestSupport
import Testing

@testable import HaloBlueZ

/// One discovery of the daemon for all scans.
@Suite(.computes) struct DiscoveryTests {
    private var script = ScriptedSession.loaded()

    private static let rate = BluetoothUUID(0x180D)
    private static let battery = BluetoothUUID(0x180F)

    private var filter: DBusValue? {
        script.questions(Adapter1.setDiscoveryFilter).last?.arguments.first
    }

    @Test mutating func manyScansShareOneDiscoveryAndItsEnd() {
        let (one, _) = script.scan()
        let (other, _) = script.scan()
        script.beginDiscovery()
        #expect(script.members.filter { $0 == Adapter1.startDiscovery }.count == 1)
        script.change { $0.endScan(one) }
        script.passAll()
        #expect(script.questions(Adapter1.stopDiscovery).isEmpty)
        script.change { $0.endScan(other) }
        #expect(script.questions(Adapter1.stopDiscovery).isEmpty)
        script.passAll()
        #expect(script.questions(Adapter1.stopDiscovery).count == 1)
        script.answer(Adapter1.stopDiscovery)
        #expect(script.session.discovery.isRunning == false)
        #expect(script.asked.isEmpty)
        #expect(script.session.nextTimer == nil)
    }

    @Test mutating func theDaemonGetsTheUnionOfAllFilters() {
        let (one, _) = script.scan(ScanFilter(services: [Self.rate]))
        #expect(filter?[DiscoveryFilter.transport]?.string == "le")
        #expect(filter?[DiscoveryFilter.duplicateData]?.boolean == false)
        #expect(filter?[DiscoveryFilter.pattern]?.string == "")
        // A daemon would die of services.
        #expect(filter?[DiscoveryFilter.uuids] == nil)
        script.beginDiscovery()
        let (other, _) = script.scan(
            ScanFilter(services: [Self.battery], reportsDuplicates: true))
        #expect(filter?[DiscoveryFilter.uuids] == nil)
        #expect(filter?[DiscoveryFilter.duplicateData]?.boolean == true)
        script.answer(Adapter1.setDiscoveryFilter)
        script.change { $0.endScan(other) }
        #expect(filter?[DiscoveryFilter.duplicateData]?.boolean == false)
        script.answer(Adapter1.setDiscoveryFilter)
        script.change { $0.endScan(one) }
        #expect(script.members.filter { $0 == Adapter1.startDiscovery }.count == 1)
    }

    @Test mutating func aFurtherScanGetsTheKnownDevices() {
        var far = Tree.deviceProperties
        far[Device1.rssi] = nil
        far[Device1.address] = .string("00:AA:01:01:00:02")
        var connected = far
        connected[Device1.address] = .string("00:AA:01:01:00:03")
        connected[Device1.connected] = .boolean(true)
        var elsewhere = Tree.deviceProperties
        elsewhere[Device1.adapter] = .objectPath(Tree.hci1)
        let name = Device1.interfaceName
        script = ScriptedSession.loaded(
            Tree.objects([
                Tree.hci0: [Adapter1.interfaceName: Tree.adapterProperties],
                Tree.device: [name: Tree.deviceProperties],
                Tree.path("/org/bluez/hci0/far"): [name: far],
                Tree.path("/org/bluez/hci0/dev_00_AA_01_01_00_03"): [name: connected],
                Tree.path("/org/bluez/hci1/there"): [name: elsewhere],
            ]))
        let (_, reports) = script.scan()
        let found = reports.all.compactMap { try? $0.get() }
        #expect(found.map(\.identity.rawValue) == [Tree.address, "00:AA:01:01:00:03"])
        #expect(found.first?.name == "R02_TEST")
        #expect(found.first?.rssi == -50)
        #expect(
            found.first?.manufacturerData == [ManufacturerData(company: 0xFFFF, bytes: [1, 2, 3])])
    }

    @Test mutating func eachAdvertisementIsReported() {
        let (_, reports) = script.scan()
        script.beginDiscovery()
        let name = Device1.interfaceName
        script.say(Tree.added(Tree.device, [name: Tree.deviceProperties]))
        script.say(Tree.changed(Tree.device, name, [Device1.rssi: .int16(-60)]))
        script.say(Tree.changed(Tree.device, name, [Device1.name: .string("Other")]))
        script.say(Tree.changed(Tree.device, name, [Device1.connected: .boolean(true)]))
        script.say(Tree.changed(Tree.device, name, [:], invalidated: [Device1.rssi]))
        script.say(Tree.changed(Tree.device, name, [Device1.name: .string("Third")]))
        let found = reports.all.compactMap { try? $0.get() }
        #expect(found.map(\.rssi) == [-50, -60, -60])
        #expect(found.last?.name == "Other")
    }

    @Test mutating func anUnknownRSSIIsNil() {
        let (_, reports) = script.scan()
        script.beginDiscovery()
        var properties = Tree.deviceProperties
        properties[Device1.rssi] = .int16(127)
        script.say(Tree.added(Tree.device, [Device1.interfaceName: properties]))
        #expect(reports.all.compactMap { try? $0.get() }.map(\.rssi) == [nil])
    }

    @Test(arguments: 0..<20)
    mutating func discoveryInProgressIsRetried(_ seed: UInt64) {
        script = ScriptedSession.loaded(seed: seed)
        let (_, reports) = script.scan()
        script.answer(Adapter1.setDiscoveryFilter)
        for _ in 0..<3 {
            script.refuse(Adapter1.startDiscovery, BlueZErrorName.inProgress)
            #expect(script.questions(Adapter1.startDiscovery).isEmpty)
            script.passAll(.seconds(2))
            // What is in progress may be an earlier attempt of ours.
            script.refuse(Adapter1.stopDiscovery, BlueZErrorName.failed)
        }
        script.answer(Adapter1.startDiscovery)
        #expect(script.session.discovery.isRunning)
        #expect(reports.all.isEmpty)
    }

    @Test mutating func discoveryThatStaysInProgressFails() {
        let (_, reports) = script.scan()
        script.answer(Adapter1.setDiscoveryFilter)
        let began = script.session.now
        while script.refuse(Adapter1.startDiscovery, BlueZErrorName.inProgress) {
            script.refuse(Adapter1.stopDiscovery, BlueZErrorName.failed)
            script.passAll(.seconds(60))
        }
        #expect(reports.error()?.kind == .backend)
        #expect(reports.error()?.isTransient == true)
        #expect(reports.count == 1)
        #expect(script.session.now.duration(since: began) < .seconds(45))
    }

    @Test mutating func twoProgramsDoNotTryAtTheSameTimes() {
        var moments: Set<Moment?> = []
        for seed in UInt64(0)..<10 {
            script = ScriptedSession.loaded(seed: seed)
            _ = script.scan()
            script.answer(Adapter1.setDiscoveryFilter)
            script.refuse(Adapter1.startDiscovery, BlueZErrorName.inProgress)
            moments.insert(script.session.nextTimer)
        }
        #expect(moments.count > 5)
    }

    @Test mutating func anAttemptKeepsDiscoveryRunning() {
        let (number, _) = script.scan()
        script.beginDiscovery()
        script.change { $0.endScan(number) }
        script.change { $0.holdDiscovery(searching: false) }
        script.passAll()
        #expect(script.questions(Adapter1.stopDiscovery).isEmpty)
        script.change { $0.releaseDiscovery(searching: false) }
        script.passAll()
        #expect(script.questions(Adapter1.stopDiscovery).count == 1)
    }

    @Test mutating func aHoldAloneStartsNoDiscovery() {
        script.change { $0.holdDiscovery(searching: false) }
        #expect(script.asked.isEmpty)
        script.change { $0.holdDiscovery() }
        #expect(script.questions(Adapter1.setDiscoveryFilter).count == 1)
        script.beginDiscovery()
        script.change { $0.releaseDiscovery() }
        script.passAll()
        #expect(script.questions(Adapter1.stopDiscovery).isEmpty)
        script.change { $0.releaseDiscovery(searching: false) }
        script.passAll()
        #expect(script.questions(Adapter1.stopDiscovery).count == 1)
    }

    /// A connection attempt keeps its hold when discovery ends with an error.
    @Test mutating func holdsSurviveAnOutage() {
        let (_, reports) = script.scan()
        script.beginDiscovery()
        script.change { $0.holdDiscovery(searching: false) }
        script.change { $0.endDiscovery(Outage(.backend, "it does not go on")) }
        #expect(reports.error()?.kind == .backend)
        script.answer(Adapter1.stopDiscovery)
        let (number, _) = script.scan()
        script.beginDiscovery()
        script.change { $0.endScan(number) }
        script.passAll()
        #expect(script.questions(Adapter1.stopDiscovery).isEmpty)
        script.change { $0.releaseDiscovery(searching: false) }
        script.passAll()
        #expect(script.questions(Adapter1.stopDiscovery).count == 1)
    }

    /// A scan continues after a restart of the daemon.
    @Test mutating func aSearchGoesOnAfterARestartOfTheDaemon() {
        script.change { $0.holdDiscovery() }
        script.beginDiscovery()
        script.own(nil)
        script.own(":1.99")
        script.change { $0.load() }
        script.answer(DBusObjectManager.getManagedObjects, [Tree.usual])
        let (number, _) = script.scan()
        script.beginDiscovery()
        #expect(script.session.discovery.isRunning)
        script.change { $0.endScan(number) }
        script.passAll()
        #expect(script.questions(Adapter1.stopDiscovery).isEmpty)
        script.change { $0.releaseDiscovery() }
        script.passAll()
        #expect(script.questions(Adapter1.stopDiscovery).count == 1)
    }

    @Test mutating func twoScansWithinASecondAreOneEnd() {
        let (first, _) = script.scan()
        script.beginDiscovery()
        script.change { $0.endScan(first) }
        script.pass(.milliseconds(500))
        let (second, _) = script.scan()
        #expect(script.asked.isEmpty, "it goes on")
        script.change { $0.endScan(second) }
        // The second begins anew to be waited after.
        script.pass(.milliseconds(900))
        #expect(script.questions(Adapter1.stopDiscovery).isEmpty)
        script.pass(.milliseconds(100))
        #expect(script.questions(Adapter1.stopDiscovery).count == 1)
        script.answer(Adapter1.stopDiscovery)
        script.passAll()
        #expect(script.members.filter { $0 == Adapter1.stopDiscovery }.count == 1)
        #expect(script.members.filter { $0 == Adapter1.startDiscovery }.count == 1)
    }

    @Test mutating func aScanThatBeginsWhileDiscoveryEndsBeginsItAgain() {
        let (number, _) = script.scan()
        script.beginDiscovery()
        script.change { $0.endScan(number) }
        script.passAll()
        _ = script.scan()
        #expect(script.questions(Adapter1.startDiscovery).isEmpty)
        script.answer(Adapter1.stopDiscovery)
        #expect(script.questions(Adapter1.startDiscovery).count == 1)
    }

    @Test mutating func aScanThatEndsWhileDiscoveryBeginsEndsIt() {
        let (number, reports) = script.scan()
        script.answer(Adapter1.setDiscoveryFilter)
        script.change { $0.endScan(number) }
        script.answer(Adapter1.startDiscovery)
        script.passAll()
        #expect(script.questions(Adapter1.stopDiscovery).count == 1)
        #expect(reports.all.isEmpty)
    }
}
