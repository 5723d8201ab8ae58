#if os(Linux)
#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif
import HaloCapture

/// The program behind `--`, which runs with a device.
enum ChildProcess {
    /// Starts a program, which is looked up in `PATH`, with more environment variables. Returns
    /// its process number.
    static func start(
        _ command: [[UInt8]], with variables: [(name: String, value: String)]
    ) throws(Failure) -> Int32 {
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
        guard let program = words[0] else { throw Failure(.wrongUsage, "a command is missing") }
        var process: pid_t = 0
        let result = posix_spawnp(&process, program, nil, &attributes, words, values)
        guard result == 0 else {
            let name = FilePath(bytes: command.first ?? []).text
            throw Failure(
                .unusable, "'\(name)' cannot be started: \(String(cString: strerror(result)))")
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
    static func wait(for process: Int32) -> Int32 {
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0 { guard errno == EINTR else { return 1 } }
        let number = status & 0x7F
        return number == 0 ? status >> 8 & 0xFF : 128 + number
    }
}
#endif
