import TestSupport
import Testing

@testable import halo

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The size and the mode of a real pseudo-terminal.
@Suite(.computes) struct TerminalModeTests {
    private let pair: PseudoTerminal

    init() throws { pair = try PseudoTerminal() }

    /// Both ends of a pseudo-terminal, which does not control this process.
    private final class PseudoTerminal {
        let controller: Int32
        let terminal: Int32

        init() throws {
            let name: String
            (controller, name) = try Self.openController()
            terminal = open(name, O_RDWR | O_NOCTTY)
            try #require(terminal >= 0)
        }

        /// Opens a new pseudo-terminal, and returns the name of its other end.
        private static func openController() throws -> (Int32, String) {
            #if os(Linux)
            // The functions of POSIX for this are hidden from Swift on Linux, and so are the names
            // of these requests: TIOCSPTLCK and TIOCGPTN.
            let controller = open("/dev/ptmx", O_RDWR | O_NOCTTY)
            try #require(controller >= 0)
            var (lock, number): (Int32, UInt32) = (0, 0)
            try #require(ioctl(controller, 0x4004_5431, &lock) == 0)
            try #require(ioctl(controller, 0x8004_5430, &number) == 0)
            return (controller, "/dev/pts/\(number)")
            #else
            let controller = posix_openpt(O_RDWR | O_NOCTTY)
            try #require(controller >= 0 && grantpt(controller) == 0 && unlockpt(controller) == 0)
            return (controller, String(cString: try #require(ptsname(controller))))
            #endif
        }

        deinit {
            close(terminal)
            close(controller)
        }

        var settings: termios {
            get throws {
                var settings = termios()
                try #require(tcgetattr(terminal, &settings) == 0)
                return settings
            }
        }

        /// Every setting as numbers.
        var numbers: [UInt64] {
            get throws {
                let settings = try settings
                let flags = [
                    settings.c_iflag, settings.c_oflag, settings.c_cflag, settings.c_lflag,
                ]
                let characters = withUnsafeBytes(of: settings.c_cc) { Array($0) }
                return flags.map { UInt64($0) } + characters.map { UInt64($0) }
            }
        }

        func isReadable(_ descriptor: Int32, milliseconds: Int32) -> Bool {
            var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            return poll(&entry, 1, milliseconds) == 1
        }
    }

    @Test func theEarlierModeComesBack() throws {
        // Settings that no program sets by itself.
        var odd = try pair.settings
        odd.c_lflag &= ~tcflag_t(ECHOE)
        odd.c_iflag |= tcflag_t(INLCR)
        withUnsafeMutableBytes(of: &odd.c_cc) { $0[Int(VMIN)] = 7 }
        #expect(tcsetattr(pair.terminal, TCSANOW, &odd) == 0)
        let before = try pair.numbers
        let mode = try #require(TerminalMode(descriptor: pair.terminal))
        #expect(try pair.numbers != before)
        mode.restore()
        #expect(try pair.numbers == before)
        mode.restore()
        #expect(try pair.numbers == before)
        // After Ctrl-Z and `fg`.
        try #require(TerminalMode(descriptor: pair.terminal)).restore()
        #expect(try pair.numbers == before)
    }

    @Test func onlyEchoAndLinesAreSwitchedOff() throws {
        var odd = try pair.settings
        withUnsafeMutableBytes(of: &odd.c_cc) {
            $0[Int(VMIN)] = 7
            $0[Int(VTIME)] = 3
        }
        #expect(tcsetattr(pair.terminal, TCSANOW, &odd) == 0)
        let before = try pair.settings
        let mode = try #require(TerminalMode(descriptor: pair.terminal))
        defer { mode.restore() }
        let settings = try pair.settings
        #expect(settings.c_lflag == before.c_lflag & ~tcflag_t(ICANON | ECHO))
        #expect(settings.c_lflag & tcflag_t(ISIG) != 0)
        #expect(settings.c_iflag == before.c_iflag && settings.c_oflag == before.c_oflag)
        let characters = withUnsafeBytes(of: settings.c_cc) { Array($0) }
        #expect(characters[Int(VMIN)] == 1 && characters[Int(VTIME)] == 0)
    }

    @Test func aKeyArrivesAloneAndIsNotEchoed() throws {
        let mode = try #require(TerminalMode(descriptor: pair.terminal))
        defer { mode.restore() }
        #expect(write(pair.controller, "q", 1) == 1)
        #expect(pair.isReadable(pair.terminal, milliseconds: 10_000))
        var bytes = [UInt8](repeating: 0, count: 8)
        #expect(read(pair.terminal, &bytes, bytes.count) == 1)
        #expect(bytes[0] == UInt8(ascii: "q"))
        #expect(!pair.isReadable(pair.controller, milliseconds: 0))
    }

    @Test func restoringFromManyThreadsIsHarmless() async throws {
        let before = try pair.numbers
        let mode = try #require(TerminalMode(descriptor: pair.terminal))
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 { group.addTask { mode.restore() } }
        }
        #expect(try pair.numbers == before)
    }

    @Test func somethingElseIsNoTerminal() throws {
        var ends: [Int32] = [-1, -1]
        try #require(pipe(&ends) == 0)
        defer { for end in ends { close(end) } }
        for descriptor in ends + [-1] {
            #expect(TerminalMode(descriptor: descriptor) == nil)
            #expect(!TerminalMode.isForeground(descriptor: descriptor))
        }
    }

    @Test func aTerminalThatDoesNotControlUsIsNoBackground() throws {
        #expect(TerminalMode.isForeground(descriptor: pair.terminal))
    }

    @Test func twoTerminalsAreNotTheSame() throws {
        let (one, other) = (try PseudoTerminal(), try PseudoTerminal())
        #expect(TerminalEnvironment.isSameTerminal(one.terminal, one.terminal))
        #expect(!TerminalEnvironment.isSameTerminal(one.terminal, other.terminal))
        #expect(!TerminalEnvironment.isSameTerminal(-1, -1))
    }

    @Test func theSystemTellsTheSize() throws {
        var size = winsize(ws_row: 43, ws_col: 132, ws_xpixel: 0, ws_ypixel: 0)
        try #require(ioctl(pair.terminal, UInt(TIOCSWINSZ), &size) == 0)
        let known = TerminalSize.current(descriptor: pair.terminal)
        #expect(known == TerminalSize(columns: 132, rows: 43))
    }

    @Test(arguments: [
        (0, 0, "", "", 80, 24), (0, 0, "100", "30", 100, 30), (132, 43, "100", "30", 132, 43),
        (132, 0, "100", "", 132, 24), (0, 0, "-5", "0", 80, 24), (0, 0, "x", "99999999999", 80, 24),
        (1, 1, "100", "30", 1, 1), (0, 0, "1", "65535", 1, 65535), (0, 0, "65536", "1", 80, 1),
        (0, 0, "99999999999999999999999", " 5", 80, 24),
    ])
    func anUnknownSizeFollowsFromTheEnvironment(
        columns: Int, rows: Int, columnsVariable: String, linesVariable: String, width: Int,
        height: Int
    ) {
        let size = TerminalSize.resolved(
            columns: columns, rows: rows, columnsVariable: columnsVariable,
            linesVariable: linesVariable)
        #expect(size == TerminalSize(columns: width, rows: height))
    }
}
