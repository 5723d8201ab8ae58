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
struct HostSessionChaosTests {
    private static let owners = [":1.1", ":1.2"]
    private static let centrals = (0..<3).map {
        HostingDaemon.path("/org/bluez/hci7/dev_\($0)")
    }

    /// What has come out, and whether it may.
    private struct Witness {
        var exported: Set<DBusObjectPath> = []
        var open: Set<UInt64> = []
        var calls: [(HostSession.Purpose, UInt64)] = []
        var isConnected = false
        var isOver = false
        var mustStart = false
        var faults: [String] = []

        mutating func see(_ effect: HostSession.Effect) {
            if isOver {
                // Who asks too late is refused.
                if case .refuse = effect {} else { faults.append("\(effect) follows the end") }
            }
            switch effect {
            case .call(let purpose, _, _, let age): calls.append((purpose, age))
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
            case .tell, .alarm, .ready: break
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
            var session = HostSession(
                HostingOptions(renamesAdapter: seed % 2 == 0), HostedAdapterWish(),
                at: HostingDaemon.path("/halo/test"))
            var witness = Witness()
            var number: UInt64 = 0
            session.begin()
            for _ in 0..<200 where !witness.isOver {
                while let effect = session.nextEffect() { witness.see(effect) }
                if witness.mustStart {
                    witness.mustStart = false
                    session.started(ContractPeripheral().services)
                }
                Self.step(&session, &witness, &number, &chance)
                #expect(session.pending.count <= HostSession.mostPending)
            }
            session.lost(DBusError(.disconnected))
            while let effect = session.nextEffect() { witness.see(effect) }
            #expect(witness.isOver)
            #expect(witness.faults == [], "seed \(seed)")
        }
    }

    private static func step(
        _ session: inout HostSession, _ witness: inout Witness, _ number: inout UInt64,
        _ chance: inout SplitMix
    ) {
        let path = centrals[Int(chance.next() % 3)]
        switch chance.next() % 16 {
        case 0...5:
            guard !witness.calls.isEmpty else { return }
            let index = Int(chance.next() % UInt64(witness.calls.count))
            let (purpose, age) = witness.calls.remove(at: index)
            session.answered(purpose, answer(purpose, &chance), in: age)
        case 6...8:
            number += 1
            witness.open.insert(number)
            session.asked(request(number, path, session, &chance))
        case 9:
            session.noticed(connection(path, chance.next() % 2 == 0), isOurs: false)
        case 10:
            session.noticed(added(path, chance.next() % 2 == 0), isOurs: chance.next() % 4 == 0)
        case 11:
            guard chance.next() % 8 == 0 else { return }
            let owner = chance.next() % 2 == 0 ? "" : owners[Int(chance.next() % 2)]
            let values = [BlueZDaemon.name, "", owner].map { DBusValue.string($0) }
            session.noticed(
                DBusSignal("NameOwnerChanged", of: DBusName.bus, at: .bus, values), isOurs: false)
        case 12:
            session.now = session.now + .milliseconds(Int64(chance.next() % 3000))
            session.tick()
        case 13, 14:
            session.did(effect(&chance)) {
                chance.next() % 2 == 0
                    ? ContractPeripheral().services : [GATTService(.init(1), characteristics: [])]
            }
        default:
            if chance.next() % 32 == 0 { session.remove() }
        }
    }

    private static func effect(_ chance: inout SplitMix) -> PeripheralEffect {
        let token = ResponseToken(UInt32(chance.next() % 20))
        let attribute = AttributeID(UInt32(chance.next() % 10))
        switch chance.next() % 8 {
        case 0: return .value([1], token)
        case 1: return .done(token)
        case 2: return .refuse(.unlikely, token)
        case 3: return .notify(attribute, [1])
        case 4: return .disconnect
        case 5: return .servicesChanged
        case 6: return .advertise(nil)
        default:
            let data = AdvertisingData.connectable(
                name: "\(chance.next() % 3)", services: [BluetoothUUID(0x180D)])
            return .advertise(PeripheralAdvertisement(data))
        }
    }

    private static func answer(
        _ purpose: HostSession.Purpose, _ chance: inout SplitMix
    ) -> Result<DBusReply, DBusError> {
        guard chance.next() % 6 != 0 else {
            return .failure(DBusError(.remote, name: BlueZErrorName.failed))
        }
        guard purpose == .look else { return .success(DBusReply()) }
        return .success(
            DBusReply([HostingWords.adapter], sender: owners[Int(chance.next() % 2)]))
    }

    private static func request(
        _ number: UInt64, _ central: DBusObjectPath, _ session: HostSession,
        _ chance: inout SplitMix
    ) -> HostedRequest {
        let members = [
            "ReadValue", "WriteValue", "StartNotify", "StopNotify", "Confirm", "Release",
        ]
        let places =
            session.present.flatMap { Array($0.attributes.keys) }
            .sorted { $0.text < $1.text } + [session.advertisementPath]
        let place = places[Int(chance.next() % UInt64(places.count))]
        let interface =
            place == session.advertisementPath
            ? LEAdvertisement1.interfaceName : GattCharacteristic1.interfaceName
        let options = chance.next() % 3 == 0 ? [:] : HostingDaemon.options(central: central)
        return HostedRequest(
            number: number, path: place, interface: interface,
            member: members[Int(chance.next() % 6)],
            arguments: [.bytes([1]), .properties(options)],
            sender: chance.next() % 8 == 0 ? owners[0] : session.owner)
    }

    private static func connection(_ path: DBusObjectPath, _ isOn: Bool) -> DBusSignal {
        DBusSignal(
            DBusProperties.propertiesChanged, of: DBusProperties.interfaceName, at: path,
            [
                .string(Device1.interfaceName), .properties([Device1.connected: .boolean(isOn)]),
                .strings([String]()),
            ])
    }

    private static func added(_ path: DBusObjectPath, _ isOn: Bool) -> DBusSignal {
        DBusSignal(
            DBusObjectManager.interfacesAdded, of: DBusObjectManager.interfaceName, at: .root,
            [
                .objectPath(path),
                HostingWords.interfaces([
                    Device1.interfaceName: [
                        Device1.adapter: .objectPath(HostingDaemon.adapter),
                        Device1.connected: .boolean(isOn),
                    ]
                ]),
            ])
    }
}
#endif
