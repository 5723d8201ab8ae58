#if os(Linux)
#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

/// The sockets that a thread waits for, in the form that the system wants: it is kept from one
/// time to the next, for it seldom changes.
struct SystemPoll {
    private var entries: [pollfd] = []

    /// Waits for nothing any more.
    mutating func removeAll() { entries.removeAll(keepingCapacity: true) }

    /// One more socket: whether it matters that it can be read, or be written. It is known by its
    /// place; one that is not to be looked at keeps its place, too.
    mutating func append(_ socket: Int32, reads: Bool = true, writes: Bool = false) {
        let events = (reads ? POLLIN | Self.hangUpOfReading : 0) | (writes ? POLLOUT : 0)
        entries.append(pollfd(fd: socket, events: Int16(events), revents: 0))
    }

    /// Waits until one is ready, or time is up.
    mutating func wait(for microseconds: Int64?) {
        let wait = microseconds.map(Self.milliseconds) ?? -1
        guard poll(&entries, nfds_t(entries.count), wait) <= 0 else { return }
        for index in entries.indices { entries[index].revents = 0 }
    }

    /// Rounded up, so that nobody is woken just before time is up.
    static func milliseconds(_ microseconds: Int64) -> Int32 {
        let (whole, rest) = max(0, microseconds).quotientAndRemainder(dividingBy: 1000)
        return Int32(clamping: rest > 0 ? whole + 1 : whole)
    }

    var count: Int { entries.count }

    /// Whether something can be read, the end or a fault included.
    func isReadable(_ index: Int) -> Bool { has(POLLIN | Self.isOver, index) }

    /// Whether something can be written, or never will be.
    func isWritable(_ index: Int) -> Bool { has(POLLOUT | Self.isOver, index) }

    /// Whether nothing can come but what is there.
    func hasHungUp(_ index: Int) -> Bool { has(POLLHUP | Self.hangUpOfReading, index) }

    private func has(_ events: Int32, _ index: Int) -> Bool {
        entries.indices.contains(index) && Int32(entries[index].revents) & events != 0
    }

    /// Whether nothing can come to a socket but what is there.
    static func hasHungUp(_ socket: Int32) -> Bool {
        var entry = pollfd(fd: socket, events: Int16(hangUpOfReading), revents: 0)
        return poll(&entry, 1, 0) > 0
    }

    private static let isOver = Int32(POLLERR | POLLHUP | POLLNVAL)
    /// `POLLRDHUP`, which the system's module keeps to itself.
    private static let hangUpOfReading: Int32 = 0x2000
}
#endif
