#if os(Linux)
#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif
import HaloDBus

/// A thread that reads standard input: the keys of a terminal, or lines until their end.
struct InputThread: Sendable {
    /// A pipe whose closed writer stops the thread.
    private let stop: SystemPipe

    /// The time between two looks at whether the program is in front.
    private static let backgroundMilliseconds: Int32 = 300
    /// The time between two looks at the terminal's mode in front.
    private static let frontMilliseconds: Int32 = 1000

    private static var isInFront: Bool { TerminalMode.isForeground(descriptor: STDIN_FILENO) }

    /// `true` where a person can press keys: standard input is a terminal, and this program is in
    /// front.
    static var canReadKeys: Bool { isatty(STDIN_FILENO) == 1 && isInFront }

    /// Starts to read the keys of a terminal in a ``TerminalMode``; `nil` where it cannot.
    ///
    /// In the background no key is read: the system would stop the program. Keys are read again
    /// when the program is in front.
    ///
    /// - Parameter enterMode: Sets the terminal's mode; called again and again in front, because a
    ///   shell may change it.
    init?(
        ofKeys enterMode: @escaping @Sendable () -> Void,
        _ pressed: @escaping @Sendable (Character) -> Void
    ) {
        guard Self.canReadKeys else { return nil }
        self.init { Self.readKeys(until: $0, enterMode, pressed) }
    }

    /// Starts to read lines; `nil` if the system has no pipe or no thread for it.
    ///
    /// - Parameter received: Called with the number of each line, and the line without its end;
    ///   with `nil` for one that is longer than `limit`.
    init?(
        ofLines limit: Int, _ received: @escaping @Sendable (_ number: Int, [UInt8]?) -> Void
    ) {
        self.init { Self.readLines(until: $0, limit, received) }
    }

    private init?(_ read: @escaping @Sendable (SystemPipe) -> Void) {
        guard let stop = SystemPipe() else { return nil }
        self.stop = stop
        let isStarted = SystemThread.start {
            read(stop)
            close(stop.reader)
        }
        guard isStarted else {
            for end in [stop.reader, stop.writer] { close(end) }
            return nil
        }
    }

    /// Ends the thread; called once.
    func end() { close(stop.writer) }

    private static func readKeys(
        until stop: SystemPipe, _ enterMode: () -> Void, _ pressed: (Character) -> Void
    ) {
        while true {
            let mayRead = isInFront
            if mayRead { enterMode() }
            guard
                let hasKeys = stop.waitForInput(
                    at: mayRead ? STDIN_FILENO : nil,
                    milliseconds: mayRead ? frontMilliseconds : backgroundMilliseconds)
            else { return }
            guard hasKeys, isInFront else { continue }
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

    private static func readLines(
        until stop: SystemPipe, _ limit: Int, _ received: (Int, [UInt8]?) -> Void
    ) {
        var chunk = [UInt8](repeating: 0, count: 4096)
        var line: [UInt8] = []
        var number = 0
        func finishLine() {
            number += 1
            received(number, line.count > limit ? nil : line)
            line.removeAll(keepingCapacity: true)
        }
        while true {
            guard let hasBytes = stop.waitForInput(at: STDIN_FILENO) else { return }
            guard hasBytes else { continue }
            let length = read(STDIN_FILENO, &chunk, chunk.count)
            // Another program may have read what was there.
            if length < 0, errno == EAGAIN { continue }
            guard length > 0 else { break }
            for byte in chunk[..<length] {
                if byte == UInt8(ascii: "\n") {
                    finishLine()
                } else if line.count <= limit {
                    line.append(byte)
                }
            }
        }
        if !line.isEmpty { finishLine() }
    }
}
#endif
