#if os(Linux)
#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif
import HaloDBus
import HaloTransport

/// The keys that are pressed at the terminal, read by a thread of its own.
final class KeyReader: Sendable {
    private let mode: TerminalMode
    /// A pipe whose closed end stops the thread.
    private let stop: Int32

    /// `true` if a person can press keys: standard input is a terminal, and this program is in
    /// front.
    static var isPossible: Bool {
        isatty(STDIN_FILENO) == 1 && TerminalMode.isForeground(descriptor: STDIN_FILENO)
    }

    /// Starts to read; `nil` without a terminal.
    init?(_ pressed: @escaping @Sendable (Character) -> Void) {
        var ends: [Int32] = [-1, -1]
        guard Self.isPossible, let mode = try? TerminalMode(descriptor: STDIN_FILENO) else {
            return nil
        }
        guard pipe(&ends) == 0, ends.count == 2 else {
            mode.restore()
            return nil
        }
        let (reader, writer) = (ends[0], ends[1])
        self.mode = mode
        stop = writer
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        ProgramEnding.setTerminal(
            ProgramEnding.TerminalUser(
                resized: {}, suspend: { mode.restore() },
                resume: { _ = try? TerminalMode(descriptor: STDIN_FILENO) },
                leave: { mode.restore() }))
        _ = SystemThread.start { Self.read(until: reader, pressed) }
    }

    /// Stops reading, and restores the terminal's settings.
    func end() {
        ProgramEnding.setTerminal(nil)
        close(stop)
        mode.restore()
    }

    private static func read(until stop: Int32, _ pressed: (Character) -> Void) {
        var keys = TerminalKeys()
        var entries = [
            pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0),
            pollfd(fd: stop, events: Int16(POLLIN), revents: 0),
        ]
        defer { close(stop) }
        while true {
            let count = poll(&entries, 2, -1)
            guard count >= 0 || errno == EINTR, entries[1].revents == 0 else { return }
            guard count > 0, entries[0].revents != 0 else { continue }
            var bytes = [UInt8](repeating: 0, count: 64)
            let length = Glibc.read(STDIN_FILENO, &bytes, bytes.count)
            guard length > 0 else { return }
            for case .character(let key) in keys.receive(bytes[..<length]) { pressed(key) }
        }
    }
}
#endif
