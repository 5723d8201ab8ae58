import BlueZVocabulary
import HaloDBus
import HaloProtocol
import HaloTransport
import TestSupport
import Testing

@testable import HaloBlueZ

/// Scenarios of hosted devices, compared as a whole: calls to the daemon with their timeouts,
/// replies, events of the device, and timers.
@Suite(.computes) struct HostScenarioTests {
    @Test(arguments: Scenario.all(in: "Golden/BlueZ/Hosting.txt"))
    func aHostedDeviceFollowsTheScenario(_ scenario: Scenario) throws {
        try scenario.expect(HostScenario.text(scenario.text))
    }
}

/// A scenario of a hosted device as text: a line without indentation is an input, the indented
/// lines below it are its effects.
struct HostScenario {
    private static let address = "00:AA:01:01:00:01"

    private var host: ScriptedHost
    private var lines: [String] = []
    private var state = ""
    private var number: UInt64 = 0

    /// The inputs of a text with their effects.
    static func text(_ text: String) -> String {
        var steps = text.split(separator: "\n").filter { !$0.hasPrefix(" ") }.map(String.init)
        var scenario = HostScenario(steps.removeFirst())
        for step in steps { scenario.play(step) }
        return scenario.lines.joined(separator: "\n")
    }

    /// The first line: options.
    private init(_ first: String) {
        let words = first.split(separator: " ").map(String.init)
        host = ScriptedHost(
            renamesAdapter: words.contains("renames"), powersOn: words.contains("powersOn"))
        lines.append(first)
    }

    private mutating func play(_ step: String) {
        lines.append(step)
        let words = step.split(separator: " ").map(String.init)
        guard let effects = does(words) ?? hears(words) else {
            Issue.record("nobody knows what this is: \(step)")
            return
        }
        lines += effects.map { "    \(Self.words($0))" }
        let state = stateWords
        if state != self.state { lines.append("  (\(state))") }
        self.state = state
    }

    private var stateWords: String {
        let machine = host.machine
        var words = ["\(machine.phase)".split(separator: "(").first.map(String.init) ?? ""]
        guard let epoch = machine.epoch else { return words[0] }
        words.append("\(epoch.stage)".replacing("attemptsLeft: ", with: ""))
        if let retry = epoch.retryAt {
            words.append("again at \(retry.duration(since: .origin))")
        }
        let known = epoch.applications.count
        if known > 0 { words.append("\(known) registered") }
        if epoch.isAdvertising { words.append("advertises") }
        if let central = epoch.centrals.central {
            let name = central.path?.text.split(separator: "/").last ?? "somebody"
            words.append(central.isConfirmed ? "\(name)" : "perhaps \(name)")
        }
        let pending = epoch.centrals.pending.count
        if pending > 0 { words.append("\(pending) to be answered") }
        if pending > 0, let due = epoch.centrals.deadline {
            words.append("by \(due.duration(since: .origin))")
        }
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

    private mutating func does(_ words: [String]) -> [HostEffect]? {
        let services = words.dropFirst().compactMap { Self.all[$0] }
        let token = ResponseToken(words.last.flatMap { UInt32($0) } ?? 0)
        switch words[0] {
        case "started": return host.handle(.started(services))
        case "consists": return host.handle(.services(services))
        case "advertises":
            let data = AdvertisingData.connectable(
                name: words[1], services: [BluetoothUUID(0xFFF0)])
            return host.handle(.effect(.advertise(PeripheralAdvertisement(data))))
        case "silent": return host.handle(.effect(.advertise(nil)))
        case "value": return host.handle(.effect(.value(Self.bytes(words[1]), token)))
        case "done": return host.handle(.effect(.done(token)))
        case "refuses":
            let code = ScenarioText.bytes(words[1]).first ?? 0
            return host.handle(.effect(.refuse(ATTError(code: code), token)))
        case "notifies":
            return host.handle(.effect(.notify(AttributeID(3), Self.bytes(words[1]))))
        case "disconnects": return host.handle(.effect(.disconnect))
        case "pass": return host.pass(.milliseconds(Int(words[1]) ?? 0))
        case "remove": return host.handle(.remove)
        case "lost": return host.handle(.busEnded(DBusError(.disconnected)))
        default: return nil
        }
    }

    private static func bytes(_ word: String) -> [UInt8] {
        word == "long" ? [UInt8](repeating: 7, count: 600) : ScenarioText.bytes(word)
    }

    // MARK: What the bus and the daemon say

    private mutating func hears(_ words: [String]) -> [HostEffect]? {
        switch words[0] {
        case "adapters":
            _ = host.mirror.load(Self.objects(words))
            return host.find()
        case "loaded": return host.load(Self.objects(words))
        case "ok": return tracked(words[1]).map { host.answer($0) } ?? []
        case "no":
            let name = BlueZErrorName.prefix + words[2]
            let error = DBusError(
                .remote, name: name, details: words.dropFirst(3).joined(separator: " "))
            return tracked(words[1]).map { host.answer($0, error) } ?? []
        case "asks": return asks(words)
        case "device": return device(words)
        case "power":
            return host.hear(
                Tree.changed(
                    HostingDaemon.adapter, Adapter1.interfaceName,
                    [Adapter1.powered: .boolean(words[1] == "on")]))
        case "adapter":
            return host.hear(
                words[1] == "removed"
                    ? Tree.removed(HostingDaemon.adapter, [Adapter1.interfaceName])
                    : Tree.added(HostingDaemon.adapter, Self.interfaces("on")))
        case "owner":
            let gone = host.lose()
            host.owner = words[1] == "nobody" ? nil : words[1]
            return gone
        default: return nil
        }
    }

    private static func objects(_ words: [String]) -> DBusValue {
        .dictionary(
            key: .objectPath, value: .dictionary(key: .string, value: .options),
            words.dropFirst().map(Self.adapter))
    }

    private func tracked(_ word: String) -> HostedEpoch.TrackedCall? {
        switch word {
        case "services": .register(.application)
        case "advertising": .register(.advertisement)
        case "no-services": .unregister(.application)
        case "no-advertising": .unregister(.advertisement)
        default: nil
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
    private mutating func device(_ words: [String]) -> [HostEffect] {
        let path = HostingDaemon.path("/org/bluez/hci7/dev_\(words[1])")
        let isOurs = words.last == "ours"
        switch words[2] {
        case "came":
            let device = Self.device(isConnected: words.contains("connected"))
            return host.hear(Tree.added(path, [Device1.interfaceName: device]), isOurs: isOurs)
        case "removed": return host.hear(Tree.removed(path, [Device1.interfaceName]))
        default: return host.connect(path, words[2] == "connected", isOurs: isOurs)
        }
    }

    /// Parses a request to device 1 for attribute 2:
    /// `asks 1 ReadValue 2 mtu 100 offset 5 stranger`.
    private mutating func asks(_ words: [String]) -> [HostEffect] {
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
        let present = host.machine.epoch?.present ?? []
        var path = present.lazy.flatMap(\.attributes).first { $0.value.id == id }?.key
        var interface = GattCharacteristic1.interfaceName
        if words[2] == "Release" {
            path = HostingDaemon.path("/halo/test/advertisement")
            interface = LEAdvertisement1.interfaceName
        }
        var arguments: [DBusValue] = [.properties(options)]
        if words[2] == "WriteValue" { arguments.insert(.bytes([1, 2]), at: 0) }
        let request = HostedRequest(
            number: number, path: path ?? .root, interface: interface, member: words[2],
            arguments: arguments, sender: words.contains("stranger") ? ":1.9" : host.owner)
        return host.handle(.request(request))
    }

    // MARK: What comes of it

    private static func words(_ effect: HostEffect) -> String {
        func place(_ path: DBusObjectPath) -> String {
            path.text.replacing("/halo/test/", with: "")
        }
        switch effect {
        case .ask(let tracked, let call, let timeout):
            let generation = tracked.map { ", \($0.generation)" } ?? ""
            return "ask \(ScenarioText.words(call)) for \(timeout)\(generation)"
        case .export(let object): return "export \(place(object.path))"
        case .unexport(let path): return "unexport \(place(path))"
        case .value(let value, let path): return "tell \(short(value)) of \(place(path))"
        case .reply(let values, let number):
            return "answer \(number)" + values.map { " " + short($0.bytes ?? []) }.joined()
        case .refuse(let refusal, let number):
            return "refuse \(number) \(refusal.name.split(separator: ".").last ?? ""): "
                + refusal.details
        case .start: return "start"
        case .deliver(let event): return "device: \(words(event))"
        case .ready: return "ready"
        case .reportFault(let text): return "fault: \(text)"
        case .ended(let error): return "ended" + (error.map { ": " + ScenarioText.words($0) } ?? "")
        }
    }

    private static func short(_ bytes: [UInt8]) -> String {
        bytes.count > 8 ? "\(bytes.count) bytes" : ScenarioText.hex(bytes)
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
