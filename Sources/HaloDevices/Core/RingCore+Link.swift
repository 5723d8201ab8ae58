internal import HaloProtocol
internal import HaloTransport

/// The link: made, lost, made again, closed.
extension RingCore {
    /// Has the backend make a link.
    func openLink(_ state: inout RingState, timeout: Duration) {
        leaveLink(&state)
        state.phase = .linking
        state.announce()
        state.connectDeadline = state.now + timeout
        setTimer(.link, at: state.connectDeadline, &state)
        let number = state.linkNumber
        state.outbox.append { [self] in
            let attempt = transport.submitConnect(to: identity, timeout: timeout) { [weak self] in
                self?.opened($0, number)
            }
            keep(attempt, number)
        }
    }

    /// Keeps what is cancelled with a link, or cancels it if that is over.
    func keep(_ registration: Registration, _ link: UInt64) {
        let isWanted = update { state in
            guard state.linkNumber == link else { return false }
            state.registrations.append(registration)
            return true
        }
        if !isWanted { registration.cancel() }
    }

    /// Has the clock call for something at a moment, and no longer at an earlier one that was set.
    func setTimer(
        _ purpose: RingState.TimerPurpose, at moment: Moment, _ state: inout RingState
    ) {
        cancelTimer(purpose, &state)
        let number = state.newNumber()
        state.timers[purpose] = RingState.Timer(number: number, moment: moment)
        state.outbox.append { [weak self] in
            guard let self else { return }
            let timer = time.schedule(at: moment) { [weak self] in self?.rang(purpose, number) }
            let isWanted = update { state in
                guard state.timers[purpose]?.number == number else { return false }
                state.timers[purpose]?.registration = timer
                return true
            }
            if !isWanted { timer.cancel() }
        }
    }

    func cancelTimer(_ purpose: RingState.TimerPurpose, _ state: inout RingState) {
        let timer = state.timers.removeValue(forKey: purpose)
        if let registration = timer?.registration { state.outbox.append { registration.cancel() } }
    }

    private func rang(_ purpose: RingState.TimerPurpose, _ number: UInt64) {
        let wallClock = time.wallClock()
        update { state in
            guard state.timers[purpose]?.number == number else { return }
            state.timers[purpose] = nil
            switch purpose {
            case .session:
                state.session.tick(at: state.now)
                pump(&state)
            case .link:
                state.wallClock = wallClock
                linkTimedOut(&state)
            }
        }
    }

    private func linkTimedOut(_ state: inout RingState) {
        switch state.phase {
        case .linking, .preparing(.subscribing):
            attemptFailed(DeviceError(BLEError(.timedOut, .connect)), &state)
        case .preparing(.asking):
            stopPreparing(&state)
            becomeReady(&state)
        case .preparing(.readingHistory(let reading)):
            stopPreparing(&state)
            historyTimedOut(reading, &state)
        case .ready:
            attemptFailed(DeviceError(BLEError(.timedOut, .discover)), &state)
        case .idle, .waiting, .closed: break
        }
    }

    private func opened(_ result: Result<BLELink, BLEError>, _ number: UInt64) {
        let unwanted: BLELink? = update { state in
            guard state.linkNumber == number, case .linking = state.phase else {
                return try? result.get()
            }
            switch result {
            case .failure(let error):
                attemptFailed(DeviceError(error), &state)
            case .success(let link):
                state.link = link
                prepare(link, &state)
            }
            return nil
        }
        unwanted?.close()
    }

    /// Something has happened on the link.
    func happened(_ event: LinkEvent, _ number: UInt64) {
        update(of: number) { state in
            switch event {
            case .value(let attribute, let bytes):
                let channel: RingChannel
                switch attribute {
                case state.attributes?.uartNotify.id: channel = .uart
                case state.attributes?.bigDataNotify?.id: channel = .bigData
                default: return
                }
                state.session.receive(bytes, on: channel, at: state.now)
                pump(&state)
            case .servicesChanged:
                prepareAgain(&state)
            case .maximumLengthChanged: break
            case .disconnected(let reason):
                linkEnded(reason, &state)
            }
        }
    }

    private func linkEnded(_ reason: DisconnectReason, _ state: inout RingState) {
        let error = DeviceError(
            .disconnected, bleError: BLEError(.disconnected, .receive, reason: reason),
            reason: reason)
        attemptFailed(error, &state)
    }

    /// The link, or the attempt to make one, has come to nothing.
    ///
    /// It is made again as the policy says, unless the program has closed it by itself, or the
    /// device has turned out to be of another kind. Any step that was under way may be the first
    /// to learn of that.
    func attemptFailed(_ error: DeviceError, _ state: inout RingState) {
        let wasReady = if case .ready = state.phase { true } else { false }
        let failed = wasReady ? 0 : state.failedAttempts.map { $0 + 1 }
        guard let failed, let delay = options.reconnect.delay(beforeAttempt: failed),
            error.kind != .wrongDevice, error.reason?.kind != .local
        else {
            close(error, &state)
            return
        }
        state.failedAttempts = failed
        state.phase = .waiting
        leaveLink(&state, reason: error.reason)
        state.announce()
        let number = state.linkNumber
        state.outbox.append { [self] in
            keep(
                time.schedule(at: time.now() + delay) { [weak self] in
                    guard let self else { return }
                    update(of: number) { state in
                        openLink(&state, timeout: options.reconnect.attemptTimeout)
                    }
                }, number)
        }
    }

    /// Gives up the link that there is: whoever waits for something over it gets to know.
    private func leaveLink(_ state: inout RingState, reason: DisconnectReason? = nil) {
        state.linkNumber = state.newNumber()
        state.stage = state.newNumber()
        let registrations = state.registrations + state.subscriptions
        state.registrations = []
        state.subscriptions = []
        cancelTimer(.link, &state)
        state.endReason = reason
        state.session.disconnect(at: state.now)
        pump(&state)
        cancelTimer(.session, &state)
        state.failedWrite = nil
        let link = state.link
        state.link = nil
        state.attributes = nil
        guard link != nil || !registrations.isEmpty else { return }
        state.outbox.append {
            for registration in registrations { registration.cancel() }
            link?.close()
        }
    }

    /// Nothing comes any more.
    func close(_ error: DeviceError, _ state: inout RingState) {
        if case .closed = state.phase { return }
        state.phase = .closed(error)
        leaveLink(&state, reason: error.reason)
        state.announce()
        let waiting = state.connecting
        state.connecting = []
        let isOwnWish = error.reason?.kind == .local
        let end: Result<Void, DeviceError> = isOwnWish ? .success(()) : .failure(error)
        let observers = state.openObservers
        state.openObservers = []
        let states = state.stateListeners.sinks
        let events = state.eventListeners.sinks
        state.stateListeners.sinks = []
        state.eventListeners.sinks = []
        state.outbox.append {
            for (_, finish) in waiting { finish(.failure(error)) }
            for observer in observers { observer.mailbox.finish(.failure(error)) }
            for listener in states { listener.finish(.success(())) }
            for listener in events { listener.finish(end) }
        }
    }

    /// The program wants the link no more.
    func disconnect() {
        update { state in
            close(
                DeviceError(.disconnected, reason: DisconnectReason(.local)), &state)
        }
    }
}
