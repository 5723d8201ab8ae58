import BlueZVocabulary
import HaloDBus
import HaloTransport
import Testing

@testable import HaloBlueZ

/// The reasons for which a scan ends by itself.
@Suite struct ScanEndTests {
    private typealias Reports = Heard<Result<Discovery, BLEError>>

    private func scan(_ script: inout ScriptedSession) -> (number: UInt64, reports: Reports) {
        let reports = Reports()
        let number = script.change { $0.beginScan(.all) { reports.append($0) } }
        return (number, reports)
    }

    private func begin(_ script: inout ScriptedSession) {
        script.answer(Adapter1.setDiscoveryFilter)
        script.answer(Adapter1.startDiscovery)
    }

    private func error(_ reports: Reports) -> BLEError? {
        guard case .failure(let error)? = reports.all.last else { return nil }
        return error
    }

    @Test func theEndOfTheAdapterEndsScans() {
        let name = Adapter1.interfaceName
        let ends: [(DBusSignal, BLEError.Kind)] = [
            (Tree.changed(Tree.hci0, name, [Adapter1.powered: .boolean(false)]), .bluetoothOff),
            (Tree.removed(Tree.hci0, [name]), .noBluetooth),
        ]
        for (signal, kind) in ends {
            var script = ScriptedSession.loaded()
            let (_, one) = scan(&script)
            let (_, other) = scan(&script)
            begin(&script)
            script.say(signal)
            #expect(error(one)?.kind == kind)
            #expect(error(other)?.kind == kind)
            #expect(one.count == 1)
            #expect(error(one)?.operation == .scan)
            // With an adapter, it goes on.
            script.say(Tree.added(Tree.hci1, [name: Tree.adapterProperties]))
            _ = scan(&script)
            begin(&script)
            #expect(script.session.discovery.isRunning)
            #expect(script.session.discovery.adapter == Tree.hci1)
        }
    }

    @Test func theEndOfTheDaemonOrTheBusEndsScans() {
        for isBus in [false, true] {
            var script = ScriptedSession.loaded()
            let (_, reports) = scan(&script)
            begin(&script)
            if isBus {
                script.change { $0.busEnded(1, DBusError(.disconnected)) }
            } else {
                script.own(nil, before: ":1.1")
            }
            #expect(error(reports)?.kind == .backend)
            let (_, next) = scan(&script)
            if isBus { script.connect() } else { script.own(":1.2") }
            script.answer(DBusObjectManager.getManagedObjects, [Tree.usual])
            begin(&script)
            #expect(script.session.discovery.isRunning)
            #expect(next.all.isEmpty)
        }
    }

    @Test(
        arguments: [
            (BlueZErrorName.notReady, BLEError.Kind.bluetoothOff),
            (BlueZErrorName.failed, .backend), (DBusErrorName.accessDenied, .unauthorized),
            (DBusErrorName.unknownObject, .noBluetooth),
        ])
    func aDaemonThatDoesNotDiscoverSaysWhy(_ name: String, _ kind: BLEError.Kind) {
        var script = ScriptedSession.loaded()
        let (_, reports) = scan(&script)
        script.refuse(Adapter1.setDiscoveryFilter, BlueZErrorName.invalidArguments)
        script.refuse(Adapter1.startDiscovery, name, "text")
        #expect(error(reports)?.kind == kind)
        #expect(error(reports)?.details?.contains("text") == true)
        #expect(script.session.discovery.scans.isEmpty)
    }

    @Test func aScanWaitsForTheDaemon() {
        var script = ScriptedSession()
        let (_, reports) = scan(&script)
        script.connect()
        script.refuse(DBusObjectManager.getManagedObjects, DBusErrorName.serviceUnknown)
        #expect(error(reports)?.kind == .backend)
        #expect(script.session.discovery.scans.isEmpty)
    }

    @Test func scansAreBounded() {
        var script = ScriptedSession.loaded()
        for _ in 0..<DiscoveryState.maximumScans { _ = scan(&script) }
        let (_, reports) = scan(&script)
        #expect(error(reports)?.kind == .overloaded)
    }
}
