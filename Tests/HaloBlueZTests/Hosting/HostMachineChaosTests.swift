#if os(Linux)
import BlueZVocabulary
import HaloDBus
import HaloProtocol
import HaloTesting
import HaloTransport
import Testing

@testable import HaloBlueZ

/// Whatever comes in whatever order: requests are answered once, links begin and end in turn, what
/// is exported is taken away again, and nothing follows the end.
@Suite("A hosted device in bad company")
struct HostMachineChaosTests {
    private static let owners = [":1.1", ":1.2"]
    private static let centrals = (0..<3).map {
        HostingDaemon.path("/org/bluez/hci7/dev_\($0)")
    }

    /// What has come out, and whether it may.
    private struct Witness {
        var exported: Set<DBusObjectPath> = []
        var open: Set<UInt64> = []
        var calls: [(HostedStay.Question, UInt64)] = []
        var isConnected = false
        var isOver = false
        var mustStart = false
        var faults: [String] = []

        mutating func see(_ effect: HostEffect) {
            if isOver {
                // Who asks too late is refused.
                if case .refuse = effect {} else { faults.append("\(effect) follows the end") }
            }
            switch effect {
            case .ask(let question?, _, _): calls.append(question)
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
            case .tell(.connected):
                if isConnected { faults.append("connected twice") }
                isConnected = true
            case .tell(.disconnected):
                if !isConnected { faults.append("disconnected twice") }
                isConnected = false
            case .tell, .ready: break
            case .ended:
                isOver = true
                if !exported.isEmpty { faults.append("something is left: \(exported.count)") }
                if !open.isEmpty { faults.append("not answered: \(open.count)") }
                if isConnected { faults.append("still connected") }
            }
        }
    }

    @Test("nothing that comes breaks its rules", arguments: 0..<8)
    func keepsItsRules(_ block: UInt64) async {
        for seed in block * 100..<(block + 1) * 100 {
            // Others have deadlines to keep.
            await Task.yield()
            var chance = SplitMix(seed: seed)
            var host = ScriptedHost(renamesAdapter: seed % 2 == 0)
            var witness = Witness()
            var number: UInt64 = 0
            func see(_ effects: [HostEffect]) { for effect in effects { witness.see(effect) } }
            see(host.load(HostingWords.adapter) + host.find())
            for _ in 0..<200 where !witness.isOver {
                if witness.mustStart {
                    witness.mustStart = false
                    see(host.handle(.started(ContractPeripheral().services)))
                }
                see(Self.step(&host, &witness, &number, &chance))
                let pending = host.machine.stay?.centrals.pending.count ?? 0
                #expect(pending <= HostedCentrals.mostPending)
            }
            see(host.handle(.busEnded(DBusError(.disconnected))))
            #expect(witness.isOver)
            #expect(witness.faults == [], "seed \(seed)")
        }
    }

    private static func step(
        _ host: inout ScriptedHost, _ witness: inout Witness, _ number: inout UInt64,
        _ chance: inout SplitMix
    ) -> [HostEffect] {
        let path = centrals[Int(chance.next() % 3)]
        switch chance.next() % 16 {
        case 0...5:
            guard !witness.calls.isEmpty else { return [] }
            let index = Int(chance.next() % UInt64(witness.calls.count))
            let (question, generation) = witness.calls.remove(at: index)
            let fails = chance.next() % 6 == 0
            let error = fails ? DBusError(.remote, name: BlueZErrorName.failed) : nil
            return host.answer(question, error, in: generation)
        case 6...8:
            number += 1
            witness.open.insert(number)
            return host.handle(.asked(request(number, path, host, &chance)))
        case 9:
            return host.connect(path, chance.next() % 2 == 0, isOurs: chance.next() % 4 == 0)
        case 10:
            return host.meet(path, connected: chance.next() % 2 == 0)
        case 11:
            guard chance.next() % 8 == 0 else { return [] }
            return daemon(&host, &chance)
        case 12:
            return host.pass(.milliseconds(Int64(chance.next() % 3000)))
        case 13, 14:
            return host.handle(doing(&chance))
        default:
            return chance.next() % 32 == 0 ? host.handle(.remove) : []
        }
    }

    /// The daemon or its adapter goes, or comes.
    private static func daemon(
        _ host: inout ScriptedHost, _ chance: inout SplitMix
    ) -> [HostEffect] {
        let adapter = HostingDaemon.adapter
        let manager = HostingDaemon.allManagers[Int(chance.next() % 2)].name
        switch chance.next() % 6 {
        case 0: return host.lose()
        case 1: return host.hear(Tree.removed(adapter, [Adapter1.interfaceName]))
        case 2: return host.hear(Tree.removed(adapter, [manager]))
        case 3: return host.hear(Tree.added(adapter, [manager: [:]]))
        case 4:
            let isOn = chance.next() % 2 == 0
            return host.hear(
                Tree.changed(
                    adapter, Adapter1.interfaceName, [Adapter1.powered: .boolean(isOn)]))
        default:
            let gone = host.lose()
            host.owner = owners[Int(chance.next() % 2)]
            return gone + host.load(HostingWords.adapter)
        }
    }

    private static func doing(_ chance: inout SplitMix) -> HostInput {
        guard chance.next() % 8 == 0 else { return .did(effect(&chance)) }
        return .consists(
            chance.next() % 2 == 0
                ? ContractPeripheral().services : [GATTService(.init(1), characteristics: [])])
    }

    private static func effect(_ chance: inout SplitMix) -> PeripheralEffect {
        let token = ResponseToken(UInt32(chance.next() % 20))
        let attribute = AttributeID(UInt32(chance.next() % 10))
        switch chance.next() % 7 {
        case 0: return .value([1], token)
        case 1: return .done(token)
        case 2: return .refuse(.unlikely, token)
        case 3: return .notify(attribute, [1])
        case 4: return .disconnect
        case 5: return .advertise(nil)
        default:
            let data = AdvertisingData.connectable(
                name: "\(chance.next() % 3)", services: [BluetoothUUID(0x180D)])
            return .advertise(PeripheralAdvertisement(data))
        }
    }

    private static func request(
        _ number: UInt64, _ central: DBusObjectPath, _ host: ScriptedHost,
        _ chance: inout SplitMix
    ) -> HostedRequest {
        let members = [
            "ReadValue", "WriteValue", "StartNotify", "StopNotify", "Confirm", "Release",
        ]
        let advertisement = HostingDaemon.path("/halo/test/advertisement")
        let present = host.machine.stay?.present ?? []
        let places =
            present.flatMap { Array($0.attributes.keys) }.sorted { $0.text < $1.text }
            + [advertisement]
        let place = places[Int(chance.next() % UInt64(places.count))]
        let interface =
            place == advertisement
            ? LEAdvertisement1.interfaceName : GattCharacteristic1.interfaceName
        let options = chance.next() % 3 == 0 ? [:] : HostingDaemon.options(central: central)
        return HostedRequest(
            number: number, path: place, interface: interface,
            member: members[Int(chance.next() % 6)],
            arguments: [.bytes([1]), .properties(options)],
            sender: chance.next() % 8 == 0 ? owners[0] : host.owner)
    }
}
#endif
