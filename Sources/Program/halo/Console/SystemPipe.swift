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

    /// Opens a pipe; `nil` if the system has none.
    init?() {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return nil }
        (reader, writer) = (ends[0], ends[1])
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    }
}
