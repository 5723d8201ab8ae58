#if os(Linux)
#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif
import HaloDBus

/// A thread that reads the keys at standard input, a terminal in a ``TerminalMode``.
///
/// In the background no key is read: the system would stop the program. Keys are read again when
/// the program is in front.
struct KeyThread: Sendable {
    /// A pipe whose closed writer stops the thread.
    private let stop: SystemPipe

    /// The time between two looks at whether the program is in front.
    private static let backgroundMilliseconds: Int32 = 300
    /// The time between two looks at the terminal's mode in front.
    private static let frontMilliseconds: Int32 = 1000

    private static var isInFront: Bool { TerminalMode.isForeground(descriptor: STDIN_FILENO) }

    /// Prepares a thread; `nil` where no person can press keys: standard input is no terminal, or
    /// this program is not in front.
    init?() {
        guard isatty(STDIN_FILENO) == 1, Self.isInFront, let stop = SystemPipe() else {
            return nil
        }
        self.stop = stop
    }

    /// Starts the thread; `false` if the system has none.
    ///
    /// - Parameter enterMode: Sets the terminal's mode; called again and again in front, because a
    ///   shell may change it.
    func start(
        _ enterMode: @escaping @Sendable () -> Void,
        _ pressed: @escaping @Sendable (Character) -> Void
    ) -> Bool {
        if SystemThread.start({ readKeys(enterMode, pressed) }) { return true }
        close(stop.reader)
        return false
    }

    /// Ends the thread; called once.
    func end() { close(stop.writer) }

    private func readKeys(_ enterMode: () -> Void, _ pressed: (Character) -> Void) {
        defer { close(stop.reader) }
        while true {
            let mayRead = Self.isInFront
            if mayRead { enterMode() }
            guard
                let hasKeys = stop.waitForInput(
                    at: mayRead ? STDIN_FILENO : nil,
                    milliseconds: mayRead ? Self.frontMilliseconds : Self.backgroundMilliseconds)
            else { return }
            guard hasKeys, Self.isInFront else { continue }
            var bytes = [UInt8](repeating: 0, count: 64)
            let length = read(STDIN_FILENO, &bytes, bytes.count)
            guard length > 0 else { return }
            // The sequence of a key without a letter begins with ESC, and comes in one piece.
            guard bytes[0] != 0x1B else { continue }
            for byte in bytes[..<length] {
                pressed(Character(Unicode.Scalar(byte)))
            }
        }
    }
}
#endif
