#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A terminal from which keys are read one by one, without echo.
///
/// Ctrl-C and Ctrl-Z remain signals. The value holds the settings that the terminal had before; it
/// never changes, so every thread and every handler of a signal can restore them.
struct TerminalMode: Sendable {
    let descriptor: Int32
    private let earlier: termios

    /// Switches echo and the editing of lines off; `nil` for what is no terminal, in the
    /// background, where the system would stop the program, and if the system refuses.
    ///
    /// A program that was stopped and goes on makes a new value: the shell may have changed the
    /// settings meanwhile.
    init?(descriptor: Int32) {
        var settings = termios()
        guard isatty(descriptor) == 1, Self.isForeground(descriptor: descriptor),
            tcgetattr(descriptor, &settings) == 0,
            Self.apply(Self.forKeys(settings), to: descriptor)
        else { return nil }
        self.descriptor = descriptor
        earlier = settings
    }

    /// Switches echo and the editing of lines off again, if they are on: a shell may set its own
    /// settings after the program has come to the front.
    func renew() {
        var settings = termios()
        guard Self.isForeground(descriptor: descriptor), tcgetattr(descriptor, &settings) == 0,
            settings.c_lflag & tcflag_t(ICANON | ECHO) != 0
        else { return }
        _ = Self.apply(Self.forKeys(settings), to: descriptor)
    }

    private static func forKeys(_ earlier: termios) -> termios {
        var settings = earlier
        settings.c_lflag &= ~tcflag_t(ICANON | ECHO)
        withUnsafeMutableBytes(of: &settings.c_cc) { characters in
            // A read returns as soon as there is one byte.
            characters[Int(VMIN)] = 1
            characters[Int(VTIME)] = 0
        }
        return settings
    }

    /// Restores the earlier settings of the terminal. Unread keys are discarded: the shell would
    /// run them as a command. Does nothing in the background, where the system would stop the
    /// program. Can be called more than once, from any thread, and from the handler of a signal.
    func restore() {
        guard Self.isForeground(descriptor: descriptor) else { return }
        _ = tcflush(descriptor, TCIFLUSH)
        _ = Self.apply(earlier, to: descriptor)
    }

    /// Returns `true` if the program may change the mode of a terminal: it runs in the terminal's
    /// foreground, or the terminal is not the one that controls it.
    static func isForeground(descriptor: Int32) -> Bool {
        let group = tcgetpgrp(descriptor)
        if group >= 0 { return group == getpgrp() }
        return isatty(descriptor) == 1
    }

    /// Sets the mode at once; returns `false` if the system refuses.
    private static func apply(_ settings: termios, to descriptor: Int32) -> Bool {
        var settings = settings
        while tcsetattr(descriptor, TCSANOW, &settings) != 0 {
            if errno != EINTR { return false }
        }
        return true
    }
}

struct TerminalSize: Hashable, Sendable {
    var columns: Int
    var rows: Int

    /// The size of a terminal that does not tell it.
    static let standard = TerminalSize(columns: 80, rows: 24)

    /// The most columns and rows: the system counts them in 16 bits.
    static let limit = Int(UInt16.max)

    /// Returns the size of the terminal of a descriptor. Where the system has none, `COLUMNS`
    /// and `LINES` are used, and then 80 × 24.
    static func current(descriptor: Int32) -> TerminalSize {
        var size = winsize()
        let isKnown = ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0
        return resolved(
            columns: isKnown ? Int(size.ws_col) : 0, rows: isKnown ? Int(size.ws_row) : 0,
            columnsVariable: TerminalEnvironment.variable("COLUMNS"),
            linesVariable: TerminalEnvironment.variable("LINES"))
    }

    /// The system's numbers, which are 0 if unknown, count before the variables.
    static func resolved(
        columns: Int, rows: Int, columnsVariable: String, linesVariable: String
    ) -> TerminalSize {
        func first(_ known: Int, _ variable: String, _ standard: Int) -> Int {
            if known > 0 { return known }
            let number = Int(variable) ?? 0
            return 1...limit ~= number ? number : standard
        }
        return TerminalSize(
            columns: first(columns, columnsVariable, standard.columns),
            rows: first(rows, linesVariable, standard.rows))
    }
}
