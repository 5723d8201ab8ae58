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
        /// Reads keys or lines.
        var input: InputThread?
        /// The terminal's mode while keys are read.
        var mode: TerminalMode?
        var hasLeftTerminal = false
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

    /// Reads the keys that are pressed at the terminal; returns a line about them.
    func readKeys() -> String? {
        guard InputThread.canReadKeys else { return nil }
        ProgramEnding.setTerminal(
            ProgramEnding.TerminalUser(
                resized: {}, suspend: { [weak self] in self?.leaveTerminal(forGood: false) },
                resume: { [weak self] in self?.enterTerminal() },
                leave: { [weak self] in self?.leaveTerminal(forGood: true) }))
        enterTerminal()
        let known = type(of: device.state.base).keys + (daemon == nil ? [] : [.loseLink])
        let keys = InputThread(ofKeys: { [weak self] in self?.enterTerminal() }) {
            [weak self] character in
            let key = known.first { String($0.character) == character.lowercased() }
            if let key { self?.press(key) }
        }
        guard let keys else {
            leaveTerminal(forGood: true)
            return nil
        }
        state.withLock { $0.input = keys }
        return SimulatorKey.line(known)
    }

    private func enterTerminal() {
        state.withLock { state in
            guard !state.hasLeftTerminal, !state.hasEnded else { return }
            if let mode = state.mode { return mode.renew() }
            state.mode = TerminalMode(descriptor: TerminalEnvironment.input)
        }
    }

    private func leaveTerminal(forGood: Bool) {
        state.withLock { state in
            if forGood { state.hasLeftTerminal = true }
            state.mode?.restore()
            state.mode = nil
        }
    }

    func readLines() {
        let lines = InputThread(ofLines: SimulatorScript.lineLimit) { [weak self] number, line in
            self?.receive(line, number)
        }
        state.withLock { $0.input = lines }
    }

    /// Ends the control, and drops commands that wait.
    func end() {
        leaveTerminal(forGood: true)
        let (input, timer) = state.withLock { state in
            defer {
                state = State()
                state.hasEnded = true
            }
            return (state.input, state.timer)
        }
        input?.end()
        timer?.cancel()
    }

    private func press(_ key: SimulatorKey) {
        if key == .loseLink { return loseLink(by: .loseLink) }
        for command in key.commands {
            let result = device.execute(command, percent: nil)
            guard result != nil || command == key.commands.last else { continue }
            return log.add(.command(command.word, result: result), of: name)
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
