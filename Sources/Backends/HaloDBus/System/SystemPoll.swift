#if os(Linux)
#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

/// The sockets that a thread polls. The array is reused for each poll.
struct SystemPoll {
    private var entries: [pollfd] = []

    mutating func removeAll() { entries.removeAll(keepingCapacity: true) }

    /// Adds a socket; its index identifies it. A socket of -1 is ignored, but has an index.
    mutating func append(_ socket: Int32, reads: Bool = true, writes: Bool = false) {
        let events = (reads ? POLLIN | Self.hangUpOfReading : 0) | (writes ? POLLOUT : 0)
        entries.append(pollfd(fd: socket, events: Int16(events), revents: 0))
    }

    /// Blocks until a socket is ready, or time is up; `nil` waits without a limit.
    mutating func wait(for microseconds: Int64?) {
        let wait = microseconds.map(Self.milliseconds) ?? -1
        guard poll(&entries, nfds_t(entries.count), wait) <= 0 else { return }
        for index in entries.indices { entries[index].revents = 0 }
    }

    /// Rounds up to milliseconds, so that a thread does not wake just before its deadline.
    static func milliseconds(_ microseconds: Int64) -> Int32 {
        let (whole, rest) = max(0, microseconds).quotientAndRemainder(dividingBy: 1000)
        return Int32(clamping: rest > 0 ? whole + 1 : whole)
    }

    var count: Int { entries.count }

    /// `true` if reading returns bytes, the end or an error.
    func isReadable(_ index: Int) -> Bool { has(POLLIN | Self.isOver, index) }

    /// `true` if writing accepts bytes or returns an error.
    func isWritable(_ index: Int) -> Bool { has(POLLOUT | Self.isOver, index) }

    private func has(_ events: Int32, _ index: Int) -> Bool {
        entries.indices.contains(index) && Int32(entries[index].revents) & events != 0
    }

    /// `true` if the other side of a socket sends nothing more; unread bytes may be left.
    static func hasHungUp(_ socket: Int32) -> Bool {
        var entry = pollfd(fd: socket, events: Int16(hangUpOfReading), revents: 0)
        return poll(&entry, 1, 0) > 0
    }

    private static let isOver = Int32(POLLERR | POLLHUP | POLLNVAL)
    /// `POLLRDHUP`, which Glibc's module does not export.
    private static let hangUpOfReading: Int32 = 0x2000
}
#endif
