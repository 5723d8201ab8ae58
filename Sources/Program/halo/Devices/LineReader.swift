#if os(Linux)
#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif
import HaloDBus

/// The lines of standard input, read by a thread of its own until their end.
final class LineReader: Sendable {
    /// A pipe whose closed writer stops the thread.
    private let stop: SystemPipe

    /// Starts to read; `nil` if the system has no pipe or no thread for it.
    ///
    /// - Parameter received: Called with the number of each line, and the line without its end;
    ///   with `nil` for one that is longer than `limit`.
    init?(limit: Int, _ received: @escaping @Sendable (_ number: Int, [UInt8]?) -> Void) {
        guard let stop = SystemPipe() else { return nil }
        self.stop = stop
        guard SystemThread.start({ Self.readLines(until: stop, limit, received) }) else {
            close(stop.reader)
            return nil
        }
    }

    deinit { close(stop.writer) }

    private static func readLines(
        until stop: SystemPipe, _ limit: Int, _ received: (Int, [UInt8]?) -> Void
    ) {
        defer { close(stop.reader) }
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
