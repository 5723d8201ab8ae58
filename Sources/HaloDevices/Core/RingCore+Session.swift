internal import HaloProtocol
internal import HaloTransport

/// The conversation: requests go in, effects come out.
extension RingCore {
    /// Who may ask: an app when the ring is ready, the one who prepares a link before.
    enum Asker: Sendable {
        case app(UInt64)
        case preparation(link: UInt64)
    }

    /// Sends a request; the completion is called once.
    func submit<Value: Sendable>(
        _ inquiry: Inquiry<Value>, as asker: Asker,
        _ completion: @escaping @Sendable (Outcome<Value>) -> Void
    ) {
        update { state in
            if let refusal = refusal(of: asker, inquiry, state) {
                state.outbox.append { completion(Outcome(result: .failure(refusal))) }
                return
            }
            let ticket = inquiry.send(&state.session, state.now)
            let number: UInt64? = if case .app(let number) = asker { number } else { nil }
            state.calls[ticket.number] = RingState.Call(number: number) { ended in
                completion(inquiry.outcome(ticket, ended))
            }
            pump(&state)
        }
    }

    private func refusal<Value>(
        of asker: Asker, _ inquiry: Inquiry<Value>, _ state: RingState
    ) -> DeviceError? {
        switch asker {
        case .app:
            if var refusal = state.refusal {
                refusal.command = inquiry.command
                return refusal
            }
        case .preparation(let link):
            guard state.linkNumber == link, case .preparing = state.phase else {
                return DeviceError(.disconnected, command: inquiry.command)
            }
        }
        guard inquiry.channel == .uart || state.attributes?.bigDataWrite != nil else {
            return DeviceError(.notSupported, command: inquiry.command)
        }
        return nil
    }

    /// Takes back what an app has asked under a number.
    func cancel(_ number: UInt64) {
        update { state in
            state.connecting.removeAll { $0.number == number }
            cancelCalls(&state) { $0.number == number }
        }
    }

    /// Takes requests back.
    func cancelCalls(
        _ state: inout RingState, where isMeant: (RingState.Call) -> Bool = { _ in true }
    ) {
        // In the order of asking: the same program takes the same course each time.
        let calls = state.calls.sorted { $0.key.rawValue < $1.key.rawValue }
        for (ticket, call) in calls where isMeant(call) {
            state.session.cancel(ticket, at: state.now)
        }
        pump(&state)
    }

    /// Does what the session wants done.
    func pump(_ state: inout RingState) {
        while let effect = state.session.nextEffect() { perform(effect, &state) }
        arm(&state)
    }

    private func perform(_ effect: RingSession.Effect, _ state: inout RingState) {
        switch effect {
        case .write(let frame, let number):
            write(Array(frame.bytes), number, to: state.attributes?.uartWrite, &state)
        case .writeRecord(let record, let number):
            write(record.bytes, number, to: state.attributes?.bigDataWrite, &state)
        case .finished(let completion):
            guard let call = state.calls.removeValue(forKey: completion.number) else { return }
            if completion.received != ReceivedAnswer() { state.hasAnswered = true }
            let failed = state.failedWrite
            let ended = RingState.EndedCall(
                completion: completion,
                writeError: failed?.number == completion.lastWrite ? failed?.error : nil,
                reason: state.endReason)
            state.outbox.append { call.finish(ended) }
        case .stream(let number, let report):
            take(report, of: number, &state)
        case .event(let event):
            learn(from: event, &state)
            let listeners = state.eventListeners.sinks
            guard !listeners.isEmpty else { return }
            let heard = HeardEvent(event: event, moment: state.now)
            state.outbox.append { for listener in listeners { listener.send(heard) } }
        }
    }

    /// Writes in packets, of the length that the link has when it is written. With a response it
    /// could carry more, but no ring was seen to put the pieces of a value together.
    private func write(
        _ bytes: [UInt8], _ number: WriteNumber, to target: RingAttributes.Target?,
        _ state: inout RingState
    ) {
        guard let target, let link = state.link else { return }
        let linkNumber = state.linkNumber
        state.outbox.append { [weak self] in
            let most = max(link.maximumWriteLength(.withoutResponse), Self.leastWriteLength)
            var rest = bytes[...]
            while !rest.isEmpty {
                let piece = Array(rest.prefix(most))
                rest = rest.dropFirst(most)
                link.submitWrite(piece, to: target.characteristic, target.mode) {
                    [weak self] result in
                    guard case .failure(let error) = result else { return }
                    self?.update(of: linkNumber) { state in
                        self?.writeFailed(number, error, &state)
                    }
                }
            }
        }
    }

    /// A write, or a piece of one, has failed. Where the ring cannot have got it, nothing is
    /// waited for; where it may have, or may get it the next time, its answer is.
    private func writeFailed(
        _ number: WriteNumber, _ error: BLEError, _ state: inout RingState
    ) {
        state.failedWrite = (number, error)
        guard error.isFinal else { return }
        state.session.writeFailed(number, at: state.now)
        pump(&state)
    }

    /// What every link can carry.
    private static var leastWriteLength: Int { 20 }

    /// Has the clock call when the session wants to be.
    ///
    /// An alarm that rings too early does no harm, so that a later deadline needs no new one.
    private func arm(_ state: inout RingState) {
        guard let deadline = state.session.deadline else { return }
        if let timer = state.timers[.session], timer.moment <= deadline { return }
        setTimer(.session, at: deadline, &state)
    }

    /// What a ring says about itself too late for who asked is not lost.
    private func learn(from event: RingEvent, _ state: inout RingState) {
        guard case .late(let frame) = event else { return }
        if let reply = try? SetTime.Reply(decoding: frame) {
            state.knowledge.capabilities.update(reply)
            state.knowledge.confirmSetting(at: state.now)
        } else if let reply = try? DeviceFunctions.Reply(decoding: frame) {
            state.knowledge.capabilities.update(reply)
        }
    }
}

extension BLEError {
    /// `true` if what was to be written did not reach the device, and will not when it is tried
    /// again. The end of a link is told by the link.
    fileprivate var isFinal: Bool {
        !isTransient && !isStale && kind != .disconnected && kind != .cancelled
    }
}
