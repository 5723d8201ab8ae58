#if os(Linux)
import HaloProtocol
import HaloTransport

/// What happens to simulated devices, on its way to standard error or, as JSON, to standard output:
/// requests of programs, commands, and the end.
struct DeviceLog: Sendable {
    enum Entry: Hashable, Sendable {
        /// A remark.
        case line(String)
        case event(SimulatorEvent)
        /// It is time to look at the lights.
        case tick
    }

    enum End: Hashable, Sendable {
        case lost(BLEError)
        /// The command has ended, with this exit status.
        case command(Int32)
    }

    /// The entries; they finish with the end.
    let entries: AsyncStream<Entry>
    private let continuation: AsyncStream<Entry>.Continuation
    /// The end stands beside the entries, so that no number of them drops it.
    private let ending = Locked<End?>(nil)
    private let isTickPending = Locked(false)
    private let droppedCount = Locked(0)
    private let namesDevices: Bool
    let start = SystemTime().now()

    /// The most entries that wait to be written; the oldest ones are dropped.
    private static let limit = 256

    init(namesDevices: Bool = false) {
        self.namesDevices = namesDevices
        (entries, continuation) = AsyncStream.makeStream(
            bufferingPolicy: .bufferingNewest(Self.limit))
    }

    func add(_ line: String) { add(.line(line)) }

    func add(_ kind: SimulatorEvent.Kind, of device: String) {
        let seconds = SystemTime().now().duration(since: start) / .seconds(1)
        add(.event(SimulatorEvent(device: device, kind: kind, seconds: seconds)))
    }

    private func add(_ entry: Entry) {
        guard case .dropped(let dropped) = continuation.yield(entry), dropped != .tick else {
            return
        }
        droppedCount.withLock { $0 += 1 }
    }

    /// The first end; `nil` before it, and if a signal ends the program.
    var end: End? { ending.withLock { $0 } }

    func end(_ end: End) {
        ending.withLock { if $0 == nil { $0 = end } }
        continuation.finish()
    }

    private func tick() async {
        while !Task.isCancelled {
            let isPending = isTickPending.withLock { isPending in
                defer { isPending = true }
                return isPending
            }
            if !isPending { add(.tick) }
            try? await Task.sleep(for: LightLine.interval)
        }
    }

    /// Writes entries until there is a reason to end, and returns the exit status.
    func write(
        untilEndOf hosted: Hosted<LoggedPeripheral>, _ lights: LightLine?, _ console: inout Console
    ) async -> ExitStatus {
        let loss = Task {
            if let error = await hosted.waitUntilEnded() { end(.lost(error)) }
        }
        var lights = lights
        let ticking = lights.map { _ in Task { await tick() } }
        defer {
            loss.cancel()
            ticking?.cancel()
        }
        // The task of the program is cancelled by a signal, and the loop ends.
        for await entry in entries {
            // Also with another entry, because the tick may be among those that were dropped.
            isTickPending.withLock { $0 = false }
            if entry != .tick {
                lights?.erase()
                write(entry, &console)
            }
            lights?.draw()
        }
        lights?.erase()
        switch end {
        case .lost(let error):
            return console.report(Failure(.unusable, "the device is lost: \(error)"))
        case .command(let status): return ExitStatus(code: status)
        case nil: return .success
        }
    }

    private func write(_ entry: Entry, _ console: inout Console) {
        let dropped = droppedCount.withLock { count in
            defer { count = 0 }
            return count
        }
        if dropped > 0 {
            if console.isJSON { console.write(type: "dropped", ["count": dropped]) }
            console.remark("\(TextLayout.count(dropped, "line")) dropped: the output is too slow")
        }
        switch entry {
        case .tick: return
        case .line(let line): console.remark(line)
        case .event(let event) where console.isJSON:
            let (type, members) = event.object
            console.write(type: type, members)
        case .event(let event):
            let prefix = namesDevices ? "\(event.device): " : ""
            console.remark(prefix + event.words)
        }
        console.flush()
    }
}
#endif
