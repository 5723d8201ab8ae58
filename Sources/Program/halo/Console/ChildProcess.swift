#if os(Linux)
#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif
import HaloCapture
import HaloDBus
import HaloTransport

/// The program after `--`, which runs with a device.
///
/// The system kills it when this program is killed, and so cannot end it: between its start and the
/// command the child is this program, and asks for that (`PR_SET_PDEATHSIG`). It does not kill a
/// command with other rights, such as `sudo`, nor what the command has started.
struct ChildProcess: Sendable {
    private let number: Int32
    private let hasEnded = Locked(false)

    /// The first argument of a child that is to become a command.
    private static let word = "--becomes-command"

    /// Starts a program, which is looked up in `PATH`, with more environment variables. `ended` is
    /// called with its exit status.
    static func start(
        _ command: [[UInt8]], with variables: [(name: String, value: String)],
        _ ended: @escaping @Sendable (_ status: Int32) -> Void
    ) async throws(Failure) -> ChildProcess {
        let started = await withUnsafeContinuation {
            (done: UnsafeContinuation<Result<ChildProcess, Failure>, Never>) in
            // The system kills the child at the end of the thread that has started it.
            let hasThread = SystemThread.start {
                do throws(Failure) {
                    let child = ChildProcess(number: try spawn(command, with: variables))
                    done.resume(returning: .success(child))
                    ended(child.wait())
                } catch {
                    done.resume(returning: .failure(error))
                }
            }
            guard hasThread else {
                let failure = Failure(.unusable, "no thread for the command could be started")
                return done.resume(returning: .failure(failure))
            }
        }
        return try started.get()
    }

    private static func spawn(
        _ command: [[UInt8]], with variables: [(name: String, value: String)]
    ) throws(Failure) -> Int32 {
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // A set of zeros is empty.
        var defaults = sigset_t()
        sigaddset(&defaults, SIGPIPE)
        posix_spawnattr_setsigdefault(&attributes, &defaults)
        // The threads of Swift's concurrency block all signals, and a child would inherit that.
        var none = sigset_t()
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))
        // The child writes an error number into this pipe; the command closes it.
        guard let pipe = SystemPipe() else {
            throw Failure(.unusable, "no pipe for the command could be created")
        }
        let (reader, writer) = (pipe.reader, pipe.writer)
        defer { close(reader) }
        _ = fcntl(writer, F_SETFD, 0)
        let settings = environment.filter { setting in
            !variables.contains { setting.starts(with: "\($0.name)=".utf8) }
        }
        let first = ["halo", word, "\(getpid())", "\(writer)"].map { Array($0.utf8) }
        let words: [UnsafeMutablePointer<CChar>?] = (first + command).map(copy) + [nil]
        let values: [UnsafeMutablePointer<CChar>?] =
            (settings + variables.map { Array("\($0.name)=\($0.value)".utf8) }).map(copy) + [nil]
        defer { for text in words + values { free(text) } }
        var process: pid_t = 0
        var result = posix_spawn(&process, "/proc/self/exe", nil, &attributes, words, values)
        close(writer)
        if result == 0 {
            var error: Int32 = 0
            // No signal interrupts it: handlers restart what they interrupt.
            guard read(reader, &error, MemoryLayout.size(ofValue: error)) > 0 else {
                return process
            }
            waitpid(process, nil, 0)
            result = error
        }
        let name = FilePath(bytes: command.first ?? []).text
        throw Failure(
            .unusable, "'\(name)' cannot be started: \(String(cString: strerror(result)))")
    }

    /// Becomes a command, in a child that was started for it.
    static func becomeCommand() {
        let words = CommandLine.unsafeArgv
        guard CommandLine.argc > 4, let first = words[1], let command = words[4],
            strcmp(first, word) == 0,
            let parent = words[2].flatMap({ Int32(String(cString: $0)) }),
            let writer = words[3].flatMap({ Int32(String(cString: $0)) })
        else { return }
        _ = fcntl(writer, F_SETFD, FD_CLOEXEC)
        endsWithParent()
        // The parent may have ended before that.
        if getppid() == parent { execvp(command, words + 4) }
        var error = errno
        _ = write(writer, &error, MemoryLayout.size(ofValue: error))
        _exit(127)
    }

    /// `prctl` has variable arguments, which Swift cannot pass; this system call is passed them as
    /// others are.
    private static func endsWithParent() {
        typealias Control = @convention(c) (Int32, UInt, UInt, UInt, UInt) -> Int32
        guard let symbol = dlsym(nil, "prctl") else { return }
        // PR_SET_PDEATHSIG
        _ = unsafeBitCast(symbol, to: Control.self)(1, UInt(SIGKILL), 0, 0, 0)
    }

    /// A string of C, to be freed.
    private static func copy(_ bytes: [UInt8]) -> UnsafeMutablePointer<CChar>? {
        strdup(FilePath(bytes: bytes).cString)
    }

    /// The environment variables that this program was started with, as `NAME=VALUE`.
    private static var environment: [[UInt8]] {
        contents(of: "/proc/self/environ").split(separator: 0).map { Array($0) }
    }

    private static func contents(of path: String) -> [UInt8] {
        // Nothing is read of a file that cannot be opened.
        let file = open(path, O_RDONLY | O_CLOEXEC)
        defer { close(file) }
        var (all, piece): ([UInt8], [UInt8]) = ([], [UInt8](repeating: 0, count: 1 << 14))
        while case let count = read(file, &piece, piece.count), count > 0 {
            all += piece[..<count]
        }
        return all
    }

    /// Waits for the end of the child. Returns its exit status, or, as a shell does, 128 plus the
    /// number of the signal that ended it.
    private func wait() -> Int32 {
        var status: Int32 = 0
        var end = siginfo_t()
        // Until the second call, no other process gets the number.
        while waitid(P_PID, id_t(number), &end, WEXITED | WNOWAIT) < 0 {
            guard errno == EINTR else { return 1 }
        }
        let isKnown = hasEnded.withLock { hasEnded in
            hasEnded = true
            return waitpid(number, &status, 0) == number
        }
        guard isKnown else { return 1 }
        let signal = status & 0x7F
        return signal == 0 ? status >> 8 & 0xFF : 128 + signal
    }

    func send(_ signal: Int32) {
        hasEnded.withLock { if !$0 { _ = kill(number, signal) } }
    }

    /// Kills the child, its process group if it leads one, and the processes that it has started.
    func killAll() {
        hasEnded.withLock { hasEnded in
            guard !hasEnded else { return }
            let others = Self.descendants(of: number)
            if getpgid(number) == number { _ = kill(-number, SIGKILL) }
            for process in [number] + others { _ = kill(process, SIGKILL) }
        }
    }

    private static let descendantLimit = 4096

    static func descendants(of process: Int32) -> [Int32] {
        var all = [process]
        var index = 0
        while index < all.count, all.count < descendantLimit {
            for thread in threads(of: all[index]) {
                let text = contents(of: "/proc/\(all[index])/task/\(thread)/children")
                all += text.split(separator: UInt8(ascii: " "))
                    .compactMap { Int32(String(decoding: $0, as: UTF8.self)) }
            }
            index += 1
        }
        return Array(all.dropFirst())
    }

    private static func threads(of process: Int32) -> [Int32] {
        guard let folder = opendir("/proc/\(process)/task") else { return [] }
        defer { closedir(folder) }
        var threads: [Int32] = []
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if let thread = Int32(name) { threads.append(thread) }
        }
        return threads
    }
}
#endif
