import HaloTransport

/// A picture on the terminal that changes.
///
/// The picture is on the terminal's second screen: when it is closed, the terminal is as it was. In
/// the background there is no picture; it comes back when the program is in front again.
final class LiveView: Sendable {
    private enum Phase {
        case shown
        /// The program is in the background, or has not begun.
        case hidden
        case suspended
        case closed
    }

    private struct State {
        var screen: Screen
        var phase = Phase.hidden
    }

    static let interval = Duration.milliseconds(200)

    /// The picture. Its lock is held while bytes are written, which may take as long as the
    /// terminal likes.
    private let state: Locked<State>
    private let mode = Locked<TerminalMode?>(nil)
    /// `true` if the size has changed since the last picture.
    private let isStale = Locked(false)
    #if os(Linux)
    private let keys = Locked<InputThread?>(nil)
    #endif

    /// `true` if output is a terminal that can show pictures.
    static var isPossible: Bool {
        TerminalEnvironment.understandsSequences(TerminalEnvironment.output)
            && TerminalMode.isForeground(descriptor: TerminalEnvironment.output)
    }

    /// Shows a picture; `nil` where output is no terminal, or JSON.
    init?(_ console: inout Console) {
        guard !console.isJSON, Self.isPossible else { return nil }
        let glyphs = GlyphSet.supported(
            term: TerminalEnvironment.term, locale: TerminalEnvironment.locale)
        let size = TerminalSize.current(descriptor: TerminalEnvironment.output)
        state = Locked(
            State(
                screen: Screen(
                    columns: size.columns, rows: size.rows, colours: console.style.isOn,
                    glyphs: glyphs)))
        console.flush()
        #if os(Linux)
        ProgramEnding.setTerminal(
            ProgramEnding.TerminalUser(
                resized: { self.isStale.withLock { $0 = true } },
                suspend: { self.leave(for: .suspended) }, resume: { self.resume() },
                leave: { self.leave(for: .closed) }))
        #endif
        state.withLock { enter(&$0) }
    }

    func draw(_ picture: (TerminalSize, GlyphSet) -> [StyledText]) {
        state.withLock { state in
            enter(&state)
            guard case .shown = state.phase else { return }
            // Something has put the program into the background without a word to it.
            guard TerminalMode.isForeground(descriptor: TerminalEnvironment.output) else {
                state.phase = .hidden
                return mode.withLock { $0 = nil }
            }
            if isStale.exchange(false) {
                let size = TerminalSize.current(descriptor: TerminalEnvironment.output)
                state.screen.resize(columns: size.columns, rows: size.rows)
            }
            let size = TerminalSize(columns: state.screen.columns, rows: state.screen.rows)
            Self.write(state.screen.draw(picture(size, state.screen.glyphs)))
        }
    }

    /// Reads the keys that are pressed at the picture's terminal; `false` if none can be read.
    func readKeys(_ pressed: @escaping @Sendable (Character) -> Void) -> Bool {
        #if os(Linux)
        guard
            TerminalEnvironment.isSameTerminal(
                TerminalEnvironment.input, TerminalEnvironment.output),
            let thread = InputThread(
                ofKeys: { self.mode.withLock { $0?.renew() } }, pressed)
        else { return false }
        keys.withLock { $0 = thread }
        return true
        #else
        return false
        #endif
    }

    func close() {
        #if os(Linux)
        keys.withLock { keys in
            keys?.end()
            keys = nil
        }
        #endif
        leave(for: .closed)
    }

    private func enter(_ state: inout State) {
        guard case .hidden = state.phase,
            let mode = TerminalMode(descriptor: TerminalEnvironment.output)
        else { return }
        self.mode.withLock { $0 = mode }
        state.phase = .shown
        isStale.withLock { $0 = true }
        state.screen.invalidate()
        Self.write(Screen.enter())
    }

    private func resume() {
        state.withLock { state in
            guard case .suspended = state.phase else { return }
            state.phase = .hidden
            enter(&state)
        }
    }

    private func leave(for phase: Phase) {
        // First of all, because a terminal that takes no output takes its settings.
        restoreMode()
        state.withLock { state in
            // The picture may have been shown meanwhile.
            restoreMode()
            if case .shown = state.phase { Self.write(Screen.leave()) }
            if case .closed = state.phase { return }
            state.phase = phase
        }
    }

    private func restoreMode() {
        mode.withLock { mode in
            mode?.restore()
            mode = nil
        }
    }

    private static func write(_ bytes: [UInt8]) {
        _ = StandardDescriptors.writeAll(bytes, to: TerminalEnvironment.output)
    }
}

/// Values of a device that a verb shows, and the moments of new pictures.
struct LiveEvents<Value: Sendable>: Sendable {
    enum Event: Sendable {
        case value(Value)
        case tick
        case failed(Failure)
    }

    let stream: AsyncStream<Event>
    private let dropped = Locked(0)
    private let continuation: AsyncStream<Event>.Continuation
    private let ticking: Task<Void, Never>?

    /// - Parameter limit: The most events that wait; the oldest ones are dropped, and dropped
    ///   values are counted.
    init(interval: Duration?, limit: Int = 4096) {
        let (stream, continuation) = AsyncStream<Event>.makeStream(
            bufferingPolicy: .bufferingNewest(limit))
        (self.stream, self.continuation) = (stream, continuation)
        ticking = interval.map { [dropped] interval in
            Task {
                while !Task.isCancelled {
                    Self.send(.tick, continuation, dropped)
                    try? await Task.sleep(for: interval)
                }
            }
        }
        continuation.onTermination = { [ticking] _ in ticking?.cancel() }
    }

    func add(_ value: Value) { send(.value(value)) }

    /// Adds an event. Any event may push a value out of a full buffer.
    func send(_ event: Event) { Self.send(event, continuation, dropped) }

    private static func send(
        _ event: Event, _ continuation: AsyncStream<Event>.Continuation, _ dropped: Locked<Int>
    ) {
        dropped.withLock { dropped in
            if case .dropped(.value) = continuation.yield(event) { dropped += 1 }
            // Under the lock, so that no event of another thread follows and pushes it out.
            if case .failed = event { continuation.finish() }
        }
    }

    func takeDropped() -> Int { dropped.exchange(0) }

    /// Adds a failure as the last event.
    func fail(_ failure: Failure) { send(.failed(failure)) }

    func finish() { continuation.finish() }
}

extension Locked where Value: Sendable {
    /// Replaces the value, and returns the one before.
    func exchange(_ new: Value) -> Value {
        withLock { value in
            defer { value = new }
            return value
        }
    }
}
