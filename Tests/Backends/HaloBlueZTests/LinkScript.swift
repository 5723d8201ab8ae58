import BlueZVocabulary
import HaloDBus
import HaloProtocol
import HaloTransport
import TestSupport
import Testing

@testable import HaloBlueZ

/// One link of a session whose bus, daemon and time are controlled by a test.
struct LinkScript {
    var script: ScriptedSession
    /// The results of attempts: the error, or `nil` for a link.
    let opened = Heard<BLEError?>()
    let events = Heard<LinkEvent>()
    let found = Heard<Result<[GATTService], BLEError>>()
    private(set) var number = LinkNumber(rawValue: 0)

    /// Creates a session with an adapter that is on, and optionally a device.
    init(_ options: BlueZOptions = BlueZOptions(), knowsDevice: Bool = true) {
        script = .loaded(Tree.usual, options)
        if knowsDevice { hear() }
    }

    // MARK: What the daemon says

    /// Reports an advertisement of the device.
    mutating func hear(_ properties: Tree.Properties = Tree.deviceProperties) {
        script.say(Tree.added(Tree.device, [Device1.interfaceName: properties]))
    }

    mutating func change(_ values: Tree.Properties, of interface: String = Device1.interfaceName) {
        script.say(Tree.changed(Tree.device, interface, values))
    }

    mutating func setConnected(_ isConnected: Bool) {
        change([Device1.connected: .boolean(isConnected)])
    }

    mutating func setResolved(_ isResolved: Bool) {
        change([Device1.servicesResolved: .boolean(isResolved)])
    }

    /// Reports the end of the link, as the daemon does.
    mutating func loseLink() {
        change([Device1.servicesResolved: .boolean(false), Device1.connected: .boolean(false)])
    }

    /// Exports the device's services.
    mutating func exportServices(mtu: UInt16? = 517) {
        for signal in GATTTree.all(mtu: mtu) { script.say(signal) }
    }

    mutating func value(_ bytes: [UInt8], of characteristic: GATTTree.Characteristic) {
        script.say(Self.told(bytes, of: characteristic))
    }

    /// The daemon's signal of a characteristic's value.
    static func told(
        _ bytes: [UInt8], of characteristic: GATTTree.Characteristic
    ) -> DBusSignal {
        Tree.changed(
            characteristic.path, GattCharacteristic1.interfaceName,
            [GattCharacteristic1.value: .bytes(bytes)])
    }

    // MARK: What the program does

    /// Requests a link.
    mutating func open(_ address: String = Tree.address) {
        let (events, opened, log) = (events, opened, script.log)
        number = script.change { session in
            session.openLink(
                to: address,
                events: { event in
                    events.append(event)
                    log.append("told \(ScenarioText.words(event))")
                }, makeDriver: { _ in SilentDriver() }
            ) { result in
                switch result {
                case .success: opened.append(nil)
                case .failure(let error): opened.append(error)
                }
                log.append("link: " + ScenarioText.words(result) { _ in "there" })
            }
        }
    }

    mutating func cancel() {
        let number = number
        script.change { $0.cancelLink(number) }
    }

    mutating func close() {
        let number = number
        script.change { $0.closeLink(number) }
    }

    mutating func pair() -> Heard<Result<Void, BLEError>> {
        let (number, heard) = (number, Heard<Result<Void, BLEError>>())
        script.change { session in
            session.submit(.pair, for: nil, on: number) { heard.append($0.map { _ in }) }
        }
        return heard
    }

    mutating func discover() {
        let (number, found) = (number, found)
        script.change { $0.discoverServices(on: number) { found.append($0) } }
    }

    /// Opens a link whose services are known.
    mutating func establish(mtu: UInt16? = 517) {
        open()
        setConnected(true)
        script.answer(Device1.connect)
        exportServices(mtu: mtu)
        setResolved(true)
        discover()
    }

    /// A link whose services are known.
    static func established() -> LinkScript {
        var link = LinkScript()
        link.establish()
        return link
    }

    /// The link's characteristic.
    func attribute(_ characteristic: GATTTree.Characteristic) -> AttributeID {
        let services = (try? found.all.last?.get()) ?? []
        for service in services {
            if let found = service.characteristic(characteristic.uuid) { return found.id }
        }
        return AttributeID(0)
    }

    mutating func read(_ attribute: AttributeID) -> Heard<Result<[UInt8], BLEError>> {
        let (number, heard) = (number, Heard<Result<[UInt8], BLEError>>())
        script.change { session in
            session.submit(.read, for: attribute, on: number) { heard.append($0) }
        }
        return heard
    }

    mutating func write(
        _ value: [UInt8], to attribute: AttributeID, _ mode: WriteMode = .withResponse
    ) -> Heard<BLEError?> {
        let (number, heard) = (number, Heard<BLEError?>())
        script.change { session in
            session.submit(.write(value, mode), for: attribute, on: number) {
                heard.append($0.failure)
            }
        }
        return heard
    }

    mutating func notify(_ isOn: Bool, _ attribute: AttributeID) -> Heard<BLEError?> {
        let (number, heard) = (number, Heard<BLEError?>())
        script.change { session in
            session.submit(.notify(isOn), for: attribute, on: number) {
                heard.append($0.failure)
            }
        }
        return heard
    }

    /// Subscribes to a characteristic's values.
    mutating func subscribe(_ characteristic: GATTTree.Characteristic) -> AttributeID {
        let attribute = attribute(characteristic)
        _ = notify(true, attribute)
        script.answer(GattCharacteristic1.startNotify)
        return attribute
    }

    var state: LinkMachine? { script.session.links.entries[number]?.machine }
    var agents: Heard<Bool> { script.agents }
}

/// The phase of a link by name.
extension LinkMachine {
    enum Name: Hashable { case waiting, searching, connecting, open, ending, disconnecting, ended }

    var name: Name {
        switch phase {
        case .searching(.waiting, _): .waiting
        case .searching: .searching
        case .connecting: .connecting
        case .open: .open
        case .ending: .ending
        case .disconnecting, .cancelling: .disconnecting
        case .ended: .ended
        }
    }

    var running: RunningOperation? { link?.running }

    /// `true` while `Connect` waits for its reply.
    var isAsking: Bool { if case .connecting(let state) = phase { state.isAsked } else { false } }
}

extension LinkTable {
    /// `true` if no state of any link is left.
    var isEmpty: Bool {
        entries.isEmpty && byDevice.isEmpty && sources.isEmpty && listening.isEmpty
            && inputs.isEmpty
    }

    /// `true` if a link or an attempt meets the condition.
    func contains(where isThere: (LinkMachine) -> Bool) -> Bool {
        entries.values.contains { isThere($0.machine) }
    }
}

extension Result {
    var failure: Failure? {
        if case .failure(let error) = self { error } else { nil }
    }
}

/// The daemon's objects of the device's services.
enum GATTTree {
    struct Characteristic: Sendable {
        let path: DBusObjectPath
        let uuid: BluetoothUUID
        let flags: [String]

        func added(mtu: UInt16?) -> DBusSignal {
            var values: Tree.Properties = [
                GattCharacteristic1.uuid: .string(uuid.description),
                GattCharacteristic1.service: .objectPath(GATTTree.service),
                GattCharacteristic1.flags: .strings(flags),
            ]
            values[GattCharacteristic1.mtu] = mtu.map { .uint16($0) }
            return Tree.added(path, [GattCharacteristic1.interfaceName: values])
        }
    }

    struct Descriptor: Sendable {
        let path: DBusObjectPath
        let uuid: BluetoothUUID
        let characteristic: DBusObjectPath

        var added: DBusSignal {
            Tree.added(
                path,
                [
                    GattDescriptor1.interfaceName: [
                        GattDescriptor1.uuid: .string(uuid.description),
                        GattDescriptor1.characteristic: .objectPath(characteristic),
                    ]
                ])
        }
    }

    /// All objects of the services.
    static func all(mtu: UInt16?) -> [DBusSignal] {
        let service = Tree.added(
            service,
            [
                GattService1.interfaceName: [
                    GattService1.uuid: .string(serviceUUID.description),
                    GattService1.device: .objectPath(Tree.device),
                    GattService1.primary: .boolean(true),
                ]
            ])
        return [service] + characteristics.map { $0.added(mtu: mtu) } + descriptors.map(\.added)
    }

    static let service = Tree.path(Tree.device.text + "/service0010")
    static let serviceUUID = BluetoothUUID(0xFFF0)
    static let text = characteristic("0011", 0xFFF1, ["read"])
    static let sink = characteristic("0014", 0xFFF2, ["write", "write-without-response"])
    static let beat = characteristic("0017", 0xFFF3, ["read", "notify"])
    static let characteristics = [beat, sink, text]
    static let descriptors = [
        Descriptor(
            path: Tree.path(beat.path.text + "/desc0019"), uuid: BluetoothUUID(0x2902),
            characteristic: beat.path),
        Descriptor(
            path: Tree.path(text.path.text + "/desc0013"), uuid: BluetoothUUID(0x2901),
            characteristic: text.path),
    ]

    private static func characteristic(
        _ handle: String, _ uuid: UInt32, _ flags: [String]
    ) -> Characteristic {
        Characteristic(
            path: Tree.path(service.text + "/char\(handle)"), uuid: BluetoothUUID(uuid),
            flags: flags)
    }
}
