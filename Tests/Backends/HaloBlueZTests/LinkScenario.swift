import BlueZVocabulary
import HaloDBus
import HaloProtocol
import HaloTransport
import TestSupport
import Testing

@testable import HaloBlueZ

/// Scenarios of links, compared as a whole: calls to the daemon with their timeouts, events,
/// timers, and the remaining state.
@Suite(.computes) struct LinkScenarioTests {
    @Test(arguments: Scenario.all(in: "Golden/BlueZ/Links.txt"))
    func aLinkFollowsTheScenario(_ scenario: Scenario) throws {
        try scenario.expect(LinkScenario.text(scenario.text))
    }
}

/// A scenario of a link as text: a line without indentation is an input, the indented lines below
/// it are its effects.
struct LinkScenario {
    private var link: LinkScript
    private var lines: [String] = []
    private var state = ""
    private var scans: [UInt64] = []

    /// The inputs of a text with their effects.
    static func text(_ text: String) -> String {
        var steps = text.split(separator: "\n").filter { !$0.hasPrefix(" ") }.map(String.init)
        var scenario = LinkScenario(steps.removeFirst())
        for step in steps { scenario.play(step) }
        return scenario.lines.joined(separator: "\n")
    }

    /// The first line: options, and `unknown` for an undiscovered device.
    private init(_ first: String) {
        let words = Set(first.split(separator: " ").map(String.init))
        let options = BlueZOptions(
            powersOn: words.contains("powersOn"),
            pairing: words.contains("pairs") ? BlueZPairing() : nil,
            adoptsConnected: !words.contains("refuses"))
        link = LinkScript(options, knowsDevice: !words.contains("unknown"))
        _ = link.script.log.take()
        lines.append(first)
    }

    private mutating func play(_ step: String) {
        lines.append(step)
        let words = step.split(separator: " ").map(String.init)
        if !does(words), !hears(words) { Issue.record("nobody knows what this is: \(step)") }
        lines += link.script.log.take().map { "    \($0)" }
        let state = stateWords
        if state != self.state { lines.append("  (\(state))") }
        self.state = state
    }

    /// The state: the link, the next timer, the holds of discovery, the subscriptions, and the
    /// queue.
    private var stateWords: String {
        let session = link.script.session
        let due = session.nextTimer.map { "\($0.duration(since: session.now))" } ?? "never"
        let looking = "looking \(session.discovery.holdCount)/\(session.discovery.searcherCount)"
        guard let machine = link.state else { return "no link, \(due), \(looking)" }
        var words = ["\(machine.name)", due, looking]
        if !session.links.sources.isEmpty { words.append("\(session.links.sources.count) told") }
        guard let link = machine.link else { return words.joined(separator: ", ") }
        if !link.subscriptions.isEmpty { words.append("\(link.subscriptions.count) wanted") }
        if !link.operations.isEmpty { words.append("\(link.operations.count) waiting") }
        if !link.waiters.isEmpty { words.append("\(link.waiters.count) want services") }
        if link.maximumLength != 20 { words.append("up to \(link.maximumLength)") }
        return words.joined(separator: ", ")
    }

    // MARK: What the program does

    private mutating func does(_ words: [String]) -> Bool {
        let log = link.script.log
        let rest = words.dropFirst()
        switch words[0] {
        case "open": link.open(rest.first ?? Tree.address)
        case "establish": link.establish(mtu: rest.first.flatMap { UInt16($0) } ?? 517)
        case "cancel": link.cancel()
        case "close": link.close()
        case "discover":
            let (number, found) = (link.number, link.found)
            link.script.change { session in
                session.discoverServices(on: number) { result in
                    found.append(result)
                    log.append("services: " + ScenarioText.words(result) { "\($0.count)" })
                }
            }
        case "read":
            submit(.read, rest) { log.append("read: " + ScenarioText.words($0, ScenarioText.hex)) }
        case "write":
            let mode = words.count > 3 ? WriteMode.withoutResponse : .withResponse
            submit(.write(ScenarioText.bytes(words[2]), mode), rest) {
                log.append("written: " + ScenarioText.words($0) { _ in "yes" })
            }
        case "on", "off":
            let word = words[0]
            submit(.notify(word == "on"), rest) {
                log.append("\(word): " + ScenarioText.words($0) { _ in "yes" })
            }
        case "pair":
            submit(.pair, []) { log.append("paired: " + ScenarioText.words($0) { _ in "yes" }) }
        case "pass": link.script.pass(.milliseconds(Int(words[1]) ?? 0))
        case "scan": scan(rest)
        case "stop":
            guard let number = scans.popLast() else { return false }
            link.script.change { $0.endScan(number) }
        case "watch":
            link.script.change { session in
                _ = session.observeAdapter { log.append("state: \($0)") }
            }
        default: return false
        }
        return true
    }

    /// Scans for devices with some services, or for all; `again` reports duplicates.
    private mutating func scan(_ words: ArraySlice<String>) {
        let log = link.script.log
        var filter = ScanFilter(reportsDuplicates: words.contains("again"))
        filter.services = words.compactMap { try? BluetoothUUID(parsing: $0) }
        let name = "scan \(scans.count + 1)"
        let number = link.script.change { session in
            session.beginScan(filter) { result in
                log.append(
                    "\(name): "
                        + ScenarioText.words(result) { "\($0.name ?? "-") \($0.rssi ?? 0)" })
            }
        }
        scans.append(number)
    }

    private mutating func submit(
        _ work: LinkOperation.Work, _ words: ArraySlice<String>,
        _ done: @escaping LinkTable.Completion<[UInt8]>
    ) {
        let attribute = words.first.flatMap { ScenarioText.characteristics[$0] }.map {
            link.attribute($0)
        }
        let number = link.number
        link.script.change { $0.submit(work, for: attribute, on: number, done) }
    }

    // MARK: What the bus and the daemon say

    private mutating func hears(_ words: [String]) -> Bool {
        let device = Device1.interfaceName
        switch words[0] {
        case "heard": link.hear()
        case "rssi": link.change([Device1.rssi: .int16(Int16(words[1]) ?? 0)])
        case "named": link.change([Device1.name: .string(words[1])])
        case "connected": link.setConnected(words[1] == "yes")
        case "resolved": link.setResolved(words[1] == "yes")
        case "paired": link.change([Device1.paired: .boolean(words[1] == "yes")])
        case "lost": link.loseLink()
        case "services": link.exportServices(mtu: words.count > 1 ? UInt16(words[1]) : nil)
        case "forgotten": link.script.say(Tree.removed(Tree.device, [device]))
        case "gone":
            guard let path = ScenarioText.characteristics[words[1]]?.path else { return false }
            link.script.say(Tree.removed(path, [GattCharacteristic1.interfaceName]))
        case "battery":
            link.change(
                [Battery1.percentage: .byte(UInt8(words[1]) ?? 0)], of: Battery1.interfaceName)
        case "mtu":
            guard let path = ScenarioText.characteristics[words[1]]?.path else { return false }
            link.script.say(
                Tree.changed(
                    path, GattCharacteristic1.interfaceName,
                    [GattCharacteristic1.mtu: .uint16(UInt16(words[2]) ?? 0)]))
        case "value", "values":
            guard let characteristic = ScenarioText.characteristics[words[1]] else { return false }
            link.script.say(
                words.dropFirst(2).map {
                    LinkScript.told(ScenarioText.bytes($0), of: characteristic)
                })
        case "reason":
            link.script.say(
                DBusSignal(
                    Device1.disconnected, of: device, at: Tree.device,
                    [
                        .string("org.bluez.Reason." + words[1]),
                        .string(words.dropFirst(2).joined(separator: " ")),
                    ]))
        case "adapter": adapter(words[1])
        case "daemon": link.script.own(words[1] == "gone" ? nil : ":1.7")
        case "in": link.script.connect()
        case "bus":
            guard let number = link.script.opened.last else { return false }
            link.script.change { $0.busEnded(number, DBusError(.disconnected, details: "x")) }
        default: return answers(words)
        }
        return true
    }

    private mutating func adapter(_ word: String) {
        let name = Adapter1.interfaceName
        switch word {
        case "removed": link.script.say(Tree.removed(Tree.hci0, [name]))
        case "added":
            link.script.say(Tree.added(Tree.hci0, [name: Tree.adapterProperties]))
        default:
            link.script.say(
                Tree.changed(Tree.hci0, name, [Adapter1.powered: .boolean(word == "on")]))
        }
    }

    private mutating func answers(_ words: [String]) -> Bool {
        guard words.count > 1 else { return false }
        let member = words[1]
        switch words[0] {
        case "answer":
            let rest = words.dropFirst(2)
            let values: [DBusValue] =
                switch rest.first {
                case "yes": [.variant(.boolean(true))]
                case "no": [.variant(.boolean(false))]
                case "objects": [Tree.usual]
                case "nothing": [Tree.objects([:])]
                case let text?: [.bytes(ScenarioText.bytes(text))]
                case nil: []
                }
            return link.script.answer(member, values)
        case "refuse":
            let prefix =
                words[2].hasPrefix("bus.")
                ? "org.freedesktop.DBus.Error." : BlueZErrorName.prefix
            let name = words[2].hasPrefix("bus.") ? String(words[2].dropFirst(4)) : words[2]
            return link.script.refuse(
                member, prefix + name, words.dropFirst(3).joined(separator: " "))
        case "times-out": return link.script.answer(member, .failure(DBusError(.timedOut)))
        default: return false
        }
    }
}

extension ScenarioText {
    static let characteristics = [
        "beat": GATTTree.beat, "sink": GATTTree.sink, "text": GATTTree.text,
    ]
}
