#if os(Linux)
#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif
import HaloDBus
import HaloTransport

/// The keys that are pressed at the terminal, read by a thread of its own.
///
/// In the background no key is read: the system would stop the program. Keys are read again when
/// the program is in front.
final class KeyReader: Sendable {
    private struct State {
        /// The terminal's settings while keys are read.
        var mode: TerminalMode?
        var hasEnded = false
    }

    private let state: Locked<State>
    /// A pipe whose closed end stops the thread.
    private let stop: Int32

    /// The time between two looks at whether the program is in front.
    private static let backgroundMilliseconds: Int32 = 300
    /// The time between two looks at the terminal's mode in front.
    private static let frontMilliseconds: Int32 = 1000

    /// `true` if a person can press keys: standard input is a terminal, and this program is in
    /// front.
    static var isPossible: Bool { isTerminal && isInFront }

    /// `true` if standard input is a terminal.
    static var isTerminal: Bool { isatty(STDIN_FILENO) == 1 }

    private static var isInFront: Bool { TerminalMode.isForeground(descriptor: STDIN_FILENO) }

    /// Starts to read; `nil` without a terminal.
    init?(_ pressed: @escaping @Sendable (Character) -> Void) {
        var ends: [Int32] = [-1, -1]
        guard Self.isPossible, pipe(&ends) == 0, ends.count == 2 else { return nil }
        let (reader, writer) = (ends[0], ends[1])
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        state = Locked(State())
        stop = writer
        ProgramEnding.setTerminal(
            ProgramEnding.TerminalUser(
                resized: {}, suspend: { self.leave() }, resume: { self.enter() },
                leave: { self.leaveForGood() }))
        enter()
        guard SystemThread.start({ self.readKeys(until: reader, pressed) }) else {
            close(reader)
            end()
            return nil
        }
    }

    /// Stops reading, and restores the terminal's settings.
    func end() {
        leaveForGood()
        ProgramEnding.setTerminal(nil)
        close(stop)
    }

    private func leaveForGood() {
        state.withLock { $0.hasEnded = true }
        leave()
    }

    private func enter() {
        state.withLock { state in
            guard !state.hasEnded else { return }
            if let mode = state.mode { return mode.renew() }
            state.mode = try? TerminalMode(descriptor: STDIN_FILENO)
        }
    }

    private func leave() {
        state.withLock { state in
            state.mode?.restore()
            state.mode = nil
        }
    }

    private func readKeys(until stop: Int32, _ pressed: (Character) -> Void) {
        var entries = [
            pollfd(fd: stop, events: Int16(POLLIN), revents: 0),
            pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0),
        ]
        defer { close(stop) }
        while true {
            let mayRead = Self.isInFront
            if mayRead { enter() }
            let count = poll(
                &entries, mayRead ? 2 : 1,
                mayRead ? Self.frontMilliseconds : Self.backgroundMilliseconds)
            guard count >= 0 || errno == EINTR, entries[0].revents == 0 else { return }
            guard count > 0, mayRead, entries[1].revents != 0, Self.isInFront else { continue }
            var bytes = [UInt8](repeating: 0, count: 64)
            let length = read(STDIN_FILENO, &bytes, bytes.count)
            guard length > 0 else { return }
            // The sequence of a key without a letter begins with ESC, and comes in one piece.
            guard bytes[0] != 0x1B else { continue }
            for byte in bytes[..<length] where 0x20..<0x7F ~= byte {
                pressed(Character(Unicode.Scalar(byte)))
            }
        }
    }
}
#endif
