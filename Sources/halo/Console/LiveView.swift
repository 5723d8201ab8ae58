import HaloTransport

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A picture on the terminal that changes, or nothing where output is no terminal.
///
/// The picture is on the terminal's second screen: when it is closed, the terminal is as it was.
final class LiveView: Sendable {
    private struct State {
        var screen: Screen
        var mode: TerminalMode?
        var isOpen = true
        /// The size has changed, or the program was stopped, since the last picture.
        var isStale = false
    }

    /// The time between two pictures.
    static let interval = Duration.milliseconds(200)

    /// `true` if pictures are shown.
    let isInteractive: Bool
    private let state: Locked<State>

    /// `true` if output is a terminal that can show pictures.
    static var isPossible: Bool {
        let terminal = Console.variable("TERM")
        return isatty(STDOUT_FILENO) == 1 && terminal != "" && terminal != "dumb"
            && TerminalMode.isForeground(descriptor: STDOUT_FILENO)
    }

    /// Opens the view, if output is a terminal that can show one.
    init(_ console: inout Console) {
        let terminal = Console.variable("TERM")
        let glyphs = GlyphSet.supported(term: terminal, locale: Console.locale)
        isInteractive = Self.isPossible
        let size = TerminalSize.current(descriptor: STDOUT_FILENO)
        state = Locked(
            State(
                screen: Screen(
                    columns: size.columns, rows: size.rows, colours: console.style.isOn,
                    glyphs: glyphs)))
        guard isInteractive else { return }
        console.flush()
        enter()
        #if os(Linux)
        ProgramEnding.setTerminal(
            ProgramEnding.TerminalUser(
                resized: { self.state.withLock { $0.isStale = true } },
                suspend: { self.leave() }, resume: { self.enter() }, leave: { self.leave() }))
        #endif
    }

    /// Shows a picture for the current size of the terminal, and for its characters.
    func draw(_ picture: (TerminalSize, GlyphSet) -> [StyledText]) {
        guard isInteractive else { return }
        state.withLock { state in
            guard state.isOpen else { return }
            if state.isStale {
                let size = TerminalSize.current(descriptor: STDOUT_FILENO)
                state.screen.resize(columns: size.columns, rows: size.rows)
                state.isStale = false
            }
            let size = TerminalSize(columns: state.screen.columns, rows: state.screen.rows)
            Self.write(state.screen.draw(picture(size, state.screen.glyphs)))
        }
    }

    /// Leaves the picture: the terminal is as it was.
    func close() {
        guard isInteractive else { return }
        #if os(Linux)
        ProgramEnding.setTerminal(nil)
        #endif
        leave()
    }

    private func enter() {
        state.withLock { state in
            state.mode = try? TerminalMode(descriptor: STDOUT_FILENO)
            state.isOpen = true
            state.isStale = true
            state.screen.invalidate()
            Self.write(Screen.enter())
        }
    }

    private func leave() {
        state.withLock { state in
            guard state.isOpen else { return }
            state.isOpen = false
            Self.write(Screen.leave())
            state.mode?.restore()
            state.mode = nil
        }
    }

    private static func write(_ bytes: [UInt8]) {
        if !bytes.isEmpty { _ = Console.writeAll(bytes, to: STDOUT_FILENO) }
    }
}

/// The events of a verb that shows something live: values of a device, and the moments of new
/// pictures.
struct LiveEvents<Value: Sendable>: Sendable {
    enum Event: Sendable {
        case value(Value)
        /// It is time for a new picture.
        case tick
        case failed(Failure)
    }

    let stream: AsyncStream<Event>
    private let continuation: AsyncStream<Event>.Continuation
    private let ticking: Task<Void, Never>?

    /// The most events that wait; the oldest ones are dropped.
    private static var limit: Int { 4096 }

    /// Creates events, with pictures at an interval.
    init(interval: Duration?) {
        let (stream, continuation) = AsyncStream<Event>.makeStream(
            bufferingPolicy: .bufferingNewest(Self.limit))
        (self.stream, self.continuation) = (stream, continuation)
        ticking = interval.map { interval in
            Task {
                while !Task.isCancelled {
                    continuation.yield(.tick)
                    try? await Task.sleep(for: interval)
                }
            }
        }
        continuation.onTermination = { [ticking] _ in ticking?.cancel() }
    }

    /// Adds a value.
    func add(_ value: Value) { continuation.yield(.value(value)) }

    /// Ends with an error.
    func fail(_ failure: Failure) {
        continuation.yield(.failed(failure))
        finish()
    }

    /// Ends the events.
    func finish() { continuation.finish() }
}
