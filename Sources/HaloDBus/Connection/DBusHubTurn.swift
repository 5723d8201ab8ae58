#if os(Linux)
/// What a connection's thread calls before it looks again.
struct DBusHubTurn {
    enum Next {
        /// There may be more to call.
        case goOn
        /// Nothing is to be done until somebody says something.
        case wait
        /// It is all over.
        case finish
    }

    var effects: [DBusSession.Effect]
    var work: [@Sendable () -> Void]
    /// Who wants to know that much is called, and then that it is over.
    var around: (begin: @Sendable () -> Void, end: @Sendable () -> Void)?
    var next = Next.goOn
    /// How long others have time to come before the next look, in microseconds.
    var rest: Int64?

    var isEmpty: Bool { effects.isEmpty && work.isEmpty }

    /// How much is told that nobody has asked for.
    var toldCount: Int {
        var count = 0
        for effect in effects {
            switch effect {
            case .signal: count += 1
            case .values(let row, _): count += row.values.count
            case .ready, .answered, .subscribed, .request, .ended: break
            }
        }
        return count
    }
}

extension DBusHub.State {
    /// Whether nobody is in a hurry: who waits for an answer here, or may ask for one there.
    private var mayRest: Bool {
        session.calls.isEmpty && session.objects.objects.isEmpty && !session.hasOutput
            && writeFault == nil && !watchesOthers
    }

    mutating func takeDue() -> DBusHubTurn {
        defer { work = [] }
        var turn = DBusHubTurn(effects: session.takeEffects(), work: work)
        if turn.effects.count > 1 || turn.toldCount > 1 { turn.around = around }
        return turn
    }

    /// What is to be called now, and what is to be waited for after that.
    ///
    /// From here on the thread counts as asleep, though it is about to call something: whoever
    /// wants it calls it, and it does not need the lock again before it waits. That would be the
    /// moment at which those who were just answered want it most.
    ///
    /// `told` is how many packets have been told since the last look.
    mutating func take(
        _ sleep: inout DBusHubSleep, at now: Int64, told: Int = 0
    ) -> DBusHubTurn {
        var turn = takeDue()
        guard session.endError == nil else {
            turn.next = turn.isEmpty ? .finish : .goOn
            return turn
        }
        write()
        // An alarm that is set already and comes early is cheaper than one more system call for
        // each question.
        let alarm = sleepsUntil > now ? sleepsUntil : .max
        sleepsUntil = writeFault == nil ? min(session.deadline ?? .max, alarm) : now
        let watchesOutput = session.hasOutput && writeFault == nil
        if watchesOthers || watchesOutput != self.watchesOutput || sleep.socket != socket {
            sleep.watch(socket, writes: watchesOutput, Array(packets.values))
        }
        self.watchesOutput = watchesOutput
        turn.rest = mayRest ? gathering.rest(after: told + turn.toldCount, at: now) : nil
        watchesOthers = false
        isAsleep = true
        sleep.deadline = sleepsUntil
        rests = turn.rest != nil
        turn.next = .wait
        return turn
    }
}
#endif
