#if os(Linux)
#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif
import HaloDBus

/// The lines of standard input, read by a thread of its own until their end.
final class LineReader: Sendable {
    /// A pipe whose closed end stops the thread.
    private let stop: Int32

    /// Starts to read; `nil` if the system has no pipe or no thread for it.
    ///
    /// - Parameter received: Called with the number of each line, and the line without its end;
    ///   with `nil` for one that is longer than `limit`.
    init?(limit: Int, _ received: @escaping @Sendable (_ number: Int, [UInt8]?) -> Void) {
        guard let pipe = SystemPipe() else { return nil }
        stop = pipe.writer
        guard SystemThread.start({ Self.readLines(until: pipe.reader, limit, received) }) else {
            close(pipe.reader)
            return nil
        }
    }

    deinit { close(stop) }

    private static func readLines(
        until stop: Int32, _ limit: Int, _ received: (Int, [UInt8]?) -> Void
    ) {
        defer { close(stop) }
        var entries = [
            pollfd(fd: stop, events: Int16(POLLIN), revents: 0),
            pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0),
        ]
        var chunk = [UInt8](repeating: 0, count: 4096)
        var line: [UInt8] = []
        var number = 0
        func finishLine() {
            number += 1
            received(number, line.count > limit ? nil : line)
            line.removeAll(keepingCapacity: true)
        }
        while true {
            let count = poll(&entries, 2, -1)
            guard count >= 0 || errno == EINTR, entries[0].revents == 0 else { return }
            guard count > 0, entries[1].revents != 0 else { continue }
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
