#if os(Linux)
import FakeBlueZ
import HaloProtocol
import HaloTransport

/// The control of a hosted device: keys of the terminal, lines of standard input, and a script.
final class SimulatorControl: Sendable {
    private struct State {
        /// The commands in the order of their moments; those of one moment in the order in which
        /// they came.
        var waiting: [(moment: Moment, command: ScriptedCommand)] = []
        var timer: BLECancellable?
        /// `true` while a thread executes commands: others leave theirs to it.
        var isExecuting = false
        var hasEnded = false
        var keys: KeyReader?
        var lines: InputThread?
    }

    private let device: Hosted<LoggedPeripheral>
    private let name: String
    private let script: SimulatorScript
    private let log: DeviceLog
    private let daemon: FakeBlueZ?
    private let time = SystemTime()
    private let state = Locked(State())

    /// - Parameter daemon: The daemon that can break the link; `nil` on the air.
    init(
        of device: Hosted<LoggedPeripheral>, _ script: SimulatorScript, _ log: DeviceLog,
        _ daemon: FakeBlueZ?
    ) {
        self.device = device
        name = device.name
        self.script = script
        self.log = log
        self.daemon = daemon
    }

    func run(_ commands: [ScriptedCommand]) {
        for command in commands { add(command) }
        executeDue()
    }

    func readKeys() -> String? {
        let known = type(of: device.state.base).keys + (daemon == nil ? [] : [.loseLink])
        let keys = KeyReader { [weak self] character in
            let key = known.first { String($0.character) == character.lowercased() }
            if let key { self?.press(key) }
        }
        state.withLock { $0.keys = keys }
        return keys.map { _ in SimulatorKey.line(known) }
    }

    func readLines() {
        let lines = InputThread(ofLines: SimulatorScript.lineLimit) { [weak self] number, line in
            self?.receive(line, number)
        }
        state.withLock { $0.lines = lines }
    }

    /// Ends the control, and drops commands that wait.
    func end() {
        let (keys, lines, timer) = state.withLock { state in
            defer {
                state = State()
                state.hasEnded = true
            }
            return (state.keys, state.lines, state.timer)
        }
        keys?.end()
        lines?.end()
        timer?.cancel()
    }

    private func press(_ key: SimulatorKey) {
        if key == .loseLink { return loseLink(by: .loseLink) }
        for command in key.commands {
            if let result = device.execute(command, percent: nil) {
                return log.add(.command(command.word, result: result), of: name)
            }
        }
    }

    private func receive(_ line: [UInt8]?, _ number: Int) {
        do throws(SimulatorScript.Problem) {
            guard let line else {
                throw SimulatorScript.Problem(
                    line: number, column: 1,
                    message: "a line has at most \(SimulatorScript.lineLimit) bytes")
            }
            run(try script.commands(ofLine: line, number: number))
        } catch {
            log.add(error.text(in: "standard input"))
        }
    }

    private func add(_ command: ScriptedCommand) {
        let moment = command.time.map { log.start + $0 } ?? time.now()
        let isAdded = state.withLock { state in
            if state.hasEnded { return true }
            // A command that acts at once does not wait.
            let mayWait = state.waiting.count < SimulatorScript.commandLimit
            guard mayWait || command.time == nil else { return false }
            let place = state.waiting.firstIndex { $0.moment > moment } ?? state.waiting.endIndex
            state.waiting.insert((moment, command), at: place)
            return true
        }
        if !isAdded {
            log.add(
                "'\(command.command.word)' is dropped: \(SimulatorScript.commandLimit) commands "
                    + "wait already")
        }
    }

    private func executeDue() {
        let isFree = state.withLock { state in
            defer { state.isExecuting = true }
            return !state.isExecuting
        }
        guard isFree else { return }
        while let command = nextDue() { execute(command) }
    }

    /// Removes and returns the next command that is due. Without one, sets the timer for the next.
    private func nextDue() -> ScriptedCommand? {
        state.withLock { state in
            if let first = state.waiting.first, first.moment <= time.now() {
                return state.waiting.removeFirst().command
            }
            state.isExecuting = false
            state.timer?.cancel()
            state.timer = state.waiting.first.map { next in
                time.schedule(at: next.moment) { [weak self] in self?.executeDue() }
            }
            return nil
        }
    }

    private func execute(_ command: ScriptedCommand) {
        if command.command == .loseLink { return loseLink(by: command.command) }
        let result = device.execute(command.command, percent: command.percent)
        log.add(.command(command.command.word, result: result), of: name)
    }

    private func loseLink(by command: SimulatorCommand) {
        guard let daemon else { return }
        let isConnected = device.isConnected
        log.add(.command(command.word, result: isConnected ? "the link is lost" : nil), of: name)
        if isConnected { device.loseLink(on: daemon) }
    }
}
#endif
