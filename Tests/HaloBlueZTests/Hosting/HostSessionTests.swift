#if os(Linux)
import BlueZVocabulary
import HaloDBus
import HaloProtocol
import HaloTesting
import HaloTransport
import Testing

@testable import HaloBlueZ

@Suite("What is under way for a hosted device")
struct HostSessionTests {
    private static let owner = ":1.7"

    /// A session whose device is registered.
    private static func registered() -> HostSession {
        var session = HostSession(
            HostingOptions(), HostedAdapterWish(), at: HostingDaemon.path("/halo/test"))
        session.begin()
        session.answered(
            .look, .success(DBusReply([HostingWords.adapter], sender: owner)), in: session.age)
        session.started(ContractPeripheral().services)
        session.answered(.register(.application), .success(DBusReply()), in: session.age)
        return session
    }

    private static func effects(_ session: inout HostSession) -> [HostSession.Effect] {
        var all: [HostSession.Effect] = []
        while let effect = session.nextEffect() { all.append(effect) }
        return all
    }

    private static func events(_ session: inout HostSession) -> [PeripheralEvent] {
        effects(&session).compactMap { if case .tell(let event) = $0 { event } else { nil } }
    }

    private static func request(
        _ number: UInt64, _ member: String, _ session: HostSession,
        options: [String: DBusValue] = HostingDaemon.options(), sender: String = owner
    ) -> HostedRequest {
        let id = AttributeID(ContractAttribute.silent.rawValue)
        return HostedRequest(
            number: number, path: session.present.first?.characteristics[id] ?? .root,
            interface: GattCharacteristic1.interfaceName, member: member,
            arguments: [.properties(options)], sender: sender)
    }

    private static func signal(_ connected: Bool, _ path: DBusObjectPath) -> DBusSignal {
        DBusSignal(
            "PropertiesChanged", of: DBusProperties.interfaceName, at: path,
            [
                .string(Device1.interfaceName),
                .properties([Device1.connected: .boolean(connected)]), .strings([]),
            ])
    }

    @Test("a device that never answers is answered for, before the daemon gives up")
    func answersForTheSilent() {
        var session = Self.registered()
        session.asked(Self.request(1, "ReadValue", session))
        _ = Self.effects(&session)
        session.now = .origin + .milliseconds(4400)
        session.tick()
        var refusals = Self.effects(&session).filter {
            if case .refuse = $0 { true } else { false }
        }
        #expect(refusals.isEmpty)
        session.now = .origin + HostSession.patience
        session.tick()
        refusals = Self.effects(&session).filter { if case .refuse = $0 { true } else { false } }
        #expect(refusals.count == 1)
        session.did(.value([1], ResponseToken(1))) { [] }
        #expect(Self.effects(&session).isEmpty)
    }

    @Test("no more requests wait than there is room for, and all end with the link")
    func boundsWhatWaits() {
        var session = Self.registered()
        for number in 0..<UInt64(100) { session.asked(Self.request(number, "ReadValue", session)) }
        #expect(session.pending.count == HostSession.mostPending)
        var refused = Self.effects(&session).filter { if case .refuse = $0 { true } else { false } }
        #expect(refused.count == 100 - HostSession.mostPending)
        session.leave()
        refused = Self.effects(&session).filter { if case .refuse = $0 { true } else { false } }
        #expect(refused.count == HostSession.mostPending)
        #expect(session.pending.isEmpty)
    }

    @Test("who connects is taken for the central until another one asks for something")
    func guesses() {
        var session = Self.registered()
        let mouse = HostingDaemon.path("/org/bluez/hci7/dev_1")
        session.devices = [mouse: false, HostingDaemon.central: false]
        session.noticed(Self.signal(true, mouse), isOurs: false)
        session.noticed(Self.signal(true, HostingDaemon.central), isOurs: false)
        #expect(Self.events(&session) == [.connected])
        session.asked(Self.request(1, "ReadValue", session))
        let silent = AttributeID(ContractAttribute.silent.rawValue)
        #expect(
            Self.events(&session) == [
                .disconnected, .connected, .maximumLength(97),
                .read(silent, offset: 0, token: ResponseToken(1)),
            ])
        session.noticed(Self.signal(false, mouse), isOurs: false)
        #expect(Self.events(&session).isEmpty)
        session.noticed(Self.signal(false, HostingDaemon.central), isOurs: false)
        #expect(Self.events(&session) == [.disconnected])
    }

    @Test("what a central has subscribed to ends with its link, also without a word of it")
    func forgetsWhatACentralWanted() {
        var session = Self.registered()
        let next = HostingDaemon.path("/org/bluez/hci7/dev_2")
        session.devices = [HostingDaemon.central: false, next: false]
        let silent = AttributeID(ContractAttribute.silent.rawValue)
        session.noticed(Self.signal(true, HostingDaemon.central), isOurs: false)
        session.asked(Self.request(1, GattCharacteristic1.startNotify, session))
        #expect(Self.events(&session) == [.connected, .subscription(silent, isOn: true)])
        session.noticed(Self.signal(false, HostingDaemon.central), isOurs: false)
        #expect(Self.events(&session) == [.disconnected])
        session.noticed(Self.signal(true, next), isOurs: false)
        session.did(.notify(silent, [1])) { [] }
        let values = Self.effects(&session).filter { if case .value = $0 { true } else { false } }
        #expect(values.isEmpty, "the next one has not asked for any")
        session.asked(Self.request(2, GattCharacteristic1.startNotify, session))
        #expect(Self.events(&session) == [.subscription(silent, isOn: true)])
        session.did(.notify(silent, [2])) { [] }
        #expect(
            Self.effects(&session).contains { if case .value([2], _) = $0 { true } else { false } })
    }

    @Test("an answer of a daemon that has gone is nobody's", arguments: [false, true])
    func dropsLateAnswers(_ isRefusal: Bool) {
        var session = Self.registered()
        _ = Self.effects(&session)
        let before = session.age
        // It was asked to register something more, and has gone before it answered.
        session.offer(
            ContractPeripheral().services + [
                GATTService(BluetoothUUID(0xBB00), characteristics: [])
            ])
        session.went()
        session.begin()
        session.answered(
            .look, .success(DBusReply([HostingWords.adapter], sender: ":1.8")), in: session.age)
        let calls = Self.effects(&session).compactMap { effect in
            if case .call(.register(.application), _, _, let age) = effect { age } else { nil }
        }
        #expect(calls == [before, session.age])
        let late: Result<DBusReply, DBusError> =
            isRefusal
            ? .failure(DBusError(.remote, name: BlueZErrorName.failed, details: "late"))
            : .success(DBusReply())
        session.answered(.register(.application), late, in: before)
        #expect(session.applications.isEmpty, "it is not registered with this daemon")
        #expect(session.retryAt == nil)
        #expect(Self.effects(&session).isEmpty)
        session.answered(.register(.application), .success(DBusReply()), in: session.age)
        #expect(session.applications.count == 1)
    }

    @Test("the only one that came since the daemon was started again is the central for certain")
    func forgetsWhoCameBefore() {
        var session = Self.registered()
        let next = HostingDaemon.path("/org/bluez/hci7/dev_2")
        session.devices = [HostingDaemon.central: false]
        session.noticed(Self.signal(true, HostingDaemon.central), isOurs: false)
        session.went()
        session.begin()
        session.answered(
            .look, .success(DBusReply([HostingWords.adapter], sender: Self.owner)),
            in: session.age)
        session.answered(.register(.application), .success(DBusReply()), in: session.age)
        session.devices = [next: false]
        session.noticed(Self.signal(true, next), isOurs: false)
        session.asked(Self.request(1, GattCharacteristic1.startNotify, session))
        _ = Self.effects(&session)
        session.did(.disconnect) { [] }
        let paths = Self.effects(&session).compactMap { effect in
            if case .call(.disconnect, let call, _, _) = effect { call.path } else { nil }
        }
        #expect(paths == [next])
    }

    @Test("a device that this program connects to is no central")
    func knowsItsOwn() {
        var session = Self.registered()
        session.devices = [HostingDaemon.central: false]
        session.noticed(Self.signal(true, HostingDaemon.central), isOurs: true)
        #expect(Self.events(&session).isEmpty)
        #expect(session.central == nil)
    }

    @Test("options of any type do no harm")
    func survivesAnything() {
        let odd: [DBusValue] = [
            .string(""), .int64(-1), .uint64(.max), .bytes([1]), .boolean(true),
            .objectPath(.root), .variant(.variant(.uint16(9))), .double(1),
        ]
        let names = ["offset", "mtu", "device", "type", "link", "prepare-authorize"]
        for member in ["ReadValue", "WriteValue", "StartNotify", "Confirm", "Nothing"] {
            for name in names {
                for value in odd {
                    var session = Self.registered()
                    session.asked(Self.request(1, member, session, options: [name: value]))
                    session.noticed(
                        DBusSignal(name, of: member, at: .root, [value, value, value]),
                        isOurs: false)
                    for signal in ["NameOwnerChanged", "InterfacesAdded", "InterfacesRemoved"] {
                        session.noticed(
                            DBusSignal(signal, of: DBusName.bus, at: .root, [value, value, value]),
                            isOurs: false)
                        session.noticed(
                            DBusSignal(signal, of: DBusName.bus, at: .root, [value, value]),
                            isOurs: false)
                    }
                    session.remove()
                    session.answered(
                        .unregister(.application), .failure(DBusError(.timedOut)),
                        in: session.age)
                    #expect(session.end == .over)
                    _ = Self.effects(&session)
                }
            }
        }
    }

    @Test("an answer to what was asked before the removal does not stand for it")
    func removalWaitsForItsOwnAnswers() {
        var session = Self.registered()
        session.offer([])
        let before = session.age
        session.remove()
        session.answered(.unregister(.application), .success(DBusReply()), in: before)
        #expect(session.end == .removing)
        session.answered(.unregister(.application), .success(DBusReply()), in: session.age)
        #expect(session.end == .over)
    }

    @Test("of a crowd of devices not more are remembered than a mirror has")
    func boundsDevices() {
        var session = Self.registered()
        let adapter = DBusValue.objectPath(HostingDaemon.adapter)
        for number in 0..<BlueZMirror.maximumDevices + 100 {
            let path = HostingDaemon.path("/org/bluez/hci7/dev_\(number)")
            let interfaces = HostingWords.interfaces([
                Device1.interfaceName: [Device1.adapter: adapter]
            ])
            session.noticed(
                DBusSignal(
                    DBusObjectManager.interfacesAdded, of: DBusObjectManager.interfaceName,
                    at: .root, [.objectPath(path), interfaces]), isOurs: false)
        }
        #expect(session.devices.count == BlueZMirror.maximumDevices)
    }

    @Test("a daemon that came back and refuses is asked so often, and then it ends")
    func triesAgain() {
        var session = Self.registered()
        session.went()
        session.begin()
        session.daemon = .here(adapter: HostingDaemon.adapter)
        session.reconcile()
        let refusal = Result<DBusReply, DBusError>.failure(
            DBusError(.remote, name: BlueZErrorName.failed, details: "no"))
        func refuse(_ times: Int) {
            for _ in 0..<times {
                session.answered(.register(.application), refusal, in: session.age)
                #expect(session.end == nil)
                _ = Self.effects(&session)
                session.now = session.now + HostSession.pause
                session.tick()
                let isAsked = Self.effects(&session).contains {
                    if case .call(.register(.application), _, _, _) = $0 { true } else { false }
                }
                #expect(isAsked, "it is tried again")
            }
        }
        refuse(HostSession.attempts)
        // An adapter that is switched on again may be another matter.
        session.power(false)
        session.power(true)
        refuse(HostSession.attempts)
        session.answered(.register(.application), refusal, in: session.age)
        #expect(session.end == .over)
        guard case .ended(let error?) = Self.effects(&session).last else {
            Issue.record("it has not ended")
            return
        }
        #expect(error.kind == .backend)
    }
}
#endif
