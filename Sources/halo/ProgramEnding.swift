#if os(Linux)
#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif
import HaloDBus

/// When a program ends that runs until it is told to: the only place that knows of signals, of
/// who reads what is written, and of other programs.
enum ProgramEnding {
    /// Why it is time to end.
    enum Reason: Sendable {
        /// Ctrl-C, or whoever asks for it by a signal.
        case asked
        /// Nobody reads any more what goes to standard output.
        case unread
        /// The program that was started has ended, with this status.
        case done(Int32)
    }

    /// Which signals ask to end; whatever the program was told to ignore it goes on ignoring.
    private static let signals = [SIGINT, SIGTERM, SIGHUP]

    /// Where signals arrive as bytes: made once, since what handles a signal can be given nothing.
    private static let arrivals: (reader: Int32, writer: Int32)? = {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0, ends.count == 2 else { return nil }
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        return (ends[0], ends[1])
    }()

    /// Says when it is time to end, once, from a thread of its own.
    ///
    /// From now on signals do nothing else. What is asked for while `program` runs is passed on to
    /// it, and it is waited for.
    static func watch(
        program: Int32? = nil, watchesReader: Bool = true,
        _ ended: @escaping @Sendable (Reason) -> Void
    ) -> Bool {
        guard let reader = arrivals?.reader else { return false }
        for number in signals { handle(number) }
        // Who writes to nobody is told by an error.
        _ = signal(SIGPIPE, SIG_IGN)
        if let program {
            return SystemThread.start { ended(.done(wait(for: program))) }
                && SystemThread.start {
                    while let number = nextSignal(reader) { kill(program, number) }
                }
        }
        let output = watchesReader && isPipe(STDOUT_FILENO) ? STDOUT_FILENO : nil
        return SystemThread.start {
            let number = nextSignal(reader, unless: output)
            ended(number == nil ? .unread : .asked)
        }
    }

    private static func handle(_ number: Int32) {
        var before = sigaction()
        guard sigaction(number, nil, &before) == 0, !isIgnoring(before) else { return }
        var action = sigaction()
        action.__sigaction_handler.sa_handler = { number in
            var byte = UInt8(truncatingIfNeeded: number)
            guard let writer = ProgramEnding.arrivals?.writer else { return }
            let error = errno
            _ = write(writer, &byte, 1)
            errno = error
        }
        action.sa_flags = SA_RESTART
        _ = sigaction(number, &action, nil)
    }

    private static func isIgnoring(_ action: sigaction) -> Bool {
        // A pointer to a function that is none: 1.
        unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
            == unsafeBitCast(SIG_IGN, to: Int.self)
    }

    /// Waits for a signal; nothing if before that nobody reads `output` any more.
    private static func nextSignal(_ reader: Int32, unless output: Int32? = nil) -> Int32? {
        var entries = [pollfd(fd: reader, events: Int16(POLLIN), revents: 0)]
        if let output { entries.append(pollfd(fd: output, events: 0, revents: 0)) }
        while true {
            _ = poll(&entries, nfds_t(entries.count), -1)
            var byte: UInt8 = 0
            if read(reader, &byte, 1) == 1 { return Int32(byte) }
            if entries.count > 1, entries[1].revents != 0 { return nil }
        }
    }

    private static func isPipe(_ descriptor: Int32) -> Bool {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return false }
        let kind = status.st_mode & S_IFMT
        return kind == S_IFIFO || kind == S_IFSOCK
    }
}

extension ProgramEnding {
    /// Starts a program, found as a shell finds it, with more variables in its environment;
    /// throws what the system says if there is none.
    static func start(
        _ command: [String], with variables: [(name: String, value: String)]
    ) throws(UsageError) -> Int32 {
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var usual = sigset_t()
        sigemptyset(&usual)
        sigaddset(&usual, SIGPIPE)
        posix_spawnattr_setsigdefault(&attributes, &usual)
        // The thread that this runs on lets no signals through, as its like do.
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))
        let settings = environment.filter { setting in
            !variables.contains { setting.hasPrefix("\($0.name)=") }
        }
        let words: [UnsafeMutablePointer<CChar>?] = command.map { strdup($0) } + [nil]
        let values: [UnsafeMutablePointer<CChar>?] =
            (settings + variables.map { "\($0.name)=\($0.value)" }).map { strdup($0) } + [nil]
        defer { for text in words + values { free(text) } }
        let name = command.first ?? ""
        var process: pid_t = 0
        let result = posix_spawnp(&process, name, nil, &attributes, words, values)
        guard result == 0 else {
            throw UsageError(
                reason: "'\(name)' cannot be started: \(String(cString: strerror(result)))")
        }
        return process
    }

    /// The variables that this program was started with, as `NAME=VALUE`.
    private static var environment: [String] {
        let file = open("/proc/self/environ", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return [] }
        defer { close(file) }
        var (all, piece): ([UInt8], [UInt8]) = ([], [UInt8](repeating: 0, count: 1 << 14))
        while case let count = read(file, &piece, piece.count), count > 0 {
            all += piece[..<count]
        }
        return all.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Waits until a program has ended; by a signal, that is 128 and its number, as for a shell.
    private static func wait(for process: Int32) -> Int32 {
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0 { guard errno == EINTR else { return 1 } }
        let number = status & 0x7F
        return number == 0 ? status >> 8 & 0xFF : 128 + number
    }
}
#endif
