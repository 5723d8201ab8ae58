#if os(Linux)
internal import Synchronization

/// A socket that keeps packet boundaries, which a service hands out as a fast path beside the bus.
/// It is owned here, and read by a connection's thread.
///
/// Rules:
/// - `receive` is called for the packets in order, and `ended` once after the last: the other side
///   has closed the socket and all its packets are delivered, ``close()`` was called, the object
///   was released, or the connection has ended. An empty packet is delivered, unless only empty
///   packets are left before the end: the system does not distinguish these from the end.
/// - Both are called on the connection's thread, as handlers of signals are. If the other side
///   closed the socket before a message of the bus arrived, all its packets are delivered before
///   that message: when the bus reports that a device is gone, everything that it sent has been
///   delivered.
/// - Sockets are served in turns, a few packets at a time.
/// - A descriptor of any other kind is closed at once.
/// - Packets of more than 65,536 bytes are dropped. Descriptors that come with packets are closed
///   by the system.
/// - The thread closes the descriptor, right before `ended`.
package final class DBusPacketSocket: Sendable {
    /// The maximum number of packets queued for sending.
    package static let queueLength = DBusPacketWatch.queueLength

    private let hub: DBusHub
    private let watch: DBusPacketWatch

    /// Takes ownership of a descriptor. If the connection has ended, `ended` is called at once.
    package convenience init(
        owning descriptor: consuming DBusDescriptor, on connection: DBusConnection,
        receive: @escaping @Sendable ([UInt8]) -> Void,
        ended: @escaping @Sendable () -> Void = {}
    ) {
        self.init(descriptor, connection, .each(receive), ended)
    }

    /// Takes ownership of a descriptor. `receive` is called with all packets that were read at
    /// once.
    package convenience init(
        batching descriptor: consuming DBusDescriptor, on connection: DBusConnection,
        receive: @escaping @Sendable ([[UInt8]]) -> Void,
        ended: @escaping @Sendable () -> Void = {}
    ) {
        self.init(descriptor, connection, .batch(receive), ended)
    }

    private init(
        _ descriptor: consuming DBusDescriptor, _ connection: DBusConnection,
        _ receiver: DBusPacketWatch.Receiver, _ ended: @escaping @Sendable () -> Void
    ) {
        hub = connection.hub
        watch = DBusPacketWatch(descriptor.release(), receive: receiver, ended: ended)
        hub.add(watch)
    }

    deinit { close() }

    /// Sends a packet, after the queued ones.
    ///
    /// The completion is called on the connection's thread: with `true` when the system has
    /// accepted the packet; with `false` if the socket has ended, the packet is too long, or
    /// ``queueLength`` others are queued. If the connection has ended, it is called at once.
    package func send(
        _ packet: [UInt8], completion: @escaping @Sendable (Bool) -> Void = { _ in }
    ) {
        switch watch.send(packet, completion) {
        case .done(let isTaken):
            if !hub.perform({ completion(isTaken) }) { completion(isTaken) }
        case .queued: hub.update { $0.packetsChanged = true }
        }
    }

    /// Closes the socket: no packet is delivered after this, but for a call of `receive` that is
    /// running on the connection's thread.
    package func close() {
        watch.close()
        hub.remove(watch)
    }
}

/// A packet socket shared by the thread and its callers: only the thread reads and closes it;
/// callers write under the lock.
final class DBusPacketWatch: Sendable {
    typealias Completion = @Sendable (Bool) -> Void

    /// The handler of packets.
    enum Receiver: Sendable {
        /// One call for each packet.
        case each(@Sendable ([UInt8]) -> Void)
        /// One call for all packets that were read at once.
        case batch(@Sendable ([[UInt8]]) -> Void)
    }

    enum Sending {
        /// `true` if the system has accepted the packet, `false` if it cannot be sent.
        case done(Bool)
        /// The packet is queued.
        case queued
    }

    private struct State: Sendable {
        /// The handler of packets; `nil` after ``close()``.
        var receive: Receiver?
        /// The handler of the end; `nil` after ``finish()``.
        var ended: (@Sendable () -> Void)?
        var outgoing = DBusQueue<(packet: [UInt8], completion: Completion)>()
    }

    static let queueLength = 256

    let socket: Int32
    private let state: Mutex<State>

    init(
        _ socket: Int32, receive: Receiver, ended: @escaping @Sendable () -> Void
    ) {
        self.socket = socket
        state = Mutex(State(receive: receive, ended: ended))
    }

    var hasOutput: Bool { state.withLock { !$0.outgoing.isEmpty } }

    func send(_ packet: [UInt8], _ completion: @escaping Completion) -> Sending {
        state.withLock { state in
            guard state.receive != nil, state.ended != nil else { return .done(false) }
            guard state.outgoing.isEmpty else {
                guard state.outgoing.count < Self.queueLength else { return .done(false) }
                state.outgoing.append((packet, completion))
                return .queued
            }
            switch SystemSocket.send(socket, packet: packet) {
            case .bytes: return .done(true)
            case .ended: return .done(false)
            case .later:
                state.outgoing.append((packet, completion))
                return .queued
            }
        }
    }

    /// Stops delivering and sending; the descriptor stays open until ``finish()``.
    func close() {
        // Released outside of the lock: its captures may call back.
        let receive = state.withLock { state in
            defer { state.receive = nil }
            return state.receive
        }
        withExtendedLifetime(receive) {}
    }

    // MARK: On the thread

    /// Delivers packets; `false` if no more are wanted.
    func deliver(_ packets: [[UInt8]]) -> Bool {
        for packet in packets {
            switch state.withLock({ $0.receive }) {
            case .each(let receive):
                receive(packet)
            case .batch(let receive):
                receive(packets)
                return true
            case nil:
                return false
            }
        }
        return true
    }

    /// Sends queued packets; `false` if some are left.
    func flush() -> Bool {
        while true {
            let (sent, isLate) = state.withLock { state -> ((Completion, Bool)?, Bool) in
                guard state.ended != nil, let next = state.outgoing.first else {
                    return (nil, false)
                }
                switch SystemSocket.send(socket, packet: next.packet) {
                case .later: return (nil, true)
                case .bytes:
                    _ = state.outgoing.popFirst()
                    return ((next.completion, true), false)
                case .ended:
                    _ = state.outgoing.popFirst()
                    return ((next.completion, false), false)
                }
            }
            guard let (completion, isTaken) = sent else { return !isLate }
            completion(isTaken)
        }
    }

    /// Closes the descriptor; completes all sends, and calls `ended`.
    func finish() {
        let left = state.withLock { state -> State? in
            guard state.ended != nil else { return nil }
            SystemSocket.close(socket)
            defer { state = State() }
            return state
        }
        guard var left else { return }
        while let waiting = left.outgoing.popFirst() { waiting.completion(false) }
        left.ended?()
    }
}

extension DBusHub {
    /// The maximum number of packets read from one socket in a turn.
    static let packetsAtOnce = 64
    /// The maximum number of packets read from a closed socket: more than the system buffers.
    private static let lastPackets = 4096

    /// Polls a socket from now on; a socket without packet boundaries ends.
    func add(_ watch: DBusPacketWatch) {
        let keepsPackets = SystemSocket.keepsPackets(watch.socket)
        let isFinished = update { state in
            guard !state.isFinished else { return true }
            guard keepsPackets else {
                state.work.append { watch.finish() }
                return false
            }
            state.packets[ObjectIdentifier(watch)] = watch
            state.packetsChanged = true
            return false
        }
        if isFinished { watch.finish() }
    }

    /// Stops polling a socket; the thread closes it, or this call if the thread has ended.
    func remove(_ watch: DBusPacketWatch) {
        let isFinished = update { state in
            guard state.forget(watch) else { return false }
            if !state.isFinished { state.work.append { watch.finish() } }
            return state.isFinished
        }
        if isFinished { watch.finish() }
    }

    /// Reads and writes. Messages of the bus that came meanwhile are decoded but not delivered:
    /// packets of a socket that was closed before come first. Returns the number of delivered
    /// packets, or 0 if more are left.
    @discardableResult
    func servePackets(_ sleep: inout DBusHubSleep, _ buffer: inout [UInt8]) -> Int {
        guard !sleep.packets.isEmpty else { return 0 }
        var (count, isAll) = (0, true)
        if sleep.isReadable { sleep.refresh() }
        let batch = state.withLock { $0.batch }
        batch?.begin()
        defer { batch?.end() }
        for (index, watch) in sleep.packets.enumerated() {
            let (reads, writes, hasHungUp) = sleep.readiness(of: index)
            if reads {
                let limit = hasHungUp ? Self.lastPackets : Self.packetsAtOnce
                let delivered = read(watch, limit, &buffer)
                count += delivered
                if delivered >= limit { isAll = false }
            }
            if writes, watch.flush() { state.withLock { $0.packetsChanged = true } }
        }
        return isAll ? count : 0
    }

    /// Ends all packet sockets, after their last packets.
    func endPackets(_ buffer: inout [UInt8]) {
        let watches = state.withLock { state in
            defer { state.packets = [:] }
            state.packetsChanged = true
            return state.packets.values
        }
        for watch in watches {
            _ = read(watch, Self.lastPackets, &buffer)
            watch.finish()
        }
    }

    /// Delivers packets up to a limit; returns their number.
    private func read(
        _ watch: DBusPacketWatch, _ limit: Int, _ buffer: inout [UInt8]
    ) -> Int {
        var (left, count) = (limit, 0)
        while left > 0 {
            let limit = min(left, Self.packetsAtOnce)
            left -= limit
            var packets: [[UInt8]] = []
            let outcome = Self.receive(&packets, limit, from: watch.socket, &buffer)
            count += packets.count
            guard watch.deliver(packets) else { return count }
            switch outcome {
            case .bytes: continue
            case .later: return count
            case .ended:
                if state.withLock({ $0.forget(watch) }) { watch.finish() }
                return count
            }
        }
        return count
    }

    /// Reads packets; returns the outcome of the last read.
    private static func receive(
        _ packets: inout [[UInt8]], _ limit: Int, from socket: Int32, _ buffer: inout [UInt8]
    ) -> SystemSocket.Outcome {
        var outcome = SystemSocket.Outcome.later
        for _ in 0..<limit {
            outcome = SystemSocket.receivePacket(socket, into: &buffer)
            guard case .bytes(let length) = outcome else { break }
            if length <= buffer.count { packets.append(Array(buffer[..<length])) }
        }
        return outcome
    }
}

extension DBusHub.State {
    /// Stops polling a socket; if this returns `true`, the caller has to close it.
    fileprivate mutating func forget(_ watch: DBusPacketWatch) -> Bool {
        guard packets.removeValue(forKey: ObjectIdentifier(watch)) != nil else { return false }
        packetsChanged = true
        return true
    }
}
#endif
