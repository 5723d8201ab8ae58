#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Standard input, output and error. Output is buffered: it is written when the buffer is full,
/// before input is read, and at the end.
struct Console {
    /// `true` if standard output is lines of JSON, so that errors are also among them.
    var isJSON = false
    /// `true` if a capture plays the device, whose silence has another reason than a real one's.
    var isReplaying = false
    var isQuiet = false
    /// `true` if a file that a verb makes may replace another one.
    var replacesFiles = false
    /// Colours for a terminal that has them, unless `NO_COLOR` is set.
    private(set) var style: TerminalStyle
    /// The characters in a line: of the terminal, else of `COLUMNS`, else 80.
    let width: Int
    /// `true` once standard input could not be read to its end.
    private(set) var inputFailed = false

    private var color = ColorChoice.auto
    /// The error number with which output failed. Further output is dropped, and the program ends
    /// when the verb has tidied up.
    private var outputFailure: Int32?
    private var output: Int32
    private let errorOutput: Int32
    private var pending: [UInt8] = []
    private var input: ArraySlice<UInt8> = []
    private var inputEnded = false

    private static let outputLimit = 1 << 16
    /// The longest line that is read; the longest packet of a ring is far shorter.
    static let lineLimit = 1 << 20

    init(output: Int32 = STDOUT_FILENO, errorOutput: Int32 = STDERR_FILENO) {
        self.output = output
        self.errorOutput = errorOutput
        width = TerminalSize.current(descriptor: output).columns
        style = TerminalStyle(isOn: false)
        setColor(.auto)
    }

    /// The characters in a line of a table: without a terminal a row is a line, unless `COLUMNS`
    /// is set.
    var tableWidth: Int {
        isAtTerminal || TerminalEnvironment.variable("COLUMNS") != "" ? width : .max
    }

    var helpWidth: Int { min(width, TextLayout.widest) }

    mutating func setColor(_ choice: ColorChoice) {
        color = choice
        style = TerminalStyle(isOn: hasColours(on: output))
    }

    var isAtTerminal: Bool { isatty(output) == 1 }

    var errorHasColours: Bool { hasColours(on: errorOutput) }

    private func hasColours(on descriptor: Int32) -> Bool {
        switch color {
        case .always: true
        case .never: false
        case .auto:
            TerminalEnvironment.understandsSequences(descriptor)
                && TerminalEnvironment.variable("NO_COLOR") == ""
        }
    }

    // MARK: Output

    /// Writes everything to standard error from now on, because standard output is the file that
    /// the verb makes.
    mutating func leaveOutputToFile() {
        flush()
        output = errorOutput
        setColor(color)
    }

    mutating func write(_ text: String) { write(text.utf8) }

    mutating func write(_ text: some Collection<UInt8>) {
        pending.append(contentsOf: text)
        if pending.count >= Self.outputLimit { flush() }
    }

    mutating func write(type: String, _ members: JSONObject) {
        write(members.row(type))
    }

    /// Writes an object as JSON, or else a text for people.
    mutating func write(
        type: String, _ object: @autoclosure () -> JSONObject, or text: @autoclosure () -> String
    ) {
        if isJSON { write(type: type, object()) } else { write(text()) }
    }

    /// Writes an object as JSON, or else a text for people, which `-q` leaves out.
    mutating func write(
        type: String, _ object: @autoclosure () -> JSONObject, unlessQuiet text: String
    ) {
        let words = isQuiet ? "" : text
        write(type: type, object(), or: words)
    }

    /// Writes text to standard error, with a line end if it has none.
    mutating func writeError(_ text: String) {
        flush()
        Self.draw(text.hasSuffix("\n") ? text : text + "\n", to: errorOutput)
    }

    /// Writes text to standard error as it is.
    static func draw(_ text: String, to descriptor: Int32 = STDERR_FILENO) {
        _ = StandardDescriptors.writeAll(Array(text.utf8), to: descriptor)
    }

    /// Reports an error: `halo: …` and what to do on standard error, and an object among the JSON.
    /// The texts may come from outside.
    @discardableResult
    mutating func report(_ failure: Failure) -> ExitStatus {
        // Whoever has ended the program knows it.
        let isExplained = ProgramEnding.endingSignal != nil || outputFailure != nil
        if failure.isCancellation, isExplained { return failure.status }
        let advice =
            isReplaying && failure.isSilence
            ? "A capture answers only the requests that were recorded; 'halo decode' shows them."
            : failure.advice
        if isJSON {
            write(
                type: "error",
                ["message": failure.message, "advice": advice, "status": failure.status.code]
                    + failure.members)
        }
        let lines = ["halo: \(failure.message)", advice].compactMap { $0?.printable }
        writeError(lines.map(wrappedForError).joined(separator: "\n"))
        return failure.status
    }

    /// Returns a sentence in lines of the terminal that shows it; as it is for another reader.
    private func wrappedForError(_ text: String) -> String {
        guard isatty(errorOutput) == 1 else { return text }
        let width = TerminalSize.current(descriptor: errorOutput).columns
        return TextLayout.wrapped(text, width: width).joined(separator: "\n")
    }

    /// Writes a remark to standard error, which is no error. The text may come from outside.
    mutating func remark(_ text: String) {
        if !isQuiet { notice(text) }
    }

    /// Writes to standard error what calls for attention though all was done, also with `--quiet`:
    /// it is a result. The text may come from outside.
    mutating func notice(_ text: String) {
        writeError(wrappedForError("halo: \(text.printable)"))
    }

    /// - Parameter printsLines: `true` if lines are printed meanwhile, which a terminal shows
    ///   instead.
    func progress(_ title: String, printsLines: Bool = false) -> Progress {
        Progress(title, on: printsLines && isAtTerminal ? .nowhere : progressPlace)
    }

    var progressPlace: Progress.Place { Progress.Place(isQuiet: isQuiet) }

    /// Writes the pending output. If it cannot be written, the program ends: at once, or when the
    /// verb has tidied up.
    mutating func flush() {
        guard !pending.isEmpty else { return }
        let failure = outputFailure == nil ? StandardDescriptors.writeAll(pending, to: output) : nil
        pending.removeAll(keepingCapacity: true)
        guard let failure else { return }
        if failure == EPIPE { ProgramEnding.awaitCleaning() }
        // Whoever has ignored SIGPIPE has asked to learn of a closed output in another way.
        if failure == EPIPE, ProgramEnding.isWatching { return ProgramEnding.outputIsClosed() }
        outputFailure = failure
        if ProgramEnding.isWatching { return ProgramEnding.cancelTask() }
        endByOutputFailure()
    }

    private mutating func endByOutputFailure() {
        guard let outputFailure else { return }
        let name = output == errorOutput ? "error" : "output"
        writeError("halo: standard \(name): \(String(cString: strerror(outputFailure)))")
        exit(ExitStatus.unusable.code)
    }

    /// Writes the pending output, and ends the program: by the signal that has cancelled it, if
    /// there was one.
    mutating func finish(with status: Int32) -> Never {
        flush()
        // A terminal that is closed ends the program by a signal, and takes no more output.
        ProgramEnding.endBySignal()
        endByOutputFailure()
        exit(status)
    }

    // MARK: Input

    enum Line {
        case text([UInt8])
        /// A line that is longer than the limit, and is skipped.
        case tooLong
    }

    mutating func announceInput(_ content: String) {
        guard isatty(STDIN_FILENO) == 1 else { return }
        remark("reading \(content), from standard input; Ctrl-D ends it")
    }

    /// Returns the next line of standard input without its end, or `nil` after the last one.
    mutating func readLine() -> Line? {
        var scanned = input.startIndex
        var isTooLong = false
        while true {
            if let end = input[scanned...].firstIndex(of: UInt8(ascii: "\n")) {
                defer { input = input[(end + 1)...] }
                return isTooLong ? .tooLong : .text(Array(input[..<end]))
            }
            if inputEnded {
                defer { input = [] }
                return isTooLong ? .tooLong : input.isEmpty ? nil : .text(Array(input))
            }
            if input.count > Self.lineLimit {
                isTooLong = true
                input = []
            }
            scanned = input.endIndex
            readInput()
        }
    }

    private mutating func readInput() {
        flush()
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = read(STDIN_FILENO, &chunk, chunk.count)
            if count > 0 { return input.append(contentsOf: chunk[..<count]) }
            if count < 0, errno == EAGAIN {
                StandardDescriptors.wait(for: POLLIN, at: STDIN_FILENO)
                continue
            }
            if count < 0 {
                inputFailed = true
                writeError("halo: standard input: \(String(cString: strerror(errno)))")
            }
            inputEnded = true
            return
        }
    }
}

enum StandardDescriptors {
    /// Opens `/dev/null` in place of each closed one, so that no file which is opened later gets
    /// its number, and with it the text of errors. It is opened the wrong way round: reading and
    /// writing still fail as they do with a closed descriptor, and are reported.
    static func occupy() {
        for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] {
            guard fcntl(descriptor, F_GETFD) < 0 else { continue }
            // The system gives the lowest free number, and all lower ones are taken by now.
            _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
        }
    }

    /// The descriptors that the system's timers and signals may need: without one, they trap.
    private static let needed = 8

    static var leaveRoom: Bool {
        var opened: [Int32] = []
        defer { for descriptor in opened { close(descriptor) } }
        while opened.count < needed {
            let descriptor = open("/dev/null", O_RDONLY)
            guard descriptor >= 0 else { return false }
            opened.append(descriptor)
        }
        return true
    }

    /// Writes bytes to a descriptor; returns the error number of a failure.
    static func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> Int32? {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if errno == EAGAIN {
                wait(for: POLLOUT, at: descriptor)
            } else if errno != EINTR {
                return errno
            }
        }
        return nil
    }

    /// Waits at a descriptor that the program's parent has made non-blocking.
    static func wait(for events: Int32, at descriptor: Int32) {
        var entry = pollfd(fd: descriptor, events: Int16(events), revents: 0)
        _ = poll(&entry, 1, -1)
    }
}
