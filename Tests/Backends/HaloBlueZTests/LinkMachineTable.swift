import HaloDBus
import HaloProtocol
import HaloTransport
import TestSupport
import Testing

@testable import HaloBlueZ

/// The tables of links, row by row: `state + input -> next state: effects`. Words before an input,
/// with a comma, change the mirror or the time first.
@Suite(.computes) struct LinkMachineTableTests {
    @Test func eachRowOfTheTableHolds() throws {
        let rows = try LinkMachineTable.rows.map { row in
            let left = try #require(row.split(separator: " -> ").first)
            let found = try #require(LinkMachineTable.played(String(left)))
            return "\(left) -> \(found)"
        }
        try LinkMachineTable.file.expect(rows)
    }

    /// An input without a row changes nothing, and has no effect; but an input of this program that
    /// cannot come is reported.
    @Test(arguments: MachineBench.states.keys.sorted())
    func inputsOutsideOfTheTableHaveNoEffect(_ state: String) throws {
        let known = LinkMachineTable.known(in: state)
        for (word, input) in MachineBench.inputs where !known.contains(word) {
            var bench = try #require(MachineBench.reaching(state))
            let before = bench.machine
            let effects = bench.handle(bench.addressed(input))
            let isReported = LinkMachineTable.isFault(input, in: state)
            #expect(
                effects.map(LinkMachineTable.isReport) == (isReported ? [true] : []),
                "\(state) + \(word)")
            #expect(bench.machine == before, "\(state) + \(word)")
        }
    }

    /// A busy daemon is asked again, after a pause that doubles up to 640 ms.
    @Test func pausesDouble() throws {
        var bench = try #require(MachineBench.reaching("open, writing"))
        let busy = try #require(MachineBench.input("no inProgress"))
        var pauses: [Duration] = []
        for _ in 0..<9 {
            for case .start(.retry, let pause) in bench.handle(bench.addressed(busy)) {
                pauses.append(pause)
            }
            _ = bench.handle(.timer(.retry))
        }
        let milliseconds = [10, 20, 40, 80, 160, 320, 640, 640, 640]
        #expect(pauses == milliseconds.map { Duration.milliseconds($0) })
    }

    /// The name of a state is its phase, and each state has a row.
    @Test func everyStateIsReachedAndLeft() throws {
        for state in MachineBench.states.keys {
            let machine = try #require(MachineBench.reaching(state)).machine
            #expect(state.hasPrefix(LinkMachineTable.words(machine.phase)), "\(state)")
            #expect(
                state == "ended" || LinkMachineTable.rows.contains { $0.hasPrefix(state + " +") })
        }
    }
}

enum LinkMachineTable {
    static let file = GoldenText("Golden/BlueZ/LinkMachine.txt")

    /// Every state with its inputs, and their effects.
    static let rows = file.lines.map(String.init)

    /// The known inputs of a state, by its own rows and by those of its kinds.
    static func known(in state: String) -> Set<String> {
        var known: Set = ["agent 101", "agent 102", "agent 999"]
        for (prefix, inputs) in general where state.hasPrefix(prefix) { known.formUnion(inputs) }
        if closing.contains(state) { known.formUnion(submitted) }
        let states = [state] + (kinds[state] ?? [])
        for row in rows {
            let sides = row.split(separator: " -> ")[0].split(separator: " + ").map(String.init)
            guard states.contains(sides[0]) else { continue }
            known.insert(String(sides[1].split(separator: ", ").last ?? ""))
        }
        return known
    }

    /// States that share the rows of another state.
    private static let kinds = [
        "asked, held": ["asked"], "asked, connected": ["asked"], "asked, 4th": ["asked"],
        "asked, after others": ["asked"], "open, after a retry": ["open"],
        "open, others' new link": ["open"], "open, left over": ["open, known"],
        "open, others' link": ["open, known"], "open, others' link, subscribed": ["open, known"],
        "open, reading, one waits": ["open, reading"], "open, writing": ["open, reading"],
        "disconnecting, reading": ["ending, reading"],
    ]

    /// The states of a link that the app has closed, and not of an attempt.
    private static let closing = ["disconnecting", "disconnecting, reading"]

    private static let submitted = [
        "discover", "read beat", "write", "command", "on beat", "off beat", "read stale", "pair",
    ]

    /// The effect of an error depends on the operation; it has a row only where it differs.
    private static let answers = MachineBench.inputs.compactMap { word, input in
        if case .answered(let step, _) = input, step == 0 || step == 60 { word } else { nil }
    }

    /// The inputs that have the same effect in all states with this prefix.
    private static let general: [(String, [String])] = [
        (
            "open",
            submitted + [
                "close", "disconnected", "deviceRemoved", "lost", "unresolved", "attributes",
                "reason", "value",
            ]
        ),
        (
            "ending",
            submitted + [
                "close", "step", "connected!", "deviceRemoved", "lost", "reason", "value",
            ]
        ),
        ("disconnecting", ["deviceRemoved", "lost", "value"]),
        ("open, reading", answers), ("open, writing", answers), ("open, subscribing", answers),
        ("ending, reading", answers), ("disconnecting, reading", answers),
    ]

    /// `true` for an input of this program that cannot come in a state without a row for it.
    static func isFault(_ input: LinkInput, in state: String) -> Bool {
        switch input {
        case .timer(.quiet): !state.hasPrefix("open")
        case .close: !closing.contains(state)
        case .lookup: state != "listening, held"
        case .begin, .discover, .submit, .adapter, .timer: true
        default: false
        }
    }

    static func isReport(_ effect: LinkEffect) -> Bool {
        if case .reportFault = effect { true } else { false }
    }

    /// Plays the left side of a row; returns the right side.
    static func played(_ left: String) -> String? {
        let parts = left.split(separator: " + ").map(String.init)
        guard parts.count == 2, var bench = MachineBench.reaching(parts[0]) else { return nil }
        var words = parts[1].split(separator: ", ").map(String.init)
        let last = words.removeLast()
        for word in words where !bench.set(word) { return nil }
        guard let input = MachineBench.input(last) else { return nil }
        let effects = bench.handle(bench.addressed(input)).map(Self.words)
        let waits = "stop quiet, stop resolution, stop operation, stop retry"
        return Self.words(bench.machine.phase) + (effects.isEmpty ? "" : ": ")
            + effects.joined(separator: ", ").replacing(waits, with: "stop all waits")
            .replacing("stop operation, stop retry, ", with: "")
    }

    static func words(_ phase: LinkMachine.Phase) -> String {
        switch phase {
        case .searching(.waiting, _): "waiting"
        case .searching(.adapter, _): "adapter"
        case .searching(.listening, let attempt):
            attempt.hold == nil ? "listening" : "listening, held"
        case .searching(.pausing, _): "pausing"
        case .connecting(let state):
            switch state.stage {
            case .asked(_, let isConnected): isConnected ? "asked, connected" : "asked"
            case .answered: "answered"
            case .backingOff: "backingOff"
            case .othersConnecting: "othersConnecting"
            }
        case .open(let link): "open" + (link.running.map { ", " + words($0) } ?? "")
        case .ending: "ending"
        case .disconnecting: "disconnecting"
        case .cancelling(let state): state.stage == .asked ? "disconnecting" : "\(state.stage)"
        case .ended: "ended"
        }
    }

    private static func words(_ running: RunningOperation) -> String {
        switch (running.stage, running.operation.work) {
        case (.asked, .read): "reading"
        case (.asked, .write): "writing"
        case (.asked, .notify): "subscribing"
        case (.asked, _): "releasing"
        case (.explaining, _): "explaining"
        case (.pausing, _): "pausing"
        case (.awaitingAgent, _): "wants the agent"
        case (.pairing, _): "pairing"
        }
    }

    private static func words(_ effect: LinkEffect) -> String {
        switch effect {
        case .disconnect: "disconnect"
        case .askWhetherConnected: "ask whether connected"
        case .call(_, let call, let timeout): "\(call.member) \(timeout.components.seconds) s"
        case .start(let wait, let duration): "start \(wait) \(milliseconds(duration))"
        case .listen: "listen"
        case .unlisten: "unlisten"
        case .holdValues(_, let isHeld): isHeld ? "hold values" : "let values go"
        case .failed(let error): "failed \(words(error))"
        case .deliver(.disconnected(let reason)): "end \(words(reason))"
        case .deliver(let event): "tell \(event)"
        case .deliverValues(let values, _): "tell \(values.count)"
        case .complete(let number, .success(let value)): "done \(number) \(ScenarioText.hex(value))"
        case .complete(let number, .failure(let error)): "\(number) \(words(error))"
        case .completeServices(_, .success(let services)): "services \(services.count)"
        case .completeServices(_, .failure(let error)): "services \(words(error))"
        case .stop(let wait): "stop \(wait)"
        case .holdDiscovery(let hold): "hold \(hold)"
        case .releaseDiscovery(let hold): "release \(hold)"
        case .requestAgent(let need): "want agent \(need)"
        case .releaseAgent(let need): "release agent \(need)"
        default: "\(effect)"
        }
    }

    private static func milliseconds(_ duration: Duration) -> String {
        let (seconds, rest) = duration.components
        return "\(seconds * 1000 + rest / 1_000_000_000_000_000) ms"
    }

    private static func words(_ error: BLEError) -> String {
        let kind = errors[error.kind] ?? "\(error.kind)"
        return error.disconnectReason.map { "\(kind) \(words($0))" } ?? kind
    }

    private static func words(_ reason: DisconnectReason) -> String {
        reasons[reason.kind] ?? "\(reason.kind)"
    }

    private static let errors: [BLEError.Kind: String] = [
        .cancelled: "cancelled", .bluetoothOff: "bluetoothOff", .noBluetooth: "noBluetooth",
        .notFound: "notFound", .alreadyConnected: "alreadyConnected", .backend: "backend",
        .timedOut: "timedOut", .bondLost: "bondLost", .unauthorized: "unauthorized",
        .refused: "refused", .disconnected: "disconnected", .notPermitted: "notPermitted",
        .noSuchAttribute: "noSuchAttribute",
    ]

    private static let reasons: [DisconnectReason.Kind: String] = [
        .local: "local", .remote: "remote", .outOfReach: "outOfReach",
        .adapterGone: "adapterGone", .noResponse: "noResponse",
    ]
}
