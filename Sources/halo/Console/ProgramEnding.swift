#if os(Linux)
#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif
import HaloCapture
import HaloDBus

/// The end of a program that otherwise runs for ever. Only this type handles signals, a closed
/// standard output and child processes.
enum ProgramEnding {
    /// A reason to end.
    enum Reason: Sendable {
        /// A signal: Ctrl-C, a hangup, or a request to terminate.
        case signal
        /// The reader of standard output has closed it.
        case outputClosed
        /// The child process has ended, with this exit status.
        case childEnded(Int32)
    }

    /// The signals that ask to end. A signal that was ignored when the program started stays
    /// ignored.
    private static let signals = [SIGINT, SIGTERM, SIGHUP]

    /// A pipe through which signals arrive as bytes. A signal handler cannot capture values, so
    /// there is one for the whole program.
    private static let signalPipe: (reader: Int32, writer: Int32)? = {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0, ends.count == 2 else { return nil }
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        return (ends[0], ends[1])
    }()

    /// Calls `ended` once, on a thread of its own, with the first reason to end. Returns `false`
    /// if the system has no pipe or no thread for it.
    ///
    /// From now on signals have no other effect. With a child, signals are forwarded to it, and
    /// its end is the only reason.
    static func watch(
        child: Int32? = nil, watchesReader: Bool = true,
        _ ended: @escaping @Sendable (Reason) -> Void
    ) -> Bool {
        guard let reader = signalPipe?.reader else { return false }
        for number in signals { handle(number) }
        // A write to a closed pipe fails with an error instead.
        _ = signal(SIGPIPE, SIG_IGN)
        if let child {
            return SystemThread.start { ended(.childEnded(wait(for: child))) }
                && SystemThread.start {
                    while let number = nextSignal(reader) { kill(child, number) }
                }
        }
        let output = watchesReader && isPipe(STDOUT_FILENO) ? STDOUT_FILENO : nil
        return SystemThread.start {
            let number = nextSignal(reader, unlessClosed: output)
            ended(number == nil ? .outputClosed : .signal)
        }
    }

    /// Calls `cleanUp` on a thread of its own when a signal arrives, and then ends the program as
    /// the signal would have done. Returns `false` if the system has no pipe or no thread for it.
    ///
    /// `cleanUp` gets the end of the program as a function that does not return: it can hold a lock
    /// meanwhile, so that nothing follows the cleaning.
    static func beforeSignal(
        _ cleanUp: @escaping @Sendable (_ end: () -> Never) -> Void
    ) -> Bool {
        guard let reader = signalPipe?.reader else { return false }
        for number in signals { handle(number) }
        return SystemThread.start {
            guard let number = nextSignal(reader) else { return }
            cleanUp { end(by: number) }
        }
    }

    /// Ends the program by a signal, so that its parent learns of the signal.
    private static func end(by number: Int32) -> Never {
        _ = signal(number, SIG_DFL)
        var only = sigset_t()
        sigemptyset(&only)
        sigaddset(&only, number)
        pthread_sigmask(SIG_UNBLOCK, &only, nil)
        raise(number)
        _exit(128 + number)
    }

    private static func handle(_ number: Int32) {
        var before = sigaction()
        guard sigaction(number, nil, &before) == 0, !isIgnoring(before) else { return }
        var action = sigaction()
        action.__sigaction_handler.sa_handler = { number in
            var byte = UInt8(truncatingIfNeeded: number)
            guard let writer = ProgramEnding.signalPipe?.writer else { return }
            let error = errno
            _ = write(writer, &byte, 1)
            errno = error
        }
        action.sa_flags = SA_RESTART
        _ = sigaction(number, &action, nil)
    }

    private static func isIgnoring(_ action: sigaction) -> Bool {
        // SIG_IGN is not a function but the address 1, which Swift cannot compare.
        unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
            == unsafeBitCast(SIG_IGN, to: Int.self)
    }

    /// Waits for a signal; returns `nil` if the reader of `output` closes it before.
    private static func nextSignal(_ reader: Int32, unlessClosed output: Int32? = nil) -> Int32? {
        var entries = [pollfd(fd: reader, events: Int16(POLLIN), revents: 0)]
        if let output { entries.append(pollfd(fd: output, events: 0, revents: 0)) }
        while true {
            _ = poll(&entries, nfds_t(entries.count), -1)
            var byte: UInt8 = 0
            if read(reader, &byte, 1) == 1 { return Int32(byte) }
            if entries.count > 1, entries[1].revents != 0 { return nil }
        }
    }

    /// `true` if the reader of standard output has closed it.
    static var isOutputClosed: Bool {
        var entry = pollfd(fd: STDOUT_FILENO, events: 0, revents: 0)
        return isPipe(STDOUT_FILENO) && poll(&entry, 1, 0) == 1
    }

    private static func isPipe(_ descriptor: Int32) -> Bool {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return false }
        let kind = status.st_mode & S_IFMT
        return kind == S_IFIFO || kind == S_IFSOCK
    }

    // MARK: Child processes

    /// Starts a program, which is looked up in `PATH`, with more environment variables. Returns
    /// its process number.
    static func start(
        _ command: [[UInt8]], with variables: [(name: String, value: String)]
    ) throws(RunError) -> Int32 {
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var defaults = sigset_t()
        sigemptyset(&defaults)
        sigaddset(&defaults, SIGPIPE)
        posix_spawnattr_setsigdefault(&attributes, &defaults)
        // The threads of Swift's concurrency block all signals, and a child would inherit that.
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))
        let settings = environment.filter { setting in
            !variables.contains { setting.starts(with: "\($0.name)=".utf8) }
        }
        let words: [UnsafeMutablePointer<CChar>?] = command.map(copy) + [nil]
        let values: [UnsafeMutablePointer<CChar>?] =
            (settings + variables.map { Array("\($0.name)=\($0.value)".utf8) }).map(copy) + [nil]
        defer { for text in words + values { free(text) } }
        guard let program = words[0] else { throw RunError(description: "a command is missing") }
        var process: pid_t = 0
        let result = posix_spawnp(&process, program, nil, &attributes, words, values)
        guard result == 0 else {
            let name = FilePath(bytes: command.first ?? []).text
            throw RunError(
                description: "'\(name)' cannot be started: \(String(cString: strerror(result)))")
        }
        return process
    }

    /// A string of C, to be freed.
    private static func copy(_ bytes: [UInt8]) -> UnsafeMutablePointer<CChar>? {
        strdup(FilePath(bytes: bytes).cString)
    }

    /// The environment variables that this program was started with, as `NAME=VALUE`.
    private static var environment: [[UInt8]] {
        let file = open("/proc/self/environ", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return [] }
        defer { close(file) }
        var (all, piece): ([UInt8], [UInt8]) = ([], [UInt8](repeating: 0, count: 1 << 14))
        while case let count = read(file, &piece, piece.count), count > 0 {
            all += piece[..<count]
        }
        return all.split(separator: 0).map { Array($0) }
    }

    /// Waits for the end of a child. Returns its exit status, or, as a shell does, 128 plus the
    /// number of the signal that ended it.
    private static func wait(for process: Int32) -> Int32 {
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0 { guard errno == EINTR else { return 1 } }
        let number = status & 0x7F
        return number == 0 ? status >> 8 & 0xFF : 128 + number
    }
}
#endif
