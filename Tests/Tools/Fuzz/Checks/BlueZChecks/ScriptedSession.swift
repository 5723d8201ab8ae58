#if os(Linux)
@testable import HaloDBus
import HaloProtocol

@testable import BlueZVocabulary
@testable import HaloBlueZ
@testable import HaloTransport

/// A session whose bus, daemon and time are controlled by a test.
struct ScriptedSession {
    typealias Asked = (number: BlueZSession.CallNumber, call: DBusCall)

    var session: BlueZSession
    /// The calls without a reply so far.
    private(set) var asked: [Asked] = []
    /// The members of all calls so far.
    private(set) var members: [String] = []
    private(set) var opened: [UInt64] = []
    private(set) var closed: [UInt64] = []
    /// The effects outside the session so far, as text.
    let log = Heard<String>()
    /// The exports of the agent.
    let agents = Heard<Bool>()

    init(_ options: BlueZOptions = BlueZOptions(), seed: UInt64 = 1) {
        session = BlueZSession(options: options, seed: seed)
    }

    /// Creates a session that knows these objects.
    static func loaded(
        _ objects: DBusValue = Tree.usual, _ options: BlueZOptions = BlueZOptions(),
        seed: UInt64 = 1
    ) -> ScriptedSession {
        var script = ScriptedSession(options, seed: seed)
        script.change { $0.load() }
        script.connect()
        script.answer(DBusObjectManager.getManagedObjects, [objects])
        return script
    }

    /// Changes the session, and performs its effects, as the shell does.
    @discardableResult
    mutating func change<Value>(_ body: (inout BlueZSession) -> Value) -> Value {
        let value = body(&session)
        while let effect = session.nextEffect() {
            switch effect {
            case .callBack(let work): work()
            case .deliver(let attribute, let values, let events):
                for value in values { events(.value(attribute, value)) }
            case .call(let number, let call, let timeout):
                asked.append((number, call))
                members.append(call.member)
                let words = ScenarioText.words(call)
                // Keeps a line of a play short.
                let space = words.utf8.count > 64 ? "\n    " : " "
                log.append("ask \(words)\(space)for \(timeout)")
            case .forget(let number):
                for (_, call) in asked.filter({ $0.number == number }) {
                    log.append("forget \(call.member)")
                }
                asked.removeAll { $0.number == number }
            case .open(let number):
                opened.append(number)
                log.append("open the bus")
            case .close(let number):
                closed.append(number)
                log.append("close the bus")
            case .setAgent(let isThere):
                agents.append(isThere)
                log.append(isThere ? "export the agent" : "withdraw the agent")
            }
        }
        return value
    }

    /// Connects the bus for its latest request.
    mutating func connect() {
        guard let number = opened.last else { return }
        change { $0.opened(number) }
    }

    /// Answers the oldest open call of that name; returns `true` if there was one.
    @discardableResult
    mutating func answer(_ member: String, _ result: BlueZSession.Answer) -> Bool {
        guard let index = asked.firstIndex(where: { $0.call.member == member }) else {
            return false
        }
        let (number, _) = asked.remove(at: index)
        change { $0.answered(number, result) }
        return true
    }

    /// Removes an answered call.
    mutating func settle(_ number: BlueZSession.CallNumber) {
        asked.removeAll { $0.number == number }
    }

    @discardableResult
    mutating func answer(_ member: String, _ values: [DBusValue] = []) -> Bool {
        answer(member, .success(DBusReply(values)))
    }

    @discardableResult
    mutating func refuse(_ member: String, _ name: String, _ text: String = "") -> Bool {
        answer(member, .failure(DBusError(.remote, name: name, details: text)))
    }

    /// The open calls of that name.
    func questions(_ member: String) -> [DBusCall] {
        asked.map(\.call).filter { $0.member == member }
    }

    /// Delivers a signal of the bus.
    mutating func say(_ signal: DBusSignal) {
        guard let number = opened.last else { return }
        change { $0.received(signal, from: number) }
    }

    /// Delivers several signals at once; consecutive values are delivered as a batch.
    mutating func say(_ signals: [DBusSignal]) {
        guard let number = opened.last else { return }
        change { session in
            for signal in signals {
                if let value = BlueZMirror.value(in: signal) {
                    let source = DBusPropertySource(
                        signal.path, GattCharacteristic1.interfaceName, GattCharacteristic1.value)
                    let row = DBusPropertyValues(source: source, values: [value])
                    session.received(row, from: number)
                } else {
                    session.received(signal, from: number)
                }
            }
        }
    }

    /// Changes the owner of the daemon's name; `nil` for no owner.
    mutating func own(_ owner: String?, before: String? = nil) {
        say(
            DBusSignal(
                "NameOwnerChanged", of: DBusName.bus, at: .bus,
                [.string(BlueZDaemon.name), .string(before ?? ""), .string(owner ?? "")]))
    }

    /// Advances the time.
    mutating func pass(_ duration: Duration) {
        change { session in
            session.now = session.now + duration
            session.tick()
        }
    }

    /// Advances the time step by step until no timer is left, or by the limit.
    mutating func passAll(_ limit: Duration = .seconds(600)) {
        let end = session.now + limit
        while let next = session.nextTimer, next <= end {
            change { session in
                session.now = max(session.now, next)
                session.tick()
            }
        }
    }
}

/// The daemon's objects.
enum Tree {
    typealias Properties = [String: DBusValue]

    static func path(_ text: String) -> DBusObjectPath {
        (try? DBusObjectPath(text)) ?? .root
    }

    static let hci0 = path("/org/bluez/hci0")
    static let hci1 = path("/org/bluez/hci1")
    static let device = path("/org/bluez/hci0/dev_00_AA_01_01_00_01")
    static let address = "00:AA:01:01:00:01"

    static let adapterProperties: Properties = [
        Adapter1.address: .string("00:AA:01:00:00:00"), Adapter1.powered: .boolean(true),
        Adapter1.roles: .strings(["central", "peripheral"]),
    ]

    static func adapter(isPowered: Bool, _ address: String = "00:AA:01:00:00:00") -> Properties {
        [Adapter1.address: .string(address), Adapter1.powered: .boolean(isPowered)]
    }

    static let deviceProperties: Properties = [
        Device1.address: .string(address), Device1.adapter: .objectPath(hci0),
        Device1.name: .string("R02_TEST"), Device1.rssi: .int16(-50),
        Device1.uuids: .strings(["6e40fff0-b5a3-f393-e0a9-e50e24dcca9e"]),
        Device1.manufacturerData: .dictionary(
            key: .uint16, value: .variant,
            [DBusEntry(.uint16(0xFFFF), .variant(.bytes([1, 2, 3])))]),
        Device1.connected: .boolean(false), Device1.servicesResolved: .boolean(false),
    ]

    static func interfaces(_ interfaces: [String: Properties]) -> DBusValue {
        .dictionary(
            key: .string, value: .options,
            interfaces.sorted { $0.key < $1.key }.map {
                DBusEntry(.string($0.key), .properties($0.value))
            })
    }

    static func objects(_ objects: [DBusObjectPath: [String: Properties]]) -> DBusValue {
        .dictionary(
            key: .objectPath, value: .dictionary(key: .string, value: .options),
            objects.sorted { $0.key.text < $1.key.text }.map {
                DBusEntry(.objectPath($0.key), interfaces($0.value))
            })
    }

    /// One adapter that is on.
    static let usual = objects([hci0: [Adapter1.interfaceName: adapterProperties]])

    static func added(_ path: DBusObjectPath, _ all: [String: Properties]) -> DBusSignal {
        DBusSignal(
            DBusObjectManager.interfacesAdded, of: DBusObjectManager.interfaceName, at: .root,
            [.objectPath(path), interfaces(all)])
    }

    static func removed(_ path: DBusObjectPath, _ interfaces: [String]) -> DBusSignal {
        DBusSignal(
            DBusObjectManager.interfacesRemoved, of: DBusObjectManager.interfaceName, at: .root,
            [.objectPath(path), .strings(interfaces)])
    }

    static func changed(
        _ path: DBusObjectPath, _ interface: String, _ values: Properties,
        invalidated: [String] = []
    ) -> DBusSignal {
        DBusSignal(
            DBusProperties.propertiesChanged, of: DBusProperties.interfaceName, at: path,
            [.string(interface), .properties(values), .strings(invalidated)])
    }
}

/// The received elements, in order.
final class Heard<Element: Sendable>: Sendable {
    private let state = Locked<[Element]>([])

    var all: [Element] { state.withLock { $0 } }
    var count: Int { all.count }

    func append(_ element: Element) { state.withLock { $0.append(element) } }

    /// Removes and returns the received elements.
    func take() -> [Element] {
        state.withLock { elements in
            defer { elements = [] }
            return elements
        }
    }
}
#endif
