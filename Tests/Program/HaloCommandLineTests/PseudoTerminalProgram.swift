#if os(Linux)
import Foundation
import Synchronization
import Testing

/// A program as the leader of a session whose terminal is a pseudo-terminal, with what it shows
/// there.
final class PseudoTerminalProgram {
    /// The second screen of the terminal.
    private(set) var screen: TerminalEmulator
    /// Everything that the program has written.
    private(set) var bytes: [UInt8] = []
    /// The exit status, or 128 and the number of the signal that ended the program.
    private(set) var status: Int32?
    /// `true` while the program is stopped.
    private(set) var isStopped = false

    let process: pid_t
    private var controller: Int32
    private var ordinary: [UInt8] = []
    private var pending: [UInt8] = []
    /// A size that the program has not yet drawn for.
    private var newSize: (columns: Int, rows: Int)?

    /// The seconds after which a wait fails: those of a few on a busy computer.
    var timeout = PseudoTerminalProgram.usualTimeout

    private static let usualTimeout = 60.0
    /// The seconds after which further waits fail once three have failed: the build is broken then.
    private static let timeoutAfterFailures = 5.0
    private static let failureCount = Mutex(0)

    private enum Sequence {
        static let enter = Array("\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l".utf8)
        static let leave = Array("\u{1B}[?1049l".utf8)
        static let frameEnd = Array("\u{1B}[?2026l".utf8)
        static let clear = Array("\u{1B}[2J".utf8)
    }

    /// Starts the program; `prepares` can change the terminal before.
    init(
        _ arguments: [String], of program: String = CommandLineProgram.program.path,
        columns: Int = 80, rows: Int = 24, environment: [String: String] = [:],
        prepares: (Int32) throws -> Void = { _ in }
    ) throws {
        screen = TerminalEmulator(columns: columns, rows: rows)
        let (controller, terminal, name) = try Self.openTerminal()
        self.controller = controller
        // Without an open end, the settings of a terminal are lost.
        defer { close(terminal) }
        try Self.setSize(controller, columns, rows)
        try prepares(terminal)
        let variables = [
            "TERM": "xterm-256color", "LANG": "C.UTF-8", "PATH": "/usr/bin:/bin",
        ].merging(environment) { $1 }
        process = try Self.spawn(
            [program] + arguments, CommandLineProgram.environment(variables), on: name)
    }

    deinit {
        if status == nil {
            kill(process, SIGKILL)
            waitpid(process, nil, 0)
        }
        if controller >= 0 { close(controller) }
    }

    /// Opens both ends of a new pseudo-terminal; the name is that of the second one.
    static func openTerminal() throws -> (controller: Int32, terminal: Int32, name: String) {
        // The functions of POSIX for this are hidden from Swift on Linux, and so are the names of
        // these requests: TIOCSPTLCK and TIOCGPTN.
        let controller = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK)
        try #require(controller >= 0)
        var (lock, number): (Int32, UInt32) = (0, 0)
        try #require(ioctl(controller, 0x4004_5431, &lock) == 0)
        try #require(ioctl(controller, 0x8004_5430, &number) == 0)
        let name = "/dev/pts/\(number)"
        let terminal = open(name, O_RDWR | O_NOCTTY | O_CLOEXEC)
        try #require(terminal >= 0)
        return (controller, terminal, name)
    }

    private static func spawn(
        _ words: [String], _ variables: [String: String], on terminal: String
    ) throws -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        // The first terminal that the leader of a session opens controls it.
        posix_spawn_file_actions_addopen(&actions, 0, terminal, O_RDWR, 0)
        posix_spawn_file_actions_adddup2(&actions, 0, 1)
        posix_spawn_file_actions_adddup2(&actions, 0, 2)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var (none, ending) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        sigemptyset(&ending)
        for number in [SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGQUIT] { sigaddset(&ending, number) }
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &ending)
        // The name of POSIX_SPAWN_SETSID is hidden from Swift as well.
        let flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | 0x80
        posix_spawnattr_setflags(&attributes, Int16(flags))
        var arguments = words.map { strdup($0) } + [nil]
        var settings = variables.map { strdup("\($0)=\($1)") } + [nil]
        defer { for text in arguments + settings { free(text) } }
        var process: pid_t = 0
        try #require(
            posix_spawn(&process, words[0], &actions, &attributes, &arguments, &settings) == 0)
        return process
    }

    // MARK: The terminal

    /// What the terminal's first screen shows: everything that was written outside of the second
    /// one, without lines of progress that were erased.
    var text: String {
        let all = String(decoding: ordinary, as: UTF8.self)
            .replacingOccurrences(of: "\r\n", with: "\n")
        return all.components(separatedBy: "\n")
            .map { $0.components(separatedBy: "\r\u{1B}[K").last ?? "" }.joined(separator: "\n")
    }

    /// Everything that the program has written, as text.
    var output: String { String(decoding: bytes, as: UTF8.self) }

    /// Every setting of the terminal as numbers.
    var settings: [UInt64] {
        get throws { try Self.settings(of: controller) }
    }

    static func settings(of terminal: Int32) throws -> [UInt64] {
        var settings = termios()
        try #require(tcgetattr(terminal, &settings) == 0)
        let flags = [settings.c_iflag, settings.c_oflag, settings.c_cflag, settings.c_lflag]
        let characters = withUnsafeBytes(of: settings.c_cc) { Array($0) }
        return flags.map { UInt64($0) } + characters.map { UInt64($0) }
    }

    /// Changes the settings of the terminal, as another program may do.
    func change(_ body: (inout termios) -> Void) throws {
        try Self.change(controller, body)
    }

    static func change(_ terminal: Int32, _ body: (inout termios) -> Void) throws {
        var settings = termios()
        try #require(tcgetattr(terminal, &settings) == 0)
        body(&settings)
        try #require(tcsetattr(terminal, TCSANOW, &settings) == 0)
    }

    /// Changes the size of the terminal. What is drawn for the old size is left out from now on.
    func resize(columns: Int, rows: Int) throws {
        receive()
        newSize = (columns, rows)
        try Self.setSize(controller, columns, rows)
    }

    private static func setSize(_ terminal: Int32, _ columns: Int, _ rows: Int) throws {
        var size = winsize(
            ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
        try #require(ioctl(terminal, UInt(TIOCSWINSZ), &size) == 0)
    }

    /// Types keys.
    func type(_ keys: String) throws {
        let bytes = Array(keys.utf8)
        try #require(write(controller, bytes, bytes.count) == bytes.count)
    }

    func send(_ signal: Int32) { kill(process, signal) }

    /// Closes the terminal, as a window is closed, and waits for the end of the program.
    func hangUp() {
        close(controller)
        controller = -1
        waitForProcess()
    }

    // MARK: Waiting

    /// Waits until something is so; fails when the program ends before.
    func wait(
        for what: String, sourceLocation: SourceLocation = #_sourceLocation,
        until isSo: (PseudoTerminalProgram) throws -> Bool
    ) throws {
        let isBroken = Self.failureCount.withLock { $0 >= 3 }
        let limit = isBroken ? min(timeout, Self.timeoutAfterFailures) : timeout
        let end = Date(timeIntervalSinceNow: limit)
        while true {
            let hasEnded = status != nil
            receive()
            if try isSo(self) { return }
            guard !hasEnded, Date() < end else { break }
            update()
            var entry = pollfd(fd: controller, events: Int16(POLLIN), revents: 0)
            // The end of a program and its stop are no events of a descriptor.
            if status == nil { poll(&entry, 1, 20) }
            // The other end is closed by all: only the end of the program is left.
            if entry.revents == Int16(POLLHUP), status == nil { waitForProcess() }
        }
        if timeout == Self.usualTimeout, Date() >= end { Self.failureCount.withLock { $0 += 1 } }
        let shown = screen.lines.joined(separator: "\n")
        Issue.record(
            """
            in vain: \(what); status \(status.map { "\($0)" } ?? "none"), \
            text \(text.debugDescription), screen:
            \(shown)
            """, sourceLocation: sourceLocation)
        throw Timeout()
    }

    /// Waits for words on the first screen.
    func waitForText(
        _ words: String, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        try wait(for: words, sourceLocation: sourceLocation) { $0.text.contains(words) }
    }

    /// Waits for words on the second screen.
    func waitForScreen(
        _ words: String, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        try wait(for: words, sourceLocation: sourceLocation) { program in
            program.screen.isAlternate && program.newSize == nil
                && program.screen.lines.contains { $0.contains(words) }
        }
    }

    /// Waits for the end of the program, and returns its exit status.
    @discardableResult
    func waitForEnd(sourceLocation: SourceLocation = #_sourceLocation) throws -> Int32 {
        try wait(for: "the end", sourceLocation: sourceLocation) { $0.status != nil }
        receive()
        return try #require(status)
    }

    /// Waits until the program is stopped.
    func waitForStop(sourceLocation: SourceLocation = #_sourceLocation) throws {
        try wait(for: "a stop", sourceLocation: sourceLocation) { $0.isStopped }
        receive()
    }

    /// Lets a stopped program go on.
    func resume() {
        isStopped = false
        kill(process, SIGCONT)
    }

    struct Timeout: Error {}

    private func update() {
        var result: Int32 = 0
        guard status == nil, waitpid(process, &result, WNOHANG | WUNTRACED) == process else {
            return
        }
        note(result)
    }

    private func waitForProcess() {
        var result: Int32 = 0
        while waitpid(process, &result, 0) < 0 { guard errno == EINTR else { return } }
        note(result)
    }

    private func note(_ result: Int32) {
        switch result & 0x7F {
        case 0: status = result >> 8 & 0xFF
        case 0x7F: isStopped = true
        case let signal: status = 128 + signal
        }
    }

    // MARK: Output

    private func receive() {
        var piece = [UInt8](repeating: 0, count: 1 << 16)
        while case let count = read(controller, &piece, piece.count), count > 0 {
            bytes += piece[..<count]
            pending += piece[..<count]
        }
        while handOn(pending) {}
    }

    /// Hands on the first part of the pending bytes; returns `false` if it is not complete.
    private func handOn(_ bytes: [UInt8]) -> Bool {
        guard screen.isAlternate else {
            guard let enter = bytes.firstRange(of: Sequence.enter.prefix(8)) else {
                let held = bytes.suffix(Sequence.enter.count).lastIndex(of: 0x1B)
                ordinary += bytes[..<(held ?? bytes.count)]
                pending = Array(bytes[(held ?? bytes.count)...])
                // Another sequence, such as a colour, is handed on when its letter is there.
                if let held, bytes[held...].dropFirst(2).contains(where: { 0x40...0x7E ~= $0 }) {
                    ordinary += pending
                    pending = []
                }
                return false
            }
            ordinary += bytes[..<enter.lowerBound]
            pending = Array(bytes[enter.lowerBound...])
            guard pending.count >= Sequence.enter.count else { return false }
            screen.receive(Array(pending.prefix(Sequence.enter.count)))
            pending.removeFirst(Sequence.enter.count)
            return true
        }
        let ends = [Sequence.frameEnd, Sequence.leave].compactMap {
            bytes.firstRange(of: $0)?.upperBound
        }
        guard let end = ends.min() else { return false }
        show(Array(bytes[..<end]))
        pending = Array(bytes[end...])
        return true
    }

    private func show(_ frame: [UInt8]) {
        if let newSize {
            let isLast = frame.firstRange(of: Sequence.leave) != nil
            let isNew = frame.firstRange(of: Sequence.clear) != nil
            guard isLast || isNew else { return }
            screen.resize(columns: newSize.columns, rows: newSize.rows)
            self.newSize = nil
        }
        screen.receive(frame)
    }
}
#endif
