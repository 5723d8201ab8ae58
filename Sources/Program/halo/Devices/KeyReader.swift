#if os(Linux)
import HaloTransport

/// The keys that are pressed at the terminal of a program without a picture.
final class KeyReader: Sendable {
    private struct State {
        var mode: TerminalMode?
        var hasEnded = false
        var thread: InputThread?
    }

    private let state = Locked(State())

    init?(_ pressed: @escaping @Sendable (Character) -> Void) {
        guard InputThread.canReadKeys else { return nil }
        ProgramEnding.setTerminal(
            ProgramEnding.TerminalUser(
                resized: {}, suspend: { self.leave() }, resume: { self.enter() },
                leave: { self.leaveForGood() }))
        enter()
        guard let thread = InputThread(ofKeys: { self.enter() }, pressed) else {
            leaveForGood()
            return nil
        }
        state.withLock { $0.thread = thread }
    }

    func end() {
        leaveForGood()
        state.withLock { $0.thread }?.end()
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
