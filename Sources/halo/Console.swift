import HaloCapture

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Standard input, output and error.
///
/// Output is collected and written when it is much, before input is waited for, and at the end.
struct Console {
    private var pending: [UInt8] = []
    private var input: [UInt8] = []
    private var inputStart = 0
    private var inputEnded = false
    /// Whether standard input could not be read to its end.
    private(set) var inputFailed = false

    /// Whether to write in colours: to a terminal that can, unless NO_COLOR says no.
    let usesColour: Bool

    /// How many characters a line should have: as many as the terminal, else as COLUMNS says.
    let width: Int

    private static let outputLimit = 1 << 16
    /// The longest line that is read; what a ring can say in one packet is far shorter.
    static let lineLimit = 1 << 20

    init() {
        let terminal = getenv("TERM").map { String(cString: $0) } ?? ""
        let noColour = getenv("NO_COLOR").map { String(cString: $0) } ?? ""
        usesColour =
            isatty(STDOUT_FILENO) == 1 && noColour == "" && terminal != "" && terminal != "dumb"
        let columns = getenv("COLUMNS").flatMap { Int(String(cString: $0)) } ?? 0
        width = Self.terminalWidth ?? (columns > 0 ? columns : Self.usualWidth)
    }

    private static let usualWidth = 80

    /// How wide the terminal is, if output goes to one and it says so.
    private static var terminalWidth: Int? {
        var size = winsize()
        guard isatty(STDOUT_FILENO) == 1, ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0,
            size.ws_col > 0
        else { return nil }
        return Int(size.ws_col)
    }

    /// Writes to standard output.
    mutating func write(_ text: String) {
        pending.append(contentsOf: text.utf8)
        if pending.count >= Self.outputLimit { flush() }
    }

    /// Writes to standard error.
    mutating func complain(_ text: String) {
        flush()
        let text = text.hasSuffix("\n") ? text : text + "\n"
        _ = Self.writeAll(Array(text.utf8), to: STDERR_FILENO)
    }

    /// Tells a person at a terminal what the program waits for.
    mutating func sayThatInputIsAwaited(_ what: String) {
        guard isatty(STDIN_FILENO) == 1 else { return }
        complain("reading \(what), from standard input; Ctrl-D ends")
    }

    /// Shows a person at a terminal how far things are: in place of what was shown before.
    mutating func showProgress(_ text: String) {
        guard isatty(STDERR_FILENO) == 1 else { return }
        _ = Self.writeAll(Array("\r\u{1B}[K\(text)".utf8), to: STDERR_FILENO)
    }

    /// Text from outside, safe to show.
    func safe(_ text: String) -> String {
        String(
            text.unicodeScalars.map { scalar in
                scalar.isSteering ? "\u{FFFD}" : Character(scalar)
            })
    }

    /// What a line of standard input is.
    enum Line {
        case text([UInt8])
        case tooLong
    }

    /// The next line of standard input without its end; nothing when there are no more.
    mutating func readLine() -> Line? {
        var scanned = inputStart
        var isTooLong = false
        while true {
            if let end = input[scanned...].firstIndex(of: UInt8(ascii: "\n")) {
                defer { inputStart = end + 1 }
                return isTooLong ? .tooLong : .text(Array(input[inputStart..<end]))
            }
            if inputEnded {
                defer { inputStart = input.count }
                if isTooLong { return .tooLong }
                return inputStart < input.count ? .text(Array(input[inputStart...])) : nil
            }
            if input.count - inputStart > Self.lineLimit {
                isTooLong = true
                inputStart = input.count
            }
            input.removeFirst(inputStart)
            inputStart = 0
            scanned = input.count
            fill()
        }
    }

    private mutating func fill() {
        flush()
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = read(STDIN_FILENO, &chunk, chunk.count)
            if count > 0 { return input.append(contentsOf: chunk[..<count]) }
            if count < 0 && errno == EINTR { continue }
            if count < 0 {
                inputFailed = true
                complain("halo: standard input: \(String(cString: strerror(errno)))")
            }
            inputEnded = true
            return
        }
    }

    /// Writes out what is pending; ends the program where nobody can read it.
    mutating func flush() {
        guard !pending.isEmpty else { return }
        let failure = Self.writeAll(pending, to: STDOUT_FILENO)
        pending.removeAll(keepingCapacity: true)
        guard let failure else { return }
        let reason = "halo: standard output: \(String(cString: strerror(failure)))\n"
        _ = Self.writeAll(Array(reason.utf8), to: STDERR_FILENO)
        exit(ExitStatus.foundFault.rawValue)
    }

    /// Writes out what is pending and ends the program.
    mutating func finish(with status: ExitStatus) -> Never { finish(withNumber: status.rawValue) }

    /// The same, with what another program that was run ended with.
    mutating func finish(withNumber status: Int32) -> Never {
        flush()
        exit(status)
    }

    private static func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> Int32? {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                #if canImport(Glibc)
                Glibc.write(descriptor, $0.baseAddress, $0.count)
                #elseif canImport(Musl)
                Musl.write(descriptor, $0.baseAddress, $0.count)
                #else
                Darwin.write(descriptor, $0.baseAddress, $0.count)
                #endif
            }
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if errno != EINTR {
                return errno
            }
        }
        return nil
    }
}
