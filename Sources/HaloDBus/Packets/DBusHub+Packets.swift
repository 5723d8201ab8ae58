#if os(Linux)
internal import Synchronization

extension DBusHub {
    /// How many packets of a socket are told before others have their turn.
    static let packetsAtOnce = 64
    /// How many are when nothing more can come: more than the system keeps.
    private static let lastPackets = 4096

    /// Watches a socket from now on; what is none that keeps packets has ended.
    func add(_ watch: DBusPacketWatch) {
        let keepsPackets = SystemSocket.keepsPackets(watch.socket)
        let isFinished = update { state in
            guard !state.isFinished else { return true }
            guard keepsPackets else {
                state.work.append { watch.finish() }
                return false
            }
            state.packets[ObjectIdentifier(watch)] = watch
            state.watchesOthers = true
            return false
        }
        if isFinished { watch.finish() }
    }

    /// Watches a socket no more: the thread closes it, or if there is none any more, we do.
    func remove(_ watch: DBusPacketWatch) {
        let isFinished = update { state in
            guard state.forget(watch) else { return false }
            if !state.isFinished { state.work.append { watch.finish() } }
            return state.isFinished
        }
        if isFinished { watch.finish() }
    }

    /// Reads and writes what can be. What has come from the bus meanwhile has been read, but
    /// nobody was told: so what was there before it, and ended, is told first. Gives how many
    /// packets were told, or 0 if there are more.
    @discardableResult
    func serve(_ sleep: inout DBusHubSleep, _ buffer: inout [UInt8]) -> Int {
        guard !sleep.packets.isEmpty else { return 0 }
        var (count, isAll) = (0, true)
        if sleep.isReadable { sleep.refresh() }
        let around = state.withLock { $0.around }
        around?.begin()
        defer { around?.end() }
        for (index, watch) in sleep.packets.enumerated() {
            let (reads, writes, hasHungUp) = sleep.readiness(of: index)
            if reads {
                let limit = hasHungUp ? Self.lastPackets : Self.packetsAtOnce
                let told = read(watch, limit, &buffer)
                count += told
                if told >= limit { isAll = false }
            }
            if writes, watch.flush() { state.withLock { $0.watchesOthers = true } }
        }
        return isAll ? count : 0
    }

    /// Ends all that is watched, after what has come.
    func endPackets(_ buffer: inout [UInt8]) {
        let watches = state.withLock { state in
            defer { state.packets = [:] }
            state.watchesOthers = true
            return state.packets.values
        }
        for watch in watches {
            _ = read(watch, Self.lastPackets, &buffer)
            watch.finish()
        }
    }

    /// Tells what has come, as much at once as others can wait for; how much that was.
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
            guard watch.tell(packets) else { return count }
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

    /// Reads packets; what came out of the last reading.
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
    /// Takes a socket out of what is watched; whoever gets true closes it.
    fileprivate mutating func forget(_ watch: DBusPacketWatch) -> Bool {
        guard packets.removeValue(forKey: ObjectIdentifier(watch)) != nil else { return false }
        watchesOthers = true
        return true
    }
}
#endif
