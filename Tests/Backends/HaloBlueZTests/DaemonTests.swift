import BlueZVocabulary
import HaloDBus
import HaloProtocol
import HaloTransport
import TestSupport
import Testing

@testable import HaloBlueZ

/// A bus and a daemon that stop and start.
@Suite(.computes) struct DaemonTests {
    private static let ask = DBusObjectManager.getManagedObjects

    @Test func asksForObjectsWhenTheBusKnowsWhatIsHeard() {
        var script = ScriptedSession()
        #expect(script.session.adapterState == .unknown)
        let heard = script.awaitAdapter()
        #expect(script.opened == [1])
        #expect(script.members.isEmpty)
        script.connect()
        #expect(script.members == [Self.ask])
        #expect(heard.all.isEmpty)
        script.answer(Self.ask, [Tree.usual])
        #expect(heard.all == [.success(Tree.hci0)])
        #expect(script.session.adapterState == .poweredOn)
        #expect(script.session.nextTimer == nil)
    }

    @Test func signalsBeforeTheReplyAreAppliedAfterIt() {
        var script = ScriptedSession()
        script.change { $0.load() }
        script.connect()
        script.say(Tree.added(Tree.device, [Device1.interfaceName: Tree.deviceProperties]))
        script.say(
            Tree.changed(Tree.device, Device1.interfaceName, [Device1.connected: .boolean(true)]))
        #expect(script.session.mirror.devices.isEmpty)
        script.answer(Self.ask, [Tree.usual])
        #expect(script.session.mirror.devices[Tree.device]?.isConnected == true)
    }

    private static let otherNews: [[DBusValue]] = [
        [], [.string(BlueZDaemon.name)], [.string(BlueZDaemon.name), .string(":1.1")],
        [.string(BlueZDaemon.name), .string(":1.1"), .boolean(false)],
        [.string("org.bluez.other"), .string(":1.1"), .string("")],
        [.boolean(true), .string(":1.1"), .string("")],
    ]

    /// Signals about other names, or of the wrong form, have no effect.
    @Test(arguments: otherNews)
    func signalsAboutOtherNamesAreIgnored(_ values: [DBusValue]) {
        var script = ScriptedSession.loaded()
        let asked = script.members
        script.say(DBusSignal(DBusMessageBus.nameOwnerChanged, of: DBusName.bus, at: .bus, values))
        #expect(script.members == asked)
        #expect(script.session.adapterState == .poweredOn)
        script.own(nil, before: ":1.1")
        #expect(script.session.adapterState != .poweredOn)
    }

    @Test func tooManySignalsBeforeTheReplyAreDropped() {
        var script = ScriptedSession()
        script.change { $0.load() }
        script.connect()
        for _ in 0...DaemonState.maximumEarlySignals {
            script.say(Tree.removed(Tree.hci0, [Adapter1.interfaceName]))
        }
        #expect(script.session.daemon.earlySignals.count <= DaemonState.maximumEarlySignals)
        script.answer(Self.ask, [Tree.usual])
        #expect(script.session.adapterState == .poweredOn)
    }

    @Test func aDaemonThatExitsTakesItsObjectsAndMayComeBack() {
        var script = ScriptedSession.loaded()
        script.say(Tree.added(Tree.device, [Device1.interfaceName: Tree.deviceProperties]))
        script.own(nil, before: ":1.1")
        #expect(script.session.mirror.devices.isEmpty)
        #expect(script.session.adapterState == .unknown)
        script.own(":1.2")
        #expect(script.session.adapterState == .unknown)
        script.answer(Self.ask, [Tree.usual])
        #expect(script.session.adapterState == .poweredOn)
    }

    @Test func aDaemonThatWasReplacedIsAnotherOne() {
        var script = ScriptedSession.loaded()
        script.say(Tree.added(Tree.device, [Device1.interfaceName: Tree.deviceProperties]))
        script.own(":1.2", before: ":1.1")
        #expect(script.session.mirror.devices.isEmpty)
        script.answer(Self.ask, [Tree.usual])
        #expect(script.session.adapterState == .poweredOn)
    }

    @Test func aNewDaemonGetsTimeToFindItsAdapters() {
        var script = ScriptedSession.loaded()
        script.own(nil, before: ":1.1")
        script.own(":1.2")
        let heard = script.awaitAdapter()
        script.answer(Self.ask, [Tree.objects([:])])
        #expect(heard.all.isEmpty)
        script.say(
            Tree.added(Tree.hci0, [Adapter1.interfaceName: Tree.adapter(isPowered: false)]))
        #expect(heard.all.isEmpty)
        script.say(
            Tree.changed(Tree.hci0, Adapter1.interfaceName, [Adapter1.powered: .boolean(true)]))
        #expect(heard.all == [.success(Tree.hci0)])
    }

    @Test func aDaemonWithoutAdaptersIsAnErrorInTheEnd() {
        var script = ScriptedSession.loaded()
        script.own(":1.2", before: ":1.1")
        let heard = script.awaitAdapter()
        script.answer(Self.ask, [Tree.objects([:])])
        script.passAll()
        #expect(heard.all.count == 1)
        guard case .failure(let outage)? = heard.all.first else {
            Issue.record("an adapter was found")
            return
        }
        #expect(outage.kind == .noBluetooth)
    }

    @Test func theReplyOfAnEarlierDaemonIsIgnored() {
        var script = ScriptedSession()
        _ = script.awaitAdapter()
        script.connect()
        script.own(":1.1")
        script.own(":1.2", before: ":1.1")
        #expect(script.questions(Self.ask).count == 1)
        script.answer(Self.ask, [Tree.usual])
        #expect(script.session.adapterState == .poweredOn)
    }

    @Test func callersOfADaemonThatKeepsRestartingTimeOut() {
        var script = ScriptedSession()
        let heard = script.awaitAdapter()
        script.connect()
        for number in 0..<200 {
            script.own(":1.\(number)")
            script.pass(.seconds(1))
        }
        #expect(heard.count == 1)
    }

    @Test func afterTheEndOfTheBusTheNextAttemptOpensItAgain() {
        var script = ScriptedSession.loaded()
        script.change { $0.busEnded(1, DBusError(.disconnected, details: "gone")) }
        #expect(script.closed == [1])
        #expect(script.session.adapterState == .unknown)
        let heard = script.awaitAdapter()
        #expect(script.opened == [1, 2])
        // Events of the old connection are ignored.
        script.change { $0.opened(1) }
        #expect(script.asked.isEmpty)
        script.connect()
        script.answer(Self.ask, [Tree.usual])
        #expect(heard.all == [.success(Tree.hci0)])
    }

    @Test(
        "each cause has its kind and its text",
        arguments: [
            (DBusError(.unreachable, details: "x"), BLEError.Kind.backend, "cannot be reached"),
            (DBusError(.notAuthenticated), .unauthorized, "let this program in"),
            (
                DBusError(.remote, name: DBusErrorName.accessDenied), .unauthorized,
                "use bluetoothd"
            ),
            (DBusError(.remote, name: DBusErrorName.serviceUnknown), .backend, "not running"),
            (
                DBusError(.remote, name: DBusErrorName.spawnPrefix + "ExecFailed"), .backend,
                "cannot be started"
            ),
            (DBusError(.remote, name: DBusErrorName.noReply), .backend, "without an answer"),
            (DBusError(.timedOut), .timedOut, "in time"),
        ])
    func reasons(_ error: DBusError, _ kind: BLEError.Kind, _ words: String) {
        var script = ScriptedSession()
        let heard = script.awaitAdapter()
        script.connect()
        script.answer(Self.ask, .failure(error))
        guard case .failure(let outage)? = heard.all.first else {
            Issue.record("no reason for \(error)")
            return
        }
        #expect(outage.kind == kind)
        #expect(outage.details.contains(words), "\(outage.details)")
        let isUnauthorized = script.session.adapterState == .unauthorized
        #expect(isUnauthorized == (kind == .unauthorized))
        // The next attempt asks again.
        _ = script.awaitAdapter()
        script.answer(Self.ask, [Tree.usual])
        #expect(script.session.adapterState == .poweredOn)
    }

    @Test func anAnswerThatIsNoListIsAnError() {
        for values in [[], [DBusValue.string("objects")], [.uint32(7)]] {
            var script = ScriptedSession()
            let heard = script.awaitAdapter()
            script.connect()
            script.answer(Self.ask, values)
            #expect(heard.count == 1)
            #expect(script.session.adapterState == .unknown)
        }
    }

    @Test func manyTimersKeepTheirOrder() {
        var session = BlueZSession(options: BlueZOptions())
        var generator = SplitMix(seed: 7)
        let order = Heard<Int64>()
        var numbers: [BlueZSession.TimerNumber] = []
        for _ in 0..<2000 {
            let due = Int64.random(in: 0..<100_000, using: &generator)
            numbers.append(session.after(.microseconds(due)) { _ in order.append(due) })
        }
        for number in numbers.prefix(1500) { session.cancel(number) }
        while let next = session.nextTimer {
            session.now = next
            session.tick()
        }
        #expect(order.count == 500)
        #expect(order.all == order.all.sorted())
    }

    @Test func aTimerOfZeroFiresAtTheNextTick() {
        var session = BlueZSession(options: BlueZOptions())
        let count = Heard<Int>()
        _ = session.after(.zero) { session in
            count.append(1)
            _ = session.after(.zero) { _ in count.append(2) }
        }
        session.tick()
        #expect(count.all == [1])
        session.tick()
        #expect(count.all == [1, 2])
    }
}
