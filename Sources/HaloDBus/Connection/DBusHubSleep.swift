#if os(Linux)
/// What a connection's thread waits for when there is nothing to do.
struct DBusHubSleep {
    private let alarm: Int32
    /// The bus's socket.
    private(set) var socket: Int32?
    /// The sockets that are watched beside it.
    private(set) var packets: [DBusPacketWatch] = []
    private var poll = SystemPoll()
    /// When to wake up in any case.
    var deadline = Int64.max

    init(_ alarm: Int32) {
        self.alarm = alarm
        poll.append(alarm)
    }

    mutating func watch(_ socket: Int32?, writes: Bool, _ packets: [DBusPacketWatch]) {
        self.socket = socket
        self.packets = packets
        poll.removeAll()
        poll.append(alarm)
        poll.append(socket ?? -1, writes: writes)
        for packet in packets { poll.append(packet.socket, writes: packet.hasOutput) }
    }

    /// Waits until then, or for so long.
    mutating func wait(_ microseconds: Int64?) {
        let rest = deadline == .max ? nil : max(0, deadline &- SystemSocket.now())
        poll.wait(for: microseconds ?? rest)
    }

    /// Waits for so long, whatever the bus says meanwhile; whether somebody wants the thread. He
    /// has to wait himself if it is less than a millisecond, for which there is no alarm.
    func rest(_ microseconds: Int64) -> Bool {
        guard microseconds >= 1000 else {
            SystemSocket.sleep(microseconds)
            return false
        }
        var poll = SystemPoll()
        poll.append(alarm)
        poll.wait(for: max(0, min(microseconds, deadline &- SystemSocket.now())))
        return poll.isReadable(0)
    }

    /// Looks again, without waiting.
    mutating func refresh() { poll.wait(for: 0) }

    /// Somebody wants the thread.
    var isWoken: Bool { poll.isReadable(0) }

    /// The bus has said something.
    var isReadable: Bool { poll.isReadable(1) }

    func readiness(of index: Int) -> (reads: Bool, writes: Bool, hasHungUp: Bool) {
        let place = index + 2
        return (poll.isReadable(place), poll.isWritable(place), poll.hasHungUp(place))
    }
}
#endif
