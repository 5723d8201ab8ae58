import BlueZVocabulary
import HaloDBus
import HaloProtocol
import HaloTransport
import Testing

@testable import HaloBlueZ

/// One discovery of the daemon for all scans.
@Suite struct DiscoveryTests {
    private typealias Reports = Heard<Result<Discovery, BLEError>>
    private static let rate = BluetoothUUID(0x180D)
    private static let battery = BluetoothUUID(0x180F)

    private func scan(
        _ script: inout ScriptedSession, _ filter: ScanFilter = .all
    ) -> (number: UInt64, reports: Reports) {
        let reports = Reports()
        let number = script.change { $0.beginScan(filter) { reports.append($0) } }
        return (number, reports)
    }

    private func begin(_ script: inout ScriptedSession) {
        script.answer(Adapter1.setDiscoveryFilter)
        script.answer(Adapter1.startDiscovery)
    }

    private func filter(_ script: ScriptedSession) -> DBusValue? {
        script.questions(Adapter1.setDiscoveryFilter).last?.arguments.first
    }

    private func error(_ reports: Reports) -> BLEError? {
        guard case .failure(let error)? = reports.all.last else { return nil }
        return error
    }

    @Test func manyScansShareOneDiscoveryAndItsEnd() {
        var script = ScriptedSession.loaded()
        let (one, _) = scan(&script)
        let (other, _) = scan(&script)
        begin(&script)
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

    @Test func theDaemonGetsTheUnionOfAllFilters() {
        var script = ScriptedSession.loaded()
        let (one, _) = scan(&script, ScanFilter(services: [Self.rate]))
        #expect(filter(script)?[DiscoveryFilter.transport]?.string == "le")
        #expect(filter(script)?[DiscoveryFilter.duplicateData]?.boolean == false)
        #expect(filter(script)?[DiscoveryFilter.pattern]?.string == "")
        // A daemon would die of services.
        #expect(filter(script)?[DiscoveryFilter.uuids] == nil)
        begin(&script)
        let (other, _) = scan(
            &script, ScanFilter(services: [Self.battery], reportsDuplicates: true))
        #expect(filter(script)?[DiscoveryFilter.uuids] == nil)
        #expect(filter(script)?[DiscoveryFilter.duplicateData]?.boolean == true)
        script.answer(Adapter1.setDiscoveryFilter)
        script.change { $0.endScan(other) }
        #expect(filter(script)?[DiscoveryFilter.duplicateData]?.boolean == false)
        script.answer(Adapter1.setDiscoveryFilter)
        script.change { $0.endScan(one) }
        #expect(script.members.filter { $0 == Adapter1.startDiscovery }.count == 1)
    }

    @Test func aFurtherScanGetsTheKnownDevices() {
        var far = Tree.deviceProperties
        far[Device1.rssi] = nil
        far[Device1.address] = .string("00:AA:01:01:00:02")
        var connected = far
        connected[Device1.address] = .string("00:AA:01:01:00:03")
        connected[Device1.connected] = .boolean(true)
        var elsewhere = Tree.deviceProperties
        elsewhere[Device1.adapter] = .objectPath(Tree.hci1)
        let name = Device1.interfaceName
        var script = ScriptedSession.loaded(
            Tree.objects([
                Tree.hci0: [Adapter1.interfaceName: Tree.adapterProperties],
                Tree.device: [name: Tree.deviceProperties],
                Tree.path("/org/bluez/hci0/far"): [name: far],
                Tree.path("/org/bluez/hci0/dev_00_AA_01_01_00_03"): [name: connected],
                Tree.path("/org/bluez/hci1/there"): [name: elsewhere],
            ]))
        let (_, reports) = scan(&script)
        let found = reports.all.compactMap { try? $0.get() }
        #expect(found.map(\.identity.rawValue) == [Tree.address, "00:AA:01:01:00:03"])
        #expect(found.first?.name == "R02_TEST")
        #expect(found.first?.rssi == -50)
        #expect(
            found.first?.manufacturerData == [ManufacturerData(company: 0xFFFF, bytes: [1, 2, 3])])
    }

    @Test func eachAdvertisementIsReported() {
        var script = ScriptedSession.loaded()
        let (_, reports) = scan(&script)
        begin(&script)
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

    @Test func anUnknownRSSIIsNil() {
        var script = ScriptedSession.loaded()
        let (_, reports) = scan(&script)
        begin(&script)
        var properties = Tree.deviceProperties
        properties[Device1.rssi] = .int16(127)
        script.say(Tree.added(Tree.device, [Device1.interfaceName: properties]))
        #expect(reports.all.compactMap { try? $0.get() }.map(\.rssi) == [nil])
    }

    @Test(arguments: 0..<20)
    func discoveryInProgressIsRetried(_ seed: UInt64) {
        var script = ScriptedSession.loaded(seed: seed)
        let (_, reports) = scan(&script)
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

    @Test func discoveryThatStaysInProgressFails() {
        var script = ScriptedSession.loaded()
        let (_, reports) = scan(&script)
        script.answer(Adapter1.setDiscoveryFilter)
        let began = script.session.now
        while script.refuse(Adapter1.startDiscovery, BlueZErrorName.inProgress) {
            script.refuse(Adapter1.stopDiscovery, BlueZErrorName.failed)
            script.passAll(.seconds(60))
        }
        #expect(error(reports)?.kind == .backend)
        #expect(error(reports)?.isTransient == true)
        #expect(reports.count == 1)
        #expect(script.session.now.duration(since: began) < .seconds(45))
    }

    @Test func twoProgramsDoNotTryAtTheSameTimes() {
        let moments = (UInt64(0)..<10).map { seed in
            var script = ScriptedSession.loaded(seed: seed)
            _ = scan(&script)
            script.answer(Adapter1.setDiscoveryFilter)
            script.refuse(Adapter1.startDiscovery, BlueZErrorName.inProgress)
            return script.session.nextTimer
        }
        #expect(Set(moments).count > 5)
    }

    @Test func anAttemptKeepsDiscoveryRunning() {
        var script = ScriptedSession.loaded()
        let (number, _) = scan(&script)
        begin(&script)
        script.change { $0.endScan(number) }
        script.change { $0.holdDiscovery(searching: false) }
        script.passAll()
        #expect(script.questions(Adapter1.stopDiscovery).isEmpty)
        script.change { $0.releaseDiscovery(searching: false) }
        script.passAll()
        #expect(script.questions(Adapter1.stopDiscovery).count == 1)
    }

    @Test func aHoldAloneStartsNoDiscovery() {
        var script = ScriptedSession.loaded()
        script.change { $0.holdDiscovery(searching: false) }
        #expect(script.asked.isEmpty)
        script.change { $0.holdDiscovery() }
        #expect(script.questions(Adapter1.setDiscoveryFilter).count == 1)
        begin(&script)
        script.change { $0.releaseDiscovery() }
        script.passAll()
        #expect(script.questions(Adapter1.stopDiscovery).isEmpty)
        script.change { $0.releaseDiscovery(searching: false) }
        script.passAll()
        #expect(script.questions(Adapter1.stopDiscovery).count == 1)
    }

    /// A connection attempt keeps its hold when discovery ends with an error.
    @Test func holdsSurviveAnOutage() {
        var script = ScriptedSession.loaded()
        let (_, reports) = scan(&script)
        begin(&script)
        script.change { $0.holdDiscovery(searching: false) }
        script.change { $0.endDiscovery(Outage(.backend, "it does not go on")) }
        #expect(error(reports)?.kind == .backend)
        script.answer(Adapter1.stopDiscovery)
        let (number, _) = scan(&script)
        begin(&script)
        script.change { $0.endScan(number) }
        script.passAll()
        #expect(script.questions(Adapter1.stopDiscovery).isEmpty)
        script.change { $0.releaseDiscovery(searching: false) }
        script.passAll()
        #expect(script.questions(Adapter1.stopDiscovery).count == 1)
    }

    /// A scan continues after a restart of the daemon.
    @Test func aSearchGoesOnAfterARestartOfTheDaemon() {
        var script = ScriptedSession.loaded()
        script.change { $0.holdDiscovery() }
        begin(&script)
        script.own(nil)
        script.own(":1.99")
        script.change { $0.load() }
        script.answer(DBusObjectManager.getManagedObjects, [Tree.usual])
        let (number, _) = scan(&script)
        begin(&script)
        #expect(script.session.discovery.isRunning)
        script.change { $0.endScan(number) }
        script.passAll()
        #expect(script.questions(Adapter1.stopDiscovery).isEmpty)
        script.change { $0.releaseDiscovery() }
        script.passAll()
        #expect(script.questions(Adapter1.stopDiscovery).count == 1)
    }

    @Test func twoScansWithinASecondAreOneEnd() {
        var script = ScriptedSession.loaded()
        let (first, _) = scan(&script)
        begin(&script)
        script.change { $0.endScan(first) }
        script.pass(.milliseconds(500))
        let (second, _) = scan(&script)
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

    @Test func aScanThatBeginsWhileDiscoveryEndsBeginsItAgain() {
        var script = ScriptedSession.loaded()
        let (number, _) = scan(&script)
        begin(&script)
        script.change { $0.endScan(number) }
        script.passAll()
        _ = scan(&script)
        #expect(script.questions(Adapter1.startDiscovery).isEmpty)
        script.answer(Adapter1.stopDiscovery)
        #expect(script.questions(Adapter1.startDiscovery).count == 1)
    }

    @Test func aScanThatEndsWhileDiscoveryBeginsEndsIt() {
        var script = ScriptedSession.loaded()
        let (number, reports) = scan(&script)
        script.answer(Adapter1.setDiscoveryFilter)
        script.change { $0.endScan(number) }
        script.answer(Adapter1.startDiscovery)
        script.passAll()
        #expect(script.questions(Adapter1.stopDiscovery).count == 1)
        #expect(reports.all.isEmpty)
    }
}
