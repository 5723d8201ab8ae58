#if os(Linux)
import BlueZVocabulary
import HaloDBus
import HaloProtocol
import HaloTransport
import Testing

@testable import HaloBlueZ

/// The life of a hosted device as a text: a line that is not indented is something that happens,
/// those that are indented below it are all that comes of it.
struct HostPlay {
    private static let address = "00:AA:01:01:00:01"
    private static let owner = ":1.7"

    private var session: HostSession
    private var lines: [String] = []
    private var state = ""
    private var services: [GATTService] = []
    private var number: UInt64 = 0

    /// What comes of the lines that are not indented, with them.
    static func text(_ text: String) -> String {
        var steps = text.split(separator: "\n").filter { !$0.hasPrefix(" ") }.map(String.init)
        var play = HostPlay(steps.removeFirst())
        for step in steps { play.play(step) }
        return play.lines.joined(separator: "\n")
    }

    /// The first line: options, and which adapter is wanted.
    private init(_ first: String) {
        let words = first.split(separator: " ").map(String.init)
        session = HostSession(
            HostingOptions(renamesAdapter: words.contains("renames")),
            HostedAdapterWish(
                path: words.contains("second") ? HostingDaemon.path("/org/bluez/hci8") : nil,
                name: words.contains("named") ? "hci8" : nil,
                powersOn: words.contains("powersOn")),
            at: HostingDaemon.path("/halo/test"))
        lines.append(first)
    }

    private mutating func play(_ step: String) {
        lines.append(step)
        let words = step.split(separator: " ").map(String.init)
        if !does(words), !hears(words) { Issue.record("nobody knows what this is: \(step)") }
        while let effect = session.nextEffect() {
            guard let line = Self.words(effect) else { continue }
            lines.append("    \(line)")
        }
        let state = stateWords
        if state != self.state { lines.append("  (\(state))") }
        self.state = state
    }

    private var stateWords: String {
        var words = ["\(session.daemon)".split(separator: "(").first.map(String.init) ?? ""]
        if session.isReady { words.append("ready") }
        if let end = session.end { words.append("\(end)") }
        if let retry = session.retryAt {
            words.append("again at \(retry.duration(since: .origin))")
        }
        let known = session.applications.count
        if known > 0 { words.append("\(known) registered") }
        if case .registered = session.advertisement { words.append("advertises") }
        if let central = session.central {
            let name = central.path?.text.split(separator: "/").last ?? "somebody"
            words.append(central.isSure ? "\(name)" : "perhaps \(name)")
        }
        if !session.pending.isEmpty { words.append("\(session.pending.count) to be answered") }
        return words.joined(separator: ", ")
    }

    // MARK: What the device does

    private static let all: [String: GATTService] = [
        "a": GATTService(
            BluetoothUUID(0xFFF0),
            characteristics: [
                GATTCharacteristic(
                    AttributeID(1), BluetoothUUID(0xFFF1), .read,
                    descriptors: [GATTDescriptor(AttributeID(4), BluetoothUUID(0x2901))]),
                GATTCharacteristic(
                    AttributeID(2), BluetoothUUID(0xFFF2), [.write, .writeWithoutResponse]),
                GATTCharacteristic(AttributeID(3), BluetoothUUID(0xFFF3), .notify),
            ]),
        "b": GATTService(BluetoothUUID(0xFFE0), characteristics: []),
    ]

    private mutating func does(_ words: [String]) -> Bool {
        let services = words.dropFirst().compactMap { Self.all[$0] }
        let token = ResponseToken(words.last.flatMap { UInt32($0) } ?? 0)
        switch words[0] {
        case "begin": session.begin()
        case "started": session.started(services)
        case "consists": session.did(.servicesChanged) { services }
        case "advertises":
            let data = AdvertisingData.connectable(
                name: words[1], services: [BluetoothUUID(0xFFF0)])
            session.did(.advertise(PeripheralAdvertisement(data))) { [] }
        case "silent": session.did(.advertise(nil)) { [] }
        case "value":
            let bytes =
                words[1] == "long"
                ? [UInt8](repeating: 7, count: 600) : PlayWords.bytes(words[1])
            session.did(.value(bytes, token)) { [] }
        case "done": session.did(.done(token)) { [] }
        case "refuses":
            let code = PlayWords.bytes(words[1]).first ?? 0
            session.did(.refuse(ATTError(code: code), token)) { [] }
        case "notifies":
            let bytes =
                words[1] == "long"
                ? [UInt8](repeating: 7, count: 600) : PlayWords.bytes(words[1])
            session.did(.notify(AttributeID(3), bytes)) { [] }
        case "disconnects": session.did(.disconnect) { [] }
        case "pass":
            session.now = session.now + .milliseconds(Int(words[1]) ?? 0)
            session.tick()
        case "remove": session.remove()
        case "lost": session.lost(DBusError(.disconnected))
        default: return false
        }
        return true
    }

    // MARK: What the bus and the daemon say

    private mutating func hears(_ words: [String]) -> Bool {
        switch words[0] {
        case "look":
            let adapters = words.dropFirst().map(Self.adapter)
            let objects = DBusValue.dictionary(
                key: .objectPath, value: .dictionary(key: .string, value: .options), adapters)
            session.answered(
                .look, .success(DBusReply([objects], sender: Self.owner)), in: session.age)
        case "ok": session.answered(purpose(words[1]), .success(DBusReply()), in: session.age)
        case "no":
            let name =
                words[2].hasPrefix("bus.")
                ? "org.freedesktop.DBus.Error." + words[2].dropFirst(4)
                : BlueZErrorName.prefix + words[2]
            let error = DBusError(
                .remote, name: name, details: words.dropFirst(3).joined(separator: " "))
            session.answered(purpose(words[1]), .failure(error), in: session.age)
        case "asks": asks(words)
        case "device": device(words)
        case "power":
            notice(
                Tree.changed(
                    HostingDaemon.adapter, Adapter1.interfaceName,
                    [Adapter1.powered: .boolean(words[1] == "on")]))
        case "adapter":
            if words[1] == "removed" {
                notice(Tree.removed(HostingDaemon.adapter, [Adapter1.interfaceName]))
            } else {
                notice(Tree.added(HostingDaemon.adapter, Self.interfaces("on")))
            }
        case "owner":
            notice(
                DBusSignal(
                    "NameOwnerChanged", of: DBusName.bus, at: .bus,
                    [
                        .string(BlueZDaemon.name), .string(""),
                        .string(words[1] == "nobody" ? "" : words[1]),
                    ]))
        default: return false
        }
        return true
    }

    private mutating func notice(_ signal: DBusSignal, isOurs: Bool = false) {
        session.noticed(signal, isOurs: isOurs)
    }

    private func purpose(_ word: String) -> HostSession.Purpose {
        switch word {
        case "services": .register(.application)
        case "advertising": .register(.advertisement)
        case "no-services": .unregister(.application)
        case "no-advertising": .unregister(.advertisement)
        case "power": .power
        case "alias": .alias
        case "look": .look
        default: .disconnect
        }
    }

    private static func interfaces(_ word: String) -> [String: Tree.Properties] {
        var all: [String: Tree.Properties] = [
            Adapter1.interfaceName: [
                Adapter1.powered: .boolean(word != "off"), Adapter1.alias: .string("computer"),
                Adapter1.name: .string("host"), Adapter1.address: .string(address.lowercased()),
                Adapter1.roles: .strings(["central"]),
            ]
        ]
        if word != "no-gatt" { all[GattManager1.interfaceName] = [:] }
        if word != "no-advertising" { all[LEAdvertisingManager1.interfaceName] = [:] }
        return all
    }

    private static func adapter(_ word: String) -> DBusEntry {
        var all = interfaces(word)
        var path = HostingDaemon.adapter
        if word == "other" {
            path = HostingDaemon.path("/org/bluez/hci8")
            all[Adapter1.interfaceName]?[Adapter1.address] = .string("00:AA:01:01:00:02")
        }
        if word == "device" {
            return DBusEntry(
                .objectPath(HostingDaemon.path("/org/bluez/hci7/dev_9")),
                HostingWords.interfaces([Device1.interfaceName: device(isConnected: true)]))
        }
        return DBusEntry(.objectPath(path), HostingWords.interfaces(all))
    }

    private static func device(isConnected: Bool) -> Tree.Properties {
        [
            Device1.adapter: .objectPath(HostingDaemon.adapter),
            Device1.connected: .boolean(isConnected),
        ]
    }

    /// `device 1 came`, `device 1 connected`, `device 1 gone` …
    private mutating func device(_ words: [String]) {
        let path = HostingDaemon.path("/org/bluez/hci7/dev_\(words[1])")
        let isOurs = words.last == "ours"
        switch words[2] {
        case "came":
            notice(
                Tree.added(
                    path,
                    [Device1.interfaceName: Self.device(isConnected: words.contains("connected"))]),
                isOurs: isOurs)
        case "removed": notice(Tree.removed(path, [Device1.interfaceName]))
        default:
            notice(
                Tree.changed(
                    path, Device1.interfaceName,
                    [Device1.connected: .boolean(words[2] == "connected")]), isOurs: isOurs)
        }
    }

    /// `asks 1 ReadValue 2 mtu 100 offset 5 stranger`: device 1 something of attribute 2.
    private mutating func asks(_ words: [String]) {
        number += 1
        var options: [String: DBusValue] = [:]
        if words[1] != "?" {
            options[AttributeOption.device] = .objectPath(
                HostingDaemon.path("/org/bluez/hci7/dev_\(words[1])"))
        }
        for (word, value) in zip(words, words.dropFirst()) {
            if word == "mtu" { options[AttributeOption.mtu] = .uint16(UInt16(value) ?? 0) }
            if word == "offset" { options[AttributeOption.offset] = .uint16(UInt16(value) ?? 0) }
        }
        if words.contains("command") { options[AttributeOption.type] = .string("command") }
        if words.contains("announced") {
            options[AttributeOption.prepareAuthorize] = .boolean(true)
        }
        let id = AttributeID(UInt32(words[3]) ?? 0)
        var path = session.present.lazy.flatMap(\.attributes).first { $0.value.id == id }?.key
        var interface = GattCharacteristic1.interfaceName
        if words[2] == "Release" {
            (path, interface) = (session.advertisementPath, LEAdvertisement1.interfaceName)
        }
        var arguments: [DBusValue] = [.properties(options)]
        if words[2] == "WriteValue" { arguments.insert(.bytes([1, 2]), at: 0) }
        session.asked(
            HostedRequest(
                number: number, path: path ?? .root, interface: interface, member: words[2],
                arguments: arguments, sender: words.contains("stranger") ? ":1.9" : session.owner))
    }

    // MARK: What comes of it

    private static func words(_ effect: HostSession.Effect) -> String? {
        func place(_ path: DBusObjectPath) -> String {
            path.text.replacing("/halo/test/", with: "")
        }
        switch effect {
        case .call(_, let call, let timeout, let age):
            return "ask \(PlayWords.words(call)) for \(timeout), \(age)"
        case .export(let object): return "export \(place(object.path))"
        case .unexport(let path): return "unexport \(place(path))"
        case .value(let value, let path): return "tell \(short(value)) of \(place(path))"
        case .reply(let values, let number):
            return "answer \(number)" + values.map { " " + short($0.bytes ?? []) }.joined()
        case .refuse(let refusal, let number):
            return "refuse \(number) \(refusal.name.split(separator: ".").last ?? ""): "
                + refusal.details
        case .start: return "start"
        case .tell(let event): return "device: \(words(event))"
        case .alarm(let moment): return "alarm at \(moment.duration(since: .origin))"
        case .ready: return "ready"
        case .ended(let error): return "ended" + (error.map { ": " + PlayWords.words($0) } ?? "")
        }
    }

    private static func short(_ bytes: [UInt8]) -> String {
        bytes.count > 8 ? "\(bytes.count) bytes" : PlayWords.hex(bytes)
    }

    private static func words(_ event: PeripheralEvent) -> String {
        switch event {
        case .read(let attribute, let offset, let token):
            "read \(attribute.rawValue) from \(offset), \(token.rawValue)"
        case .write(let attribute, let value, let token):
            "write \(attribute.rawValue) \(short(value)), \(token.map { "\($0.rawValue)" } ?? "-")"
        case .subscription(let attribute, let isOn):
            "\(isOn ? "subscribed" : "unsubscribed") \(attribute.rawValue)"
        case .confirmed(let attribute): "confirmed \(attribute.rawValue)"
        default: "\(event)"
        }
    }
}
#endif
