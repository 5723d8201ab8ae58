import BlueZVocabulary
import HaloDBus
import HaloTransport
import TestSupport
import Testing

@testable import HaloBlueZ

/// The reasons for which a scan ends by itself.
@Suite(.computes) struct ScanEndTests {
    @Test func theEndOfTheAdapterEndsScans() {
        let name = Adapter1.interfaceName
        let ends: [(DBusSignal, BLEError.Kind)] = [
            (Tree.changed(Tree.hci0, name, [Adapter1.powered: .boolean(false)]), .bluetoothOff),
            (Tree.removed(Tree.hci0, [name]), .noBluetooth),
        ]
        for (signal, kind) in ends {
            var script = ScriptedSession.loaded()
            let (_, one) = script.scan()
            let (_, other) = script.scan()
            script.beginDiscovery()
            script.say(signal)
            #expect(one.error()?.kind == kind)
            #expect(other.error()?.kind == kind)
            #expect(one.count == 1)
            #expect(one.error()?.operation == .scan)
            // With an adapter, it goes on.
            script.say(Tree.added(Tree.hci1, [name: Tree.adapterProperties]))
            _ = script.scan()
            script.beginDiscovery()
            #expect(script.session.discovery.isRunning)
            #expect(script.session.discovery.adapter == Tree.hci1)
        }
    }

    @Test func theEndOfTheDaemonOrTheBusEndsScans() {
        for isBus in [false, true] {
            var script = ScriptedSession.loaded()
            let (_, reports) = script.scan()
            script.beginDiscovery()
            if isBus {
                script.change { $0.busEnded(1, DBusError(.disconnected)) }
            } else {
                script.own(nil, before: ":1.1")
            }
            #expect(reports.error()?.kind == .backend)
            let (_, next) = script.scan()
            if isBus { script.connect() } else { script.own(":1.2") }
            script.answer(DBusObjectManager.getManagedObjects, [Tree.usual])
            script.beginDiscovery()
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
        let (_, reports) = script.scan()
        script.refuse(Adapter1.setDiscoveryFilter, BlueZErrorName.invalidArguments)
        script.refuse(Adapter1.startDiscovery, name, "text")
        #expect(reports.error()?.kind == kind)
        #expect(reports.error()?.details?.contains("text") == true)
        #expect(script.session.discovery.scans.isEmpty)
    }

    @Test func aScanWaitsForTheDaemon() {
        var script = ScriptedSession()
        let (_, reports) = script.scan()
        script.connect()
        script.refuse(DBusObjectManager.getManagedObjects, DBusErrorName.serviceUnknown)
        #expect(reports.error()?.kind == .backend)
        #expect(script.session.discovery.scans.isEmpty)
    }

    @Test func scansAreBounded() {
        var script = ScriptedSession.loaded()
        for _ in 0..<DiscoveryState.maximumScans { _ = script.scan() }
        let (_, reports) = script.scan()
        #expect(reports.error()?.kind == .overloaded)
    }
}
