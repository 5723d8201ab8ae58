/// Sending, waiting, sending again: the rules 1, 3, 4 and 5.
extension RingSession {
    /// Puts a request of an app in line, or ends it at once.
    mutating func submit(
        _ packet: SessionRequest.Packet, repeats: Bool, _ collector: Collector?, at now: Moment
    ) -> TicketNumber {
        let number = TicketNumber(nextNumber())
        guard isConnected, line.waitingTicketCount < max(rules.queueLimit, 1) else {
            let error = SessionError(isConnected ? .overloaded : .disconnected)
            effects.append(.finished(Completion(number: number, error: error, attempts: 0)))
            return number
        }
        move(to: now)
        line.waiting.append(
            SessionRequest(
                purpose: .ticket(number), packet: packet, repeats: repeats, collector: collector))
        settle()
        return number
    }

    /// Does what is due.
    mutating func settle() {
        guard heldUntil == nil, !isSuspended else { return }
        if let recordEnds, recordEnds <= now { giveUpRecord() }
        line.owed.removeAll { [now] in $0.expires <= now }
        settleActive()
        settleStreams()
        sendNext()
    }

    private mutating func settleActive() {
        guard let active = line.active, active.deadline <= now else { return }
        switch active.phase {
        case .silence, .more:
            finishActive(nil)
        case .nextAttempt:
            transmit()
        case .answer:
            if case .record = active.request.packet { giveUpRecord() }
            guard let active = line.active, active.deadline <= now else { return }
            if active.phase == .more { finishActive(nil) } else { attemptFailed() }
        }
    }

    private mutating func sendNext() {
        guard line.active == nil, line.freeAt <= now, let index = line.sendableIndex else {
            return
        }
        line.active = ActiveRequest(line.waiting.remove(at: index), at: now)
        transmit()
    }

    /// Writes the request that is out, for the first time or again.
    private mutating func transmit() {
        if case .record? = line.active?.request.packet { giveUpRecord() }
        guard var active = line.active, active.phase == .nextAttempt else { return }
        let request = active.request
        let write = WriteNumber(nextNumber())
        active.attempts += 1
        active.write = write
        if active.attempts > 1, let collector = active.collector {
            active.collector = collector.receive(nil).next ?? collector
            if !collector.joinsAnswers { active.received = ReceivedAnswer() }
        }
        if request.collector == nil {
            active.phase = .silence
            active.phaseEnds = after(rules.spacingAfterSilence)
        } else {
            active.phase = .answer
            active.phaseEnds = after(rules.answerWithin)
            active.attemptEnds = after(rules.wholeAnswerWithin)
        }
        line.active = active
        effects.append(request.effect(write))
        if let collector = request.collector, request.leavesLateAnswers {
            line.owed.append(
                OwedAnswer(
                    purpose: request.purpose, key: request.key, write: write,
                    collector: collector, expires: after(rules.lateAnswersWithin)))
        }
        streamRequestSent(request.purpose)
    }

    /// The answer did not come, or not all of it.
    private mutating func attemptFailed() {
        guard var active = line.active else { return }
        guard active.request.repeats, active.attempts < max(rules.attempts, 1) else {
            finishActive(active.failure)
            return
        }
        active.phase = .nextAttempt
        active.phaseEnds = after(rules.spacing)
        line.active = active
    }

    /// Gives a frame to the request that is out. Answers whether it was of its answer.
    mutating func takeForActive(_ incoming: Incoming) -> Bool {
        guard var active = line.active, let collector = active.collector else { return false }
        let (step, next) = collector.receive(incoming)
        if let next { active.collector = next }
        if case .foreign = step {
            line.active = active
            return false
        }
        active.count(incoming)
        if active.phase == .answer { active.phaseEnds = after(rules.answerWithin) }
        _ = line.note(incoming, at: now)
        switch step {
        case .foreign:
            break
        case .part:
            active.received.insert(incoming)
            line.active = active
        case .enough:
            active.received.insert(incoming)
            active.phase = .more
            active.phaseEnds = after(rules.moreWithin)
            line.active = active
        case .complete(let answer):
            active.received = answer
            line.active = active
            finishActive(nil)
        case .missing(let fault):
            active.received.insert(incoming)
            active.fault = fault
            line.active = active
            attemptFailed()
        case .broken(let fault):
            active.fault = fault
            line.active = active
            reportBroken(incoming, fault)
        }
        if line.active?.isFlooded == true { finishActive(.tooLong) }
        return true
    }

    private mutating func reportBroken(_ incoming: Incoming, _ fault: PacketError) {
        switch incoming {
        case .frame(let frame): report(.brokenPacket(frame, fault))
        case .record(let record): report(.unsolicitedRecord(record))
        }
    }

    /// Ends the request that is out, with an answer or with the reason why there is none.
    mutating func finishActive(_ kind: SessionError.Kind?) {
        guard let active = line.active else { return }
        let error = kind.map {
            let isFault = $0 == .incomplete || $0 == .malformed
            return SessionError(
                $0, packetError: isFault ? active.fault : nil, received: active.received)
        }
        line.active = nil
        line.freeAt = after(kind == .cancelled ? rules.spacingAfterSilence : rules.spacing)
        let number = active.request.ticket ?? TicketNumber(0)
        finish(
            active.request,
            Completion(
                number: number, received: active.received, error: error,
                attempts: active.attempts, lastWrite: active.write))
    }

    /// Tells whoever sent a request how it ended.
    mutating func finish(_ request: SessionRequest, _ completion: Completion) {
        switch request.purpose {
        case .ticket: effects.append(.finished(completion))
        case .stream(let number, let step): streamRequestEnded(number, step, completion)
        }
    }

    mutating func report(_ event: RingEvent) { effects.append(.event(event)) }

    /// The moment when a wait that begins now is over.
    func after(_ wait: Duration) -> Moment { now.advanced(byMicroseconds: wait.asWait) }
}
