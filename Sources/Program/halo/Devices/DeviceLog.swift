#if os(Linux)
import HaloProtocol
import HaloTransport

/// What happens to simulated devices, on its way to standard error or, as JSON, to standard output:
/// requests of programs, commands, and the end.
struct DeviceLog: Sendable {
    enum Entry: Sendable {
        /// A remark.
        case line(String)
        /// Something that has happened to a device, and the seconds from its start.
        case event(SimulatorEvent, of: String, seconds: Double)
    }

    /// The entries; at a tick it is time to look at the lights. A failure is the last event, after
    /// which none is taken: no number of entries drops it.
    let events = LiveEvents<Entry>(interval: nil, limit: 256)
    /// The exit status of the command, once it has ended.
    let status = Locked<Int32?>(nil)
    private let isTickPending = Locked(false)
    private let namesDevices: Bool
    let start = SystemTime().now()

    init(namesDevices: Bool = false) {
        self.namesDevices = namesDevices
    }

    func add(_ line: String) { events.add(.line(line)) }

    func add(_ event: SimulatorEvent, of device: String) {
        let seconds = SystemTime().now().duration(since: start) / .seconds(1)
        events.add(.event(event, of: device, seconds: seconds))
    }

    /// The command has ended.
    func end(with status: Int32) {
        self.status.withLock { $0 = status }
        events.finish()
    }

    private func tick() async {
        while !Task.isCancelled {
            if !isTickPending.exchange(true) { events.send(.tick) }
            try? await Task.sleep(for: LightLine.interval)
        }
    }

    /// Writes entries until there is a reason to end, and returns the exit status.
    func write(
        untilEndOf hosted: Hosted<LoggedPeripheral>, _ lights: LightLine?, _ console: inout Console
    ) async -> ExitStatus {
        let loss = Task {
            if let error = await hosted.waitUntilEnded() {
                events.fail(Failure(.unusable, "the device is lost: \(error)"))
            }
        }
        var lights = lights
        let ticking = lights.map { _ in Task { await tick() } }
        defer {
            loss.cancel()
            ticking?.cancel()
        }
        // The task of the program is cancelled by a signal, and the loop ends.
        for await event in events.stream {
            // Also with another event, because the tick may be among those that were dropped.
            isTickPending.withLock { $0 = false }
            switch event {
            case .value(let entry):
                lights?.erase()
                write(entry, &console)
            case .tick: break
            case .failed(let failure):
                lights?.erase()
                return console.report(failure)
            }
            lights?.draw()
        }
        lights?.erase()
        return status.withLock { $0 }.map(ExitStatus.init) ?? .success
    }

    private func write(_ entry: Entry, _ console: inout Console) {
        let dropped = events.takeDropped()
        if dropped > 0 {
            if console.isJSON { console.write(type: "dropped", ["count": dropped]) }
            console.remark("\(TextLayout.count(dropped, "line")) dropped: the output is too slow")
        }
        switch entry {
        case .line(let line): console.remark(line)
        case .event(let event, let device, let seconds) where console.isJSON:
            console.write(
                type: event.type, ["device": device] + event.members + ["seconds": seconds])
        case .event(let event, let device, _):
            console.remark((namesDevices ? "\(device): " : "") + event.words)
        }
        console.flush()
    }
}
#endif
