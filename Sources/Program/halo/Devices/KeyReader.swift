#if os(Linux)
import HaloTransport

/// The keys that are pressed at the terminal of a program without a picture.
final class KeyReader: Sendable {
    private struct State {
        var mode: TerminalMode?
        var hasEnded = false
    }

    private let state: Locked<State>
    private let thread: KeyThread

    static var isTerminal: Bool { TerminalEnvironment.isTerminal(TerminalEnvironment.input) }

    init?(_ pressed: @escaping @Sendable (Character) -> Void) {
        guard let thread = KeyThread() else { return nil }
        self.thread = thread
        state = Locked(State())
        ProgramEnding.setTerminal(
            ProgramEnding.TerminalUser(
                resized: {}, suspend: { self.leave() }, resume: { self.enter() },
                leave: { self.leaveForGood() }))
        enter()
        guard thread.start({ self.enter() }, pressed) else {
            end()
            return nil
        }
    }

    func end() {
        leaveForGood()
        thread.end()
    }

    private func leaveForGood() {
        state.withLock { $0.hasEnded = true }
        leave()
    }

    private func enter() {
        state.withLock { state in
            guard !state.hasEnded else { return }
            if let mode = state.mode { return mode.renew() }
            state.mode = TerminalMode(descriptor: TerminalEnvironment.input)
        }
    }

    private func leave() {
        state.withLock { state in
            state.mode?.restore()
            state.mode = nil
        }
    }
}
#endif
