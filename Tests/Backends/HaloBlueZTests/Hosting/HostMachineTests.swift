import BlueZVocabulary
import HaloDBus
import HaloProtocol
import HaloTesting
import HaloTransport
import TestSupport
import Testing

@testable import HaloBlueZ

@Suite("What is under way for a hosted device", .computes)
struct HostMachineTests {
    private var host = ScriptedHost.registered()

    private static let silent = AttributeID(ContractAttribute.silent.rawValue)
    private static let mouse = HostingDaemon.path("/org/bluez/hci7/dev_1")

    private static func request(
        _ number: UInt64, _ member: String, _ host: ScriptedHost,
        options: [String: DBusValue] = HostingDaemon.options()
    ) -> HostInput {
        .request(
            HostedRequest(
                number: number,
                path: host.machine.epoch?.present.first?.characteristics[silent] ?? .root,
                interface: GattCharacteristic1.interfaceName, member: member,
                arguments: [.properties(options)], sender: ScriptedHost.owner))
    }

    @Test("waiting requests are bounded, and end with the link")
    mutating func boundsWhatWaits() {
        var refused: [UInt64] = []
        for number in 1...UInt64(100) {
            refused += host.handle(Self.request(number, "ReadValue", host)).refusals
        }
        #expect(host.machine.epoch?.centrals.pending.count == HostedCentrals.maximumPending)
        #expect(refused == Array(33...100))
        #expect(host.lose().refusals == Array(1...32))
        #expect(host.machine.epoch == nil)
    }

    @Test("a device that is connected over Bluetooth Classic only is no central")
    mutating func looksAtLowEnergy() {
        _ = host.hear(
            Tree.added(
                Self.mouse,
                [
                    Device1.interfaceName: [
                        Device1.adapter: .objectPath(HostingDaemon.adapter),
                        Device1.connected: .boolean(false),
                    ],
                    BearerLE1.interfaceName: [Device1.connected: .boolean(false)],
                    BearerBREDR1.interfaceName: [Device1.connected: .boolean(false)],
                ]))
        let on = [Device1.connected: DBusValue.boolean(true)]
        #expect(host.hear(Tree.changed(Self.mouse, BearerBREDR1.interfaceName, on)).isEmpty)
        #expect(host.connect(Self.mouse).isEmpty)
        #expect(
            host.hear(Tree.changed(Self.mouse, BearerLE1.interfaceName, on)).events
                == [.connected])
        // Nor is that other link ours to end.
        let options = [AttributeOption.device: DBusValue.objectPath(Self.mouse)]
        _ = host.handle(Self.request(1, "ReadValue", host, options: options))
        let calls = host.handle(.effect(.disconnect)).calls
        #expect(calls.map(\.interface) == [BearerLE1.interfaceName])
        #expect(calls.map(\.member) == [Device1.disconnect])
    }

    @Test("a reply of a daemon that has gone is ignored", arguments: [false, true])
    mutating func dropsLateAnswers(_ isRefusal: Bool) {
        // It was asked to register something more, and has gone before it answered.
        let more = GATTService(BluetoothUUID(0xBB00), characteristics: [])
        let before = host.handle(.services(ContractPeripheral().services + [more])).questions
        _ = host.lose()
        host.owner = ":1.8"
        let after = host.load(HostingWords.adapter).questions
        let questions = (before + after).map(\.tracked)
        #expect(questions == [.register(.application), .register(.application)])
        let late = isRefusal ? DBusError(.remote, name: BlueZErrorName.failed) : nil
        let afterwards = host.answer(.register(.application), late, in: before.first?.generation)
        #expect(afterwards.isEmpty)
        #expect(host.machine.epoch?.applications.isEmpty == true, "not with this daemon")
        #expect(host.machine.deadline == nil)
        _ = host.answer(.register(.application), in: after.first?.generation)
        #expect(host.machine.epoch?.applications.count == 1)
    }

    @Test("inputs of this program that cannot come change nothing, and are reported")
    mutating func reportsItsOwnFaults() {
        let before = "\(host.machine)"
        let adapter = BlueZAdapter(HostingDaemon.adapter)
        let impossible: [HostInput] = [
            .adapter(.success(adapter)), .started([]), .effect(.wake(nil)),
            .effect(.servicesChanged),
        ]
        for input in impossible {
            let effects = host.handle(input)
            #expect(effects.count == 1 && effects.faults.count == 1, "\(input)")
        }
        #expect("\(host.machine)" == before)
        // What the daemon, the device or the app may do at any time is no fault.
        let late = host.answer(.register(.application), in: 99)
        #expect((late + host.handle(.deadline) + host.handle(.remove)).faults == [])
        #expect((host.handle(.remove) + host.handle(.started([]))).faults == [])
    }

    @Test("an adapter without its managers counts as gone until it has them again")
    func needsTheManagers() {
        for name in [GattManager1.interfaceName, LEAdvertisingManager1.interfaceName] {
            var host = ScriptedHost.registered()
            _ = host.hear(Tree.removed(HostingDaemon.adapter, [name]))
            guard case .suspended = host.machine.phase else {
                Issue.record("it goes on without \(name)")
                continue
            }
            // The others need not be there at the same time.
            let others = Set(HostingDaemon.allManagers.map(\.name)).subtracting([name])
            _ = host.hear(Tree.removed(HostingDaemon.adapter, others.sorted()))
            #expect(host.hear(Tree.added(HostingDaemon.adapter, [name: [:]])).isEmpty)
            let back = others.reduce(into: [String: Tree.Properties]()) { $0[$1] = [:] }
            let questions = host.hear(Tree.added(HostingDaemon.adapter, back)).questions
            #expect(questions.map(\.tracked) == [.register(.application)])
        }
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
                    var host = ScriptedHost.registered()
                    _ = host.handle(Self.request(1, member, host, options: [name: value]))
                    for signal in ["InterfacesAdded", "InterfacesRemoved"] {
                        for values in [[value, value, value], [value, value]] {
                            _ = host.hear(
                                DBusSignal(
                                    signal, of: DBusObjectManager.interfaceName, at: .root, values))
                        }
                    }
                    _ = host.handle(.remove)
                    let end = host.answer(.unregister(.application), DBusError(.timedOut)).end
                    #expect(end == .some(nil))
                }
            }
        }
    }

    @Test("replies to calls from before the removal do not complete it")
    mutating func removalWaitsForItsOwnAnswers() {
        let before = host.handle(.services([])).questions.first?.generation
        let questions = host.handle(.remove).questions
        #expect(questions.map(\.tracked) == [.unregister(.application)])
        #expect(host.answer(.unregister(.application), in: before).isEmpty)
        #expect(host.answer(.unregister(.application)).end == .some(nil))
    }

    @Test("registering is retried after a restart of the daemon, up to the limit")
    mutating func triesAgain() {
        // The host call returns.
        _ = host.lose()
        _ = host.load(HostingWords.adapter)
        let refusal = DBusError(.remote, name: BlueZErrorName.failed, details: "no")
        func refuse(_ times: Int) {
            for _ in 0..<times {
                #expect(host.answer(.register(.application), refusal).end == nil)
                let questions = host.pass(HostMachine.pause).questions
                #expect(questions.map(\.tracked) == [.register(.application)])
            }
        }
        func power(_ isOn: Bool) {
            _ = host.hear(
                Tree.changed(
                    HostingDaemon.adapter, Adapter1.interfaceName,
                    [Adapter1.powered: .boolean(isOn)]))
        }
        refuse(HostMachine.attempts)
        // An adapter that is switched on again may be another matter.
        power(false)
        power(true)
        refuse(HostMachine.attempts)
        // What else it says of itself is none.
        _ = host.hear(
            Tree.changed(
                HostingDaemon.adapter, Adapter1.interfaceName,
                [Adapter1.discovering: .boolean(true)]))
        let end = host.answer(.register(.application), refusal).end
        #expect(end??.kind == .backend)
    }
}
