#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The ends of a pipe, which programs that this one starts do not get.
struct SystemPipe: Sendable {
    let reader: Int32
    let writer: Int32

    init?() {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return nil }
        (reader, writer) = (ends[0], ends[1])
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    }

    /// Waits for bytes at a descriptor, for ever by default.
    ///
    /// Returns `true` if there are some, and `nil` when the writer of this pipe is closed: the
    /// thread that waits shall stop then.
    func waitForInput(at input: Int32?, milliseconds: Int32 = -1) -> Bool? {
        var entries = [reader, input].compactMap(\.self).map {
            pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
        }
        let count = poll(&entries, nfds_t(entries.count), milliseconds)
        guard count >= 0 || errno == EINTR, entries[0].revents == 0 else { return nil }
        return count > 0
    }
}
