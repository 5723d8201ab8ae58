#if os(Linux)
import HaloProtocol
import HaloTesting

@testable import BlueZVocabulary
@testable import HaloBlueZ
@testable import HaloDBus
@testable import HaloTransport

/// Drives a session as bytes decide, and counts the completions.
struct SessionDrill {
    /// The requests, and the count of their completions.
    private final class Tally: Sendable {
        private let counts = Locked<[Int]>([])
        private let faults = Locked<[String]>([])

        /// Registers a request; returns its completion, to be called once.
        func ticket() -> @Sendable () -> Void {
            let number = counts.withLock { counts in
                counts.append(0)
                return counts.count - 1
            }
            return { [counts] in counts.withLock { $0[number] += 1 } }
        }

        func complain(_ text: String) { faults.withLock { $0.append(text) } }

        var unanswered: Int { counts.withLock { $0.filter { $0 == 0 }.count } }

        var fault: String? {
            if let fault = faults.withLock({ $0.first }) { return fault }
            return counts.withLock { $0.contains { $0 > 1 } }
                ? "something was answered twice" : nil
        }
    }

    private struct Scan {
        let number: UInt64
        let state: Locked<(hasFailed: Bool, hasEnded: Bool)>
    }

    /// The coverage: a drill that never gets a link proves little.
    struct Reach: Sendable {
        var links = 0
        var services = 0
        var reads = 0
        var scans = 0

        static func += (left: inout Reach, right: Reach) {
            left.links += right.links
            left.services += right.services
            left.reads += right.reads
            left.scans += right.scans
        }
    }

    private static let maximumSteps = 300

    /// The coverage.
    var reach: Reach { reached.withLock { $0 } }
    private let reached = Locked(Reach())

    private var bytes: FuzzBytes
    private var script: ScriptedSession
    private let tally = Tally()
    private var scans: [Scan] = []
    private var links: [LinkNumber] = []
    private let attributes = Locked<[AttributeID]>([])

    init(_ bytes: FuzzBytes) {
        var bytes = bytes
        let options = BlueZOptions(
            adapter: bytes.flag() ? nil : "hci0", powersOn: bytes.flag(),
            pairing: bytes.flag() ? BlueZPairing() : nil, adoptsConnected: bytes.flag())
        let seed = UInt64(bytes.byte())
        script =
            bytes.flag()
            ? ScriptedSession(options, seed: seed)
            : .loaded(DrillWords.tree, options, seed: seed)
        self.bytes = bytes
    }

    /// Performs the steps in the bytes, until there are no more.
    mutating func play() {
        if bytes.byte() % 4 > 0 { establish() }
        var steps = 0
        while bytes.remaining > 0, steps < Self.maximumSteps {
            steps += 1
            step()
        }
    }

    /// Ends everything, by time or at once; returns the fault, if there is one.
    mutating func finish() -> String? {
        let isSlow = bytes.all.count % 2 == 0
        if isSlow {
            // Without any answer, each wait ends by its own timeout.
            for _ in 0..<20 {
                for number in script.asked.map(\.number) {
                    script.change { $0.answered(number, .failure(DBusError(.timedOut))) }
                }
                script.passAll()
            }
            if tally.unanswered > 0 { return "something was never answered" }
        }
        script.change { $0.end() }
        for scan in scans {
            let isToEnd = scan.state.withLock { !$0.hasFailed && !$0.hasEnded }
            if isToEnd { return "a scan was not told that it is over" }
        }
        if tally.unanswered > 0 { return "something was not answered in the end" }
        if script.session.nextTimer != nil { return "something is left to be done" }
        return tally.fault ?? bounds
    }

    private var bounds: String? {
        let mirror = script.session.mirror
        guard mirror.devices.count <= BlueZMirror.maximumDevices,
            script.session.daemon.earlySignals.count <= DaemonState.maximumEarlySignals,
            script.session.adapters.waiting.isEmpty, script.session.discovery.scans.isEmpty
        else { return "more is kept than may be" }
        return nil
    }

    // MARK: Steps

    private mutating func step() {
        switch bytes.byte() % 32 {
        case 0...3: script.say(DrillWords.signal(&bytes))
        case 4...9: script.say(DrillWords.plausible(&bytes))
        case 10...17: answer()
        case 18: misfortune()
        case 19: script.pass(.milliseconds(Int(bytes.integer(UInt16.self))))
        case 20: beginScan()
        case 21: endScan()
        case 22: requestAdapter()
        case 23: openLink()
        case 24: endLink()
        default: operate()
        }
    }

    /// Begins with a connected device and its services, in most cases.
    private mutating func establish() {
        for signal in DrillWords.beginning { script.say(signal) }
        openLink(to: Tree.address)
        for member in [Adapter1.setDiscoveryFilter, Adapter1.startDiscovery] {
            script.answer(member)
        }
        for signal in DrillWords.connecting { script.say(signal) }
        script.answer(Device1.connect)
        script.pass(.seconds(1))
    }

    private mutating func misfortune() {
        switch bytes.byte() % 8 {
        case 0: script.own(":1.\(bytes.byte())")
        case 1: script.own(nil)
        case 2: script.connect()
        case 3:
            guard let number = script.opened.last else { return }
            script.change { $0.busEnded(number, DBusError(.disconnected)) }
        default: return
        }
    }

    private mutating func answer() {
        guard let asked = bytes.choice(of: script.asked) else { return }
        let result = DrillWords.answer(to: asked.call, &bytes)
        script.change { $0.answered(asked.number, result) }
        script.settle(asked.number)
    }

    private mutating func requestAdapter() {
        let end = tally.ticket()
        script.change { $0.whenUsable { _, _ in end() } }
    }

    private mutating func beginScan() {
        var filter = ScanFilter(reportsDuplicates: bytes.flag())
        if bytes.flag() { filter.services = [BluetoothUUID(UInt32(bytes.byte()))] }
        let (state, tally) = (Locked((hasFailed: false, hasEnded: false)), tally)
        let reached = reached
        let number = script.change { session in
            session.beginScan(filter) { result in
                if case .success = result { reached.withLock { $0.scans += 1 } }
                let isWrong = state.withLock { state in
                    defer { if case .failure = result { state.hasFailed = true } }
                    return state.hasFailed || state.hasEnded
                }
                if isWrong { tally.complain("a scan told more after its end") }
            }
        }
        scans.append(Scan(number: number, state: state))
    }

    private mutating func endScan() {
        guard let scan = bytes.choice(of: scans) else { return }
        script.change { $0.endScan(scan.number) }
        scan.state.withLock { $0.hasEnded = true }
    }

    private mutating func openLink() {
        openLink(to: bytes.choice(of: DrillWords.addresses) ?? "")
    }

    private mutating func openLink(to address: String) {
        let end = tally.ticket()
        let reached = reached
        let number = script.change { session in
            session.openLink(
                to: address, events: { _ in }, makeDriver: { _ in DrillDriver() }
            ) { result in
                end()
                if case .success = result { reached.withLock { $0.links += 1 } }
            }
        }
        links.append(number)
    }

    private mutating func endLink() {
        guard let number = bytes.choice(of: links) else { return }
        let isCancelled = bytes.flag()
        script.change { session in
            if isCancelled { session.cancelLink(number) } else { session.closeLink(number) }
        }
    }

    private mutating func operate() {
        guard let number = bytes.choice(of: links) else { return }
        let attribute = bytes.choice(of: attributes.withLock { $0 }) ?? AttributeID(1)
        let (kind, end) = (bytes.byte() % 4, tally.ticket())
        let value = bytes.bytes(bytes.length(upTo: 8))
        let (attributes, isOn, reached) = (attributes, bytes.flag(), reached)
        script.change { session in
            switch kind {
            case 0:
                session.discoverServices(on: number) { result in
                    end()
                    let found = ((try? result.get()) ?? []).flatMap(\.characteristics)
                    if !found.isEmpty { reached.withLock { $0.services += 1 } }
                    attributes.withLock { $0 += found.prefix(16).map(\.id) }
                }
            case 1:
                session.submit(.read, for: attribute, on: number) { result in
                    end()
                    if case .success = result { reached.withLock { $0.reads += 1 } }
                }
            case 2:
                let mode: WriteMode = isOn ? .withResponse : .withoutResponse
                session.submit(.write(value, mode), for: attribute, on: number) { _ in end() }
            default: session.submit(.notify(isOn), for: attribute, on: number) { _ in end() }
            }
        }
    }
}
#endif
