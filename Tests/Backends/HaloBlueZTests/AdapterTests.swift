import BlueZVocabulary
import HaloDBus
import HaloTransport
import TestSupport
import Testing

@testable import HaloBlueZ

/// Adapters that are plugged in and out, and switched on and off.
@Suite(.computes) struct AdapterTests {
    private static let two = Tree.objects([
        Tree.hci0: [Adapter1.interfaceName: Tree.adapter(isPowered: false)],
        Tree.hci1: [Adapter1.interfaceName: Tree.adapter(isPowered: true, "00:AA:01:01:00:01")],
    ])

    private static let off = Tree.objects([
        Tree.hci0: [Adapter1.interfaceName: Tree.adapter(isPowered: false)]
    ])

    @Test(arguments: ["hci0", "00:aa:01:00:00:00", "/org/bluez/hci0"])
    func theNamedAdapterIsUsedThoughItIsOff(_ name: String) {
        let script = ScriptedSession.loaded(Self.two, BlueZOptions(adapter: name))
        #expect(script.session.adapters.chosen == Tree.hci0)
        #expect(script.session.adapterState == .poweredOff)
    }

    @Test func aNamedAdapterThatIsAbsentIsAnError() {
        var script = ScriptedSession.loaded(Self.two, BlueZOptions(adapter: "hci7"))
        #expect(script.session.adapterState == .unsupported)
        let heard = script.awaitAdapter()
        #expect(heard.error()?.kind == .noBluetooth)
        #expect(heard.error()?.details.contains("hci7") == true)
    }

    @Test func theAdapterInUseStaysWhileItIsOn() {
        var script = ScriptedSession.loaded(Self.two)
        script.say(
            Tree.changed(Tree.hci0, Adapter1.interfaceName, [Adapter1.powered: .boolean(true)]))
        #expect(script.session.adapters.chosen == Tree.hci1)
        script.say(
            Tree.changed(Tree.hci1, Adapter1.interfaceName, [Adapter1.powered: .boolean(false)]))
        #expect(script.session.adapters.chosen == Tree.hci0)
        #expect(script.session.adapterState == .poweredOn)
    }

    @Test func eachStateIsReportedOnce() {
        var script = ScriptedSession.loaded()
        let states = Heard<AdapterState>()
        let number = script.change { $0.observeAdapter { states.append($0) } }
        let name = Adapter1.interfaceName
        script.say(Tree.changed(Tree.hci0, name, [Adapter1.powered: .boolean(false)]))
        script.say(Tree.changed(Tree.hci0, name, [Adapter1.discovering: .boolean(false)]))
        script.say(Tree.changed(Tree.hci0, name, [Adapter1.powered: .boolean(true)]))
        script.say(Tree.removed(Tree.hci0, [name]))
        script.say(Tree.added(Tree.hci1, [name: Tree.adapterProperties]))
        script.own(nil, before: ":1.1")
        #expect(
            states.all == [.poweredOff, .poweredOn, .unsupported, .poweredOn, .unknown])
        script.change { $0.unobserveAdapter(number) }
        script.own(":1.2")
        script.answer(DBusObjectManager.getManagedObjects, [Tree.usual])
        #expect(states.count == 5)
    }

    @Test func anAdapterThatIsOffStaysOffByDefault() {
        var script = ScriptedSession.loaded(Self.off)
        let heard = script.awaitAdapter()
        #expect(heard.error()?.kind == .bluetoothOff)
        #expect(script.questions(DBusProperties.set).isEmpty)
    }

    @Test func anAdapterThatIsOffIsPoweredOnIfTheOptionsAllowIt() {
        var script = ScriptedSession.loaded(Self.off, BlueZOptions(powersOn: true))
        let (one, other) = (script.awaitAdapter(), script.awaitAdapter())
        #expect(script.questions(DBusProperties.set).count == 1)
        #expect(
            script.questions(DBusProperties.set).first?.arguments == [
                .string(Adapter1.interfaceName), .string(Adapter1.powered),
                .variant(.boolean(true)),
            ])
        script.answer(DBusProperties.set)
        #expect(one.all.isEmpty)
        script.say(
            Tree.changed(Tree.hci0, Adapter1.interfaceName, [Adapter1.powered: .boolean(true)]))
        #expect(one.all == [.success(Tree.hci0)])
        #expect(other.all == [.success(Tree.hci0)])
        #expect(script.session.nextTimer == nil)
    }

    @Test func aReplyWithoutTheChangedPropertyIsNoPower() {
        var script = ScriptedSession.loaded(Self.off, BlueZOptions(powersOn: true))
        let heard = script.awaitAdapter()
        script.answer(DBusProperties.set)
        script.passAll()
        #expect(heard.error()?.kind == .bluetoothOff)
        #expect(heard.count == 1)
    }

    @Test(
        arguments: [
            (
                BlueZErrorName.blocked, "Blocked through rfkill", BLEError.Kind.bluetoothOff,
                "rfkill"
            ),
            (BlueZErrorName.failed, "Failed", .bluetoothOff, "cannot be switched on"),
            (DBusErrorName.accessDenied, "", .unauthorized, "does not let"),
        ])
    func theErrorSaysWhyAnAdapterCannotBePoweredOn(
        _ name: String, _ text: String, _ kind: BLEError.Kind, _ words: String
    ) {
        var script = ScriptedSession.loaded(Self.off, BlueZOptions(powersOn: true))
        let heard = script.awaitAdapter()
        script.refuse(DBusProperties.set, name, text)
        #expect(heard.error()?.kind == kind)
        #expect(heard.error()?.details.contains(words) == true)
        // Another attempt asks again.
        _ = script.awaitAdapter()
        #expect(script.questions(DBusProperties.set).count == 1)
    }

    @Test func aBlockedAdapterIsNotPoweredOn() {
        var properties = Tree.adapter(isPowered: false)
        properties[Adapter1.powerState] = .string(Adapter1.blockedPowerState)
        var script = ScriptedSession.loaded(
            Tree.objects([Tree.hci0: [Adapter1.interfaceName: properties]]),
            BlueZOptions(powersOn: true))
        let heard = script.awaitAdapter()
        #expect(heard.error()?.details.contains("rfkill") == true)
        #expect(script.questions(DBusProperties.set).isEmpty)
    }

    @Test func anAdapterThatIsPluggedInLaterIsFound() {
        var script = ScriptedSession.loaded(Tree.objects([:]))
        #expect(script.session.adapterState == .unsupported)
        script.say(Tree.added(Tree.hci0, [Adapter1.interfaceName: Tree.adapterProperties]))
        #expect(script.awaitAdapter().all == [.success(Tree.hci0)])
    }

    @Test func waitingCallersAreBounded() {
        var script = ScriptedSession()
        let heard = Heard<Result<DBusObjectPath, Outage>>()
        for _ in 0..<(AdapterChoice.maximumWaiting + 5) {
            script.change { $0.whenUsable { _, result in heard.append(result) } }
        }
        #expect(heard.count == 5)
        #expect(heard.error()?.kind == .overloaded)
    }
}

/// The choice among several adapters.
@Suite(.computes) struct AdapterChoiceTests {
    private static func adapter(_ name: String, _ isOn: Bool) -> BlueZAdapter {
        var adapter = BlueZAdapter(Tree.path("/org/bluez/\(name)"))
        adapter.address = "00:00:00:00:00:0\(name.count)"
        adapter.isPowered = isOn
        return adapter
    }

    private func choice(_ on: [String], named name: String? = nil, current: String? = nil)
        -> String?
    {
        let all = ["hci10", "hci2", "hci9"].map { Self.adapter($0, on.contains($0)) }
        let chosen = BlueZAdapter.choice(
            of: all, named: name, current: current.map { Tree.path("/org/bluez/\($0)") })
        return chosen.map { String($0.path.text.dropFirst("/org/bluez/".count)) }
    }

    @Test func theFirstOneThatIsOnIsChosen() {
        #expect(choice([]) == "hci2")
        #expect(choice(["hci10", "hci9"]) == "hci9")
        #expect(choice(["hci10"]) == "hci10")
    }

    @Test func theCurrentOneStaysWhileItIsOnOrNoOtherIs() {
        #expect(choice(["hci2", "hci10"], current: "hci10") == "hci10")
        #expect(choice([], current: "hci9") == "hci9")
        #expect(choice(["hci2"], current: "hci9") == "hci2")
        #expect(choice([], current: "hci77") == "hci2")
    }

    @Test(arguments: ["hci10", "/org/bluez/hci10", "00:00:00:00:00:05"])
    func oneThatIsNamedIsChosenOnOrOff(_ name: String) {
        #expect(choice(["hci2"], named: name, current: "hci2") == "hci10")
    }

    @Test func aNameThatNoneHasChoosesNone() {
        #expect(choice(["hci2"], named: "hci1") == nil)
        #expect(choice(["hci2"], named: "") == nil)
    }
}
