import BlueZVocabulary
import HaloDBus
import HaloProtocol
import HaloTesting
import HaloTransport
import TestSupport
import Testing

@testable import HaloBlueZ

/// Any inputs in any order: requests are answered once, links begin and end in turn, exports are
/// removed, and no effect follows the end.
@Suite("A hosted device in bad company", .computes)
struct HostMachineChaosTests {
    private static let owners = [":1.1", ":1.2"]
    private static let centrals = (0..<3).map {
        HostingDaemon.path("/org/bluez/hci7/dev_\($0)")
    }

    /// Checks the effects against the rules.
    private struct Witness {
        var exported: Set<DBusObjectPath> = []
        var open: Set<UInt64> = []
        var calls: [(HostedEpoch.TrackedCall, UInt64)] = []
        var isConnected = false
        var hasEnded = false
        var mustStart = false
        var faults: [String] = []

        mutating func see(_ effect: HostEffect) {
            if hasEnded {
                // Who asks too late is refused.
                if case .refuse = effect {} else { faults.append("\(effect) follows the end") }
            }
            switch effect {
            case .ask(let tracked?, _, _): calls.append(tracked)
            case .ask(nil, _, _): break
            case .export(let object):
                if !exported.insert(object.path).inserted { faults.append("exported twice") }
            case .unexport(let path):
                if exported.remove(path) == nil { faults.append("not exported") }
            case .value(_, let path):
                if !exported.contains(path) { faults.append("a value of nothing") }
            case .reply(_, let number), .refuse(_, let number):
                if open.remove(number) == nil { faults.append("answered twice") }
            case .start: mustStart = true
            case .deliver(.connected):
                if isConnected { faults.append("connected twice") }
                isConnected = true
            case .deliver(.disconnected):
                if !isConnected { faults.append("disconnected twice") }
                isConnected = false
            case .deliver, .ready: break
            case .reportFault(let text): faults.append(text)
            case .ended:
                hasEnded = true
                if !exported.isEmpty { faults.append("something is left: \(exported.count)") }
                if !open.isEmpty { faults.append("not answered: \(open.count)") }
                if isConnected { faults.append("still connected") }
            }
        }
    }

    @Test("no input breaks the rules", arguments: 0..<8)
    func keepsItsRules(_ block: UInt64) async {
        for seed in block * 100..<(block + 1) * 100 {
            // Others have deadlines to keep.
            await Task.yield()
            var generator = SplitMix(seed: seed)
            var host = ScriptedHost(renamesAdapter: seed % 2 == 0)
            var witness = Witness()
            var number: UInt64 = 0
            func see(_ effects: [HostEffect]) { for effect in effects { witness.see(effect) } }
            see(host.load(HostingWords.adapter) + host.find())
            for _ in 0..<200 where !witness.hasEnded {
                if witness.mustStart {
                    witness.mustStart = false
                    see(host.handle(.started(ContractPeripheral().services)))
                }
                see(Self.step(&host, &witness, &number, &generator))
                let pending = host.machine.epoch?.centrals.pending.count ?? 0
                #expect(pending <= HostedCentrals.maximumPending)
            }
            see(host.handle(.busEnded(DBusError(.disconnected))))
            #expect(witness.hasEnded)
            #expect(witness.faults == [], "seed \(seed)")
        }
    }

    private static func step(
        _ host: inout ScriptedHost, _ witness: inout Witness, _ number: inout UInt64,
        _ generator: inout SplitMix
    ) -> [HostEffect] {
        let path = centrals[Int(generator.next() % 3)]
        switch generator.next() % 16 {
        case 0...5:
            guard !witness.calls.isEmpty else { return [] }
            let index = Int(generator.next() % UInt64(witness.calls.count))
            let (tracked, generation) = witness.calls.remove(at: index)
            let fails = generator.next() % 6 == 0
            let error = fails ? DBusError(.remote, name: BlueZErrorName.failed) : nil
            return host.answer(tracked, error, in: generation)
        case 6...8:
            number += 1
            witness.open.insert(number)
            return host.handle(.request(request(number, path, host, &generator)))
        case 9:
            return host.connect(path, generator.next() % 2 == 0, isOurs: generator.next() % 4 == 0)
        case 10:
            return host.meet(path, connected: generator.next() % 2 == 0)
        case 11:
            guard generator.next() % 8 == 0 else { return [] }
            return daemon(&host, &generator)
        case 12:
            return host.pass(.milliseconds(Int64(generator.next() % 3000)))
        case 13, 14:
            return host.handle(doing(&generator))
        default:
            return generator.next() % 32 == 0 ? host.handle(.remove) : []
        }
    }

    /// Removes or adds the daemon or its adapter.
    private static func daemon(
        _ host: inout ScriptedHost, _ generator: inout SplitMix
    ) -> [HostEffect] {
        let adapter = HostingDaemon.adapter
        let manager = HostingDaemon.allManagers[Int(generator.next() % 2)].name
        switch generator.next() % 6 {
        case 0: return host.lose()
        case 1: return host.hear(Tree.removed(adapter, [Adapter1.interfaceName]))
        case 2: return host.hear(Tree.removed(adapter, [manager]))
        case 3: return host.hear(Tree.added(adapter, [manager: [:]]))
        case 4:
            let isOn = generator.next() % 2 == 0
            return host.hear(
                Tree.changed(
                    adapter, Adapter1.interfaceName, [Adapter1.powered: .boolean(isOn)]))
        default:
            let gone = host.lose()
            host.owner = owners[Int(generator.next() % 2)]
            return gone + host.load(HostingWords.adapter)
        }
    }

    private static func doing(_ generator: inout SplitMix) -> HostInput {
        guard generator.next() % 8 == 0 else { return .effect(effect(&generator)) }
        return .services(
            generator.next() % 2 == 0
                ? ContractPeripheral().services : [GATTService(.init(1), characteristics: [])])
    }

    private static func effect(_ generator: inout SplitMix) -> PeripheralEffect {
        let token = ResponseToken(UInt32(generator.next() % 20))
        let attribute = AttributeID(UInt32(generator.next() % 10))
        switch generator.next() % 7 {
        case 0: return .value([1], token)
        case 1: return .done(token)
        case 2: return .refuse(.unlikely, token)
        case 3: return .notify(attribute, [1])
        case 4: return .disconnect
        case 5: return .advertise(nil)
        default:
            let data = AdvertisingData.connectable(
                name: "\(generator.next() % 3)", services: [BluetoothUUID(0x180D)])
            return .advertise(PeripheralAdvertisement(data))
        }
    }

    private static func request(
        _ number: UInt64, _ central: DBusObjectPath, _ host: ScriptedHost,
        _ generator: inout SplitMix
    ) -> HostedRequest {
        let members = [
            "ReadValue", "WriteValue", "StartNotify", "StopNotify", "Confirm", "Release",
        ]
        let advertisement = HostingDaemon.path("/halo/test/advertisement")
        let present = host.machine.epoch?.present ?? []
        let places =
            present.flatMap { Array($0.attributes.keys) }.sorted { $0.text < $1.text }
            + [advertisement]
        let place = places[Int(generator.next() % UInt64(places.count))]
        let interface =
            place == advertisement
            ? LEAdvertisement1.interfaceName : GattCharacteristic1.interfaceName
        let options = generator.next() % 3 == 0 ? [:] : HostingDaemon.options(central: central)
        return HostedRequest(
            number: number, path: place, interface: interface,
            member: members[Int(generator.next() % 6)],
            arguments: [.bytes([1]), .properties(options)],
            sender: generator.next() % 8 == 0 ? owners[0] : host.owner)
    }
}
