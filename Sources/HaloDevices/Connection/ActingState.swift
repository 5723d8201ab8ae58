internal import HaloProtocol
internal import HaloTransport

/// A state that says what is to be done about its changes.
protocol ActingState {
    /// The latest moment that was seen.
    var now: Moment { get set }
    /// What is to be done.
    var outbox: Outbox { get set }
}

extension Locked where Value: ActingState {
    /// Changes the state, and then does what has to be done about it, without the lock.
    ///
    /// One thread at a time does so; so everything happens in one order, also when what is called
    /// calls back. Virtual time does not jump meanwhile. The clock is asked before the lock is
    /// taken, for it may call back too.
    func update<Result>(
        on time: any TransportTime, _ change: (inout Value) -> Result
    ) -> Result {
        time.waiting(.actionBegins)
        defer { time.waiting(.actionEnds) }
        let now = time.now()
        let (result, mustDrain) = withLock { state in
            state.now = max(state.now, now)
            let result = change(&state)
            return (result, state.outbox.beginDraining())
        }
        if mustDrain {
            while let action = withLock({ $0.outbox.nextAction() }) { action() }
        }
        return result
    }
}
