#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A child process, which is run to its end.
struct ChildProcess {
    /// The path of this program.
    static let ourselves = "/proc/self/exe"

    /// Runs a program, found as a shell would find it. Its output goes to a file.
    static func run(
        _ arguments: [String], input: String = "/dev/null", output: String,
        allowing statuses: Set<Int32> = [0]
    ) throws {
        let process = try spawn(arguments, input: input, output: output)
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0 {
            guard errno == EINTR else { throw WorkloadFault(reason: "\(arguments[0]) is lost") }
        }
        guard status & 0x7F == 0, statuses.contains(status >> 8) else {
            throw WorkloadFault(reason: "\(arguments[0]) ended with \(status)")
        }
    }

    private static func spawn(
        _ arguments: [String], input: String, output: String
    ) throws -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        let flags = O_WRONLY | O_CREAT | O_TRUNC
        posix_spawn_file_actions_addopen(&actions, 0, input, O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, output, flags, 0o600)
        posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        var words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) }
        words.append(nil)
        defer { for word in words { free(word) } }
        var process = pid_t()
        let fault = posix_spawnp(&process, arguments[0], &actions, nil, words, environ)
        guard fault == 0 else {
            throw WorkloadFault(reason: "\(arguments[0]): \(String(cString: strerror(fault)))")
        }
        return process
    }

    // MARK: On a terminal

    /// The costs of a program.
    struct Costs {
        /// The processor time as a percentage of the time that it ran.
        let percentOfCore: Double
        let peakMegabytes: Double
    }

    /// Runs a program on a terminal, and reads everything that it shows.
    static func onTerminal(_ arguments: [String], columns: Int, rows: Int) throws -> Costs {
        // The functions of POSIX for this are hidden from Swift on Linux, and so are the names of
        // these requests: TIOCSPTLCK and TIOCGPTN.
        let terminal = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        defer { close(terminal) }
        var (lock, number): (Int32, UInt32) = (0, 0)
        guard terminal >= 0, ioctl(terminal, 0x4004_5431, &lock) == 0,
            ioctl(terminal, 0x8004_5430, &number) == 0
        else { throw WorkloadFault(reason: "there is no pseudo-terminal") }
        let name = "/dev/pts/\(number)"
        var size = winsize(
            ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(terminal, UInt(TIOCSWINSZ), &size)
        setenv("TERM", "xterm-256color", 1)
        setenv("LC_ALL", "C.UTF-8", 1)
        let stopwatch = Stopwatch()
        let process = try spawn(arguments, input: name, output: name)
        var (buffer, length, peak) = ([UInt8](repeating: 0, count: 1 << 16), 0, 0.0)
        while true {
            // The read fails when the program has closed the terminal.
            let count = read(terminal, &buffer, buffer.count)
            guard count > 0 else { break }
            length += count
            peak = max(peak, peakMegabytes(of: "\(process)"))
        }
        var (status, usage) = (Int32(0), rusage())
        while wait4(process, &status, 0, &usage) < 0 {
            guard errno == EINTR else { throw WorkloadFault(reason: "\(arguments[0]) is lost") }
        }
        let elapsed = stopwatch.milliseconds
        guard status == 0, length > 10_000, peak > 0 else {
            throw WorkloadFault(reason: "\(arguments[0]) ended with \(status), \(length) bytes")
        }
        let used = [usage.ru_utime, usage.ru_stime].map {
            Double($0.tv_sec) * 1000 + Double($0.tv_usec) / 1000
        }
        return Costs(
            percentOfCore: used.reduce(0, +) / elapsed * 100, peakMegabytes: peak)
    }

    /// `true` if a program of that name is installed.
    static func exists(_ name: String) -> Bool {
        let path = getenv("PATH").map { String(cString: $0) } ?? ""
        return path.split(separator: ":").contains { access("\($0)/\(name)", X_OK) == 0 }
    }

    /// The first line of a small file.
    static func firstLine(of path: String) -> String {
        guard let file = fopen(path, "r") else { return "" }
        defer { fclose(file) }
        var buffer = [CChar](repeating: 0, count: 1024)
        guard fgets(&buffer, Int32(buffer.count), file) != nil else { return "" }
        let bytes = buffer.prefix { $0 != 0 && $0 != 10 }.map { UInt8(bitPattern: $0) }
        return String(decoding: bytes, as: UTF8.self)
    }
}
