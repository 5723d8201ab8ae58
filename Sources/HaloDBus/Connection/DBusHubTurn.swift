#if os(Linux)
/// The handlers that a connection's thread calls before it polls again.
struct DBusHubTurn {
    enum Next {
        /// Call the handlers, then take the next turn without polling.
        case goOn
        /// Call the handlers, then poll.
        case wait
        /// End: the connection has ended.
        case finish
    }

    var effects: [DBusSession.Effect]
    var work: [@Sendable () -> Void]
    /// Calls the handlers.
    var within: (@Sendable (() -> Void) -> Void)?
    var next = Next.goOn
    /// The delay in microseconds before the next poll, in order to coalesce events; `nil` for none.
    var delay: Int64?

    var isEmpty: Bool { effects.isEmpty && work.isEmpty }

    /// The number of signals, each value of a property counted.
    var signalCount: Int {
        var count = 0
        for effect in effects {
            switch effect {
            case .signal: count += 1
            case .values(let values, _): count += values.values.count
            case .ready, .completed, .subscribed, .request, .ended: break
            }
        }
        return count
    }
}

extension DBusHub.State {
    /// `true` if the thread may delay: no call waits for a reply, and no exported object can be
    /// called.
    private var mayDelay: Bool {
        session.calls.isEmpty && session.objects.objects.isEmpty && !session.hasOutput
            && writeFault == nil
    }

    mutating func dueTurn() -> DBusHubTurn {
        defer { work = [] }
        return DBusHubTurn(effects: session.drainEffects(), work: work, within: within)
    }

    /// Returns the handlers to call now, and sets what to poll for after them.
    ///
    /// From here on the thread counts as asleep, though it is about to call handlers: a caller
    /// wakes it, and the thread does not need the lock again before it polls. At that moment, tasks
    /// that were just resumed contend for the lock most.
    mutating func nextTurn(_ sleep: inout DBusHubSleep, at now: Int64) -> DBusHubTurn {
        var turn = dueTurn()
        guard session.endError == nil else {
            turn.next = turn.isEmpty ? .finish : .goOn
            return turn
        }
        write()
        // A wake-up time that is too early is cheaper than a new one for each call.
        let known = sleepsUntil > now ? sleepsUntil : .max
        sleepsUntil = writeFault == nil ? min(session.deadline ?? .max, known) : now
        let watchesOutput = session.hasOutput && writeFault == nil
        let canReceive = session.canReceive
        let watchesInput = canReceive && !sleep.holdsInput
        if watchesOutput != self.watchesOutput || sleep.socket != socket
            || sleep.watchesInput != watchesInput
        {
            sleep.watch(socket, reads: watchesInput, writes: watchesOutput)
        }
        self.watchesOutput = watchesOutput
        turn.delay = mayDelay ? coalescing.delay(after: turn.signalCount, at: now) : nil
        isAsleep = true
        sleep.deadline = sleep.holdsInput && canReceive ? now : sleepsUntil
        isDelaying = turn.delay != nil
        turn.next = .wait
        return turn
    }
}

/// The poll of a connection's thread.
struct DBusHubSleep {
    private let wakeUpReader: Int32
    /// The socket of the bus.
    private(set) var socket: Int32?
    private var poll = SystemPoll()
    /// `false` while nothing is read from the bus.
    private(set) var watchesInput = true
    /// `true` if messages that were read wait for room for their replies.
    var holdsInput = false
    /// The latest time to wake, in microseconds.
    var deadline = Int64.max

    init(_ wakeUpReader: Int32) {
        self.wakeUpReader = wakeUpReader
        poll.append(wakeUpReader)
    }

    mutating func watch(_ socket: Int32?, reads: Bool = true, writes: Bool) {
        self.socket = socket
        watchesInput = reads
        poll.removeAll()
        poll.append(wakeUpReader)
        poll.append(socket ?? -1, reads: reads, writes: writes)
    }

    /// Polls until the deadline, or for a number of microseconds.
    mutating func wait(_ microseconds: Int64?) {
        let left = deadline == .max ? nil : max(0, deadline &- SystemSocket.now())
        poll.wait(for: microseconds ?? left)
    }

    /// Delays without regard to the bus; `true` if the thread was woken. A delay of less than a
    /// millisecond, the unit of `poll`, cannot be interrupted.
    func delay(_ microseconds: Int64) -> Bool {
        guard microseconds >= 1000 else {
            SystemSocket.sleep(microseconds)
            return false
        }
        var poll = SystemPoll()
        poll.append(wakeUpReader)
        poll.wait(for: max(0, min(microseconds, deadline &- SystemSocket.now())))
        return poll.isReadable(0)
    }

    /// `true` if the thread was woken.
    var isWoken: Bool { poll.isReadable(0) }

    /// `true` if the bus has sent bytes.
    var isReadable: Bool { poll.isReadable(1) }
}

/// The delay by which a connection's thread coalesces signals.
///
/// Waking up costs more than receiving. If events come densely, one by one, the thread sleeps after
/// it has delivered some, and then finds several. An event after a pause is delivered at once.
struct DBusCoalescing: Sendable {
    /// The longest delay in microseconds; 0 for none.
    var limit: Int64 = 0

    init(limit: Int64 = 0) {
        self.limit = limit
    }

    /// The time of the last events, in microseconds.
    private var last = Int64.min / 2

    /// The number of events that makes the cost of each one low.
    private static let batchSize: Int64 = 64
    /// The shortest worthwhile delay in microseconds.
    private static let minimum: Int64 = 100

    /// Returns the delay in microseconds after a number of events; `nil` for none.
    mutating func delay(after count: Int, at now: Int64) -> Int64? {
        guard count > 0, limit >= Self.minimum else { return nil }
        let since = max(1, now &- last)
        last = now
        let spacing = since / Int64(count)
        // At least one more event is expected.
        guard spacing <= limit / 2 else { return nil }
        guard spacing <= limit / Self.batchSize else { return limit }
        return max(Self.batchSize * spacing, Self.minimum)
    }
}
#endif
