import BlueZVocabulary
import HaloDBus
import HaloProtocol
import HaloTransport

@testable import HaloBlueZ

/// A link's machine alone, with a mirror and a time that a test sets. States and inputs are written
/// as words.
struct MachineBench {
    private(set) var machine = LinkMachine(address: Tree.address)
    private var mirror = BlueZMirror()
    private var now = Moment.origin
    private var lastNumber: UInt64 = 100
    private let options: BlueZOptions

    /// Creates a machine before its first input. Words for options: `pairs`, `refuses`.
    init(_ words: String = "") {
        options = BlueZOptions(
            pairing: words.contains("pairs") ? BlueZPairing() : nil,
            adoptsConnected: !words.contains("refuses"))
        _ = mirror.load(Tree.usual)
        _ = mirror.apply(Tree.added(Tree.device, [Device1.interfaceName: Tree.deviceProperties]))
    }

    /// Passes an input to the machine; returns its effects.
    mutating func handle(_ input: LinkInput) -> [LinkEffect] {
        var turn = LinkTurn(
            now: now, mirror: mirror, options: options, lastNumber: lastNumber)
        machine.handle(input, &turn)
        lastNumber = turn.lastNumber
        return turn.effects
    }

    // MARK: What the machine looks at

    /// Changes the mirror or the time; returns `false` for an unknown word.
    mutating func set(_ word: String) -> Bool {
        switch word {
        case "connected": mirror.devices[Tree.device]?.isConnected = true
        case "apart": mirror.devices[Tree.device]?.isConnected = false
        case "known": mirror.devices[Tree.device]?.isResolved = true
        case "subscribed":
            _ = mirror.apply(
                Tree.changed(
                    GATTTree.beat.path, GattCharacteristic1.interfaceName,
                    [GattCharacteristic1.notifying: .boolean(true)]))
        case "off": mirror.adapters[Tree.hci0]?.isPowered = false
        case "services":
            for each in GATTTree.all(mtu: nil) { _ = mirror.apply(each) }
        case "fewer":
            _ = mirror.apply(
                Tree.removed(GATTTree.text.path, [GattCharacteristic1.interfaceName]))
        case "battery":
            mirror.batteries[Tree.device] = 80
        case "batteryless": mirror.devices[Tree.device]?.uuids = [StandardServices.battery]
        case "longer":
            for each in GATTTree.all(mtu: 185) { _ = mirror.apply(each) }
        default:
            guard word.hasSuffix("ms"), let count = Int(word.dropLast(2)) else { return false }
            now = now + .milliseconds(count)
        }
        return true
    }

    // MARK: States

    /// The way to each state: options, and then inputs.
    static let states: [String: String] = [
        "waiting": "",
        "adapter": "|begin",
        "listening": "|begin/adapter",
        "listening, held": "|begin/adapter/look",
        "listening, refusing": "refuses|begin/adapter",
        "listening, pairing": "pairs|begin/adapter",
        "pausing": "|begin/adapter/there/deviceRemoved",
        "asked": "|begin/adapter/there",
        "asked, held": "|begin/adapter/look/there",
        "asked, connected": "|begin/adapter/there/connected/connected!",
        "asked, 4th": "|begin/adapter/there/fail cancelled/step/fail cancelled/step/"
            + "fail cancelled/step",
        "asked, after others": "|begin/adapter/there/fail inProgress/step",
        "answered": "|begin/adapter/there/connect",
        "backingOff": "|begin/adapter/there/fail cancelled",
        "othersConnecting": "|begin/adapter/there/fail inProgress",
        "othersConnecting, refusing": "refuses|begin/adapter/there/fail inProgress",
        "open": opened,
        "open, others' new link": "|begin/adapter/connected/there",
        "open, others' link": others + "/discover",
        "open, others' link, subscribed": others + "/discover/on beat/yes",
        "open, left over": "|begin/adapter/services/known/connected/there",
        "open, wanted": opened + "/discover",
        "open, settling": opened + "/discover/known/resolved",
        "open, explained": opened + "/reason",
        "open, known": known,
        "open, after a retry": "|begin/adapter/there/services/resolved/fail cancelled/step/"
            + "connected/connected!/step",
        "open, subscribed": known + "/on beat/yes",
        "open, subscribing, off": known + "/on beat/yes/off beat",
        "open, reading": known + "/read beat",
        "open, reading, one waits": known + "/read beat/write",
        "open, writing": known + "/write",
        "open, pausing": known + "/write/no inProgress",
        "open, explaining": known + "/write/no unlikely",
        "open, explaining the end": known + "/write/no notConnected",
        "open, wants the agent": paired + "/write/no notPaired",
        "open, pairing": paired + "/write/no notPaired/agent 102",
        "open, pairing for the app": known + "/pair/agent 101",
        "ending": opened + "/apart/disconnected",
        "ending, reading": known + "/read beat/apart/disconnected",
        "disconnecting": known + "/close",
        "disconnecting, reading": known + "/read beat/close",
        "disconnecting, pending": "|begin/adapter/there/cancel",
        "disconnecting, answered": "|begin/adapter/there/connect/cancel",
        "stray": "|begin/adapter/there/cancel/connect",
        "checking": "|begin/adapter/there/cancel/connect/step",
        "ended": "|cancel",
    ]

    private static let opened = "|begin/adapter/there/connected/connect"
    private static let others = "|begin/adapter/services/known/subscribed/connected/there"
    private static let known = known(with: "")
    private static let paired = known(with: "pairs")

    private static func known(with options: String) -> String {
        options + opened + "/services/known/resolved/discover"
    }

    /// Creates a machine in a state.
    static func reaching(_ state: String) -> MachineBench? {
        guard let way = states[state] else { return nil }
        let parts = way.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
        var bench = MachineBench(parts[0])
        for word in parts.dropFirst().joined().split(separator: "/").map(String.init) {
            if bench.set(word) { continue }
            guard let input = input(word) else { return nil }
            _ = bench.handle(bench.addressed(input))
        }
        return bench
    }
}

extension MachineBench {
    // MARK: Inputs

    private static let sink = AttributeID(3)
    private static let beat = AttributeID(4)
    private static let error = BLEError(.cancelled, .connect)

    private static func operation(
        _ number: UInt64, _ attribute: AttributeID?, _ work: LinkOperation.Work
    ) -> LinkInput {
        .submit(LinkOperation(number: number, attribute: attribute, work: work))
    }

    private static func failure(_ name: String, _ text: String = "") -> DBusError {
        DBusError(.remote, name: name, details: text)
    }

    /// The daemon's errors.
    private static let faults: [(String, DBusError)] = [
        ("inProgress", failure(BlueZErrorName.inProgress)),
        ("cancelled", failure(BlueZErrorName.failed, DBusRefusal.connectionCancelled.details)),
        ("aborted", failure(BlueZErrorName.failed, DBusRefusal.abortedByLocal.details)),
        ("alreadyConnected", failure(BlueZErrorName.alreadyConnected)),
        ("unknownObject", failure(DBusErrorName.unknownObject)),
        ("notReady", failure(BlueZErrorName.notReady)),
        ("inputOutput", failure(BlueZErrorName.failed, DBusRefusal.inputOutput.details)),
        ("bondLost", failure(BlueZErrorName.failed, DBusRefusal.keyMissing.details)),
        ("denied", failure(DBusErrorName.accessDenied)),
        ("other", failure("no.name")),
        ("timedOut", DBusError(.timedOut)),
        ("unlikely", failure(BlueZErrorName.failed, DBusRefusal.att(0x0E).details)),
        ("notConnected", failure(BlueZErrorName.failed, DBusRefusal.notConnected.details)),
        ("notPaired", failure(BlueZErrorName.notPermitted, DBusRefusal.notPaired.details)),
        ("notSupported", failure(BlueZErrorName.notSupported)),
        ("refused", failure(BlueZErrorName.failed, DBusRefusal.att(0x80).details)),
    ]

    /// The inputs by words. Replies to `Connect` are for the first one, unless the state names
    /// another. Replies to operations are for the last one.
    static let inputs: [(String, LinkInput)] =
        [
            ("begin", .begin), ("cancel", .cancel), ("close", .close),
            ("discover", .discover(50)),
            ("read beat", operation(60, beat, .read)),
            ("write", operation(61, sink, .write([1], .withResponse))),
            ("command", operation(61, sink, .write([2], .withoutResponse))),
            ("on beat", operation(62, beat, .notify(true))),
            ("off beat", operation(61, beat, .notify(false))),
            ("read stale", operation(63, AttributeID(99), .read)),
            ("pair", operation(64, nil, .pair)),
            ("adapter", .adapter(.success(Tree.hci0))),
            ("no adapter", .adapter(.failure(Outage(.noBluetooth, "none")))),
            ("look", .lookup(.unknown)), ("disconnecting", .lookup(.disconnecting)),
            ("inUse", .lookup(.inUse)),
            ("there", .lookup(.there(Tree.device))),
            ("discovery", .discoveryEnded(Outage(.backend, "no"), on: Tree.hci0)),
            ("other discovery", .discoveryEnded(Outage(.backend, "no"), on: Tree.hci1)),
            ("lost", .lost(DisconnectReason(.adapterGone), orElse: .bluetoothOff)),
            ("agent 101", .agentReady(101)), ("agent 102", .agentReady(102)),
            ("agent 999", .agentReady(999)),
            ("connected!", .connected), ("disconnected", .disconnected),
            ("deviceRemoved", .deviceRemoved), ("paired", .paired),
            ("resolved", .resolved(true)), ("unresolved", .resolved(false)),
            ("attributes", .attributesChanged), ("mtu", .mtuChanged), ("level", .battery(80)),
            ("reason", .reason(name: BlueZReason.timeout, text: "")),
            ("value", .value([7], beat)),
            ("disconnect", .disconnectAnswered), ("strayChecked", .strayChecked),
            ("pairYes", .pairAnswered(need: 102, nil)),
            ("pairNo", .pairAnswered(need: 102, failure(BlueZErrorName.authenticationFailed))),
            ("pairBusy", .pairAnswered(need: 102, failure(BlueZErrorName.inProgress))),
            ("pairYes 101", .pairAnswered(need: 101, nil)),
            ("step", .timer(.step)), ("quiet", .timer(.quiet)),
            ("resolution", .timer(.resolution)), ("operation", .timer(.operation)),
            ("retry", .timer(.retry)),
            ("connect", .connectAnswered(attempt: 1, nil)),
            ("connect 9", .connectAnswered(attempt: 9, nil)),
            ("fail 4th", .connectAnswered(attempt: 4, failure("no.name"))),
            ("bytes", .answered(step: 60, .success(DBusReply([.bytes([7])])))),
            ("nothing", .answered(step: 60, .success(DBusReply()))),
            ("no read", .answered(step: 60, .failure(failure("no.name")))),
            ("late read", .answered(step: 60, .failure(DBusError(.timedOut)))),
            ("yes", .answered(step: 0, .success(DBusReply()))),
        ] + faults.map { ("fail \($0.0)", .connectAnswered(attempt: 0, $0.1)) }
        + faults.map { ("no \($0.0)", .answered(step: 0, .failure($0.1))) }

    static func input(_ word: String) -> LinkInput? { inputs.first { $0.0 == word }?.1 }

    /// Addresses a reply to the last request; other inputs are unchanged.
    func addressed(_ input: LinkInput) -> LinkInput {
        switch (input, machine.phase) {
        case (.connectAnswered(0, let error), .connecting(let state)):
            .connectAnswered(attempt: state.attempt.count, error)
        case (.answered(0, let answer), _):
            .answered(step: machine.running?.operation.number ?? 0, answer)
        default: input
        }
    }
}
