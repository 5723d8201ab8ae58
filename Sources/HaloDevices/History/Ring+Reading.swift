internal import HaloProtocol
internal import HaloTransport

/// How histories are read.
extension Ring {
    /// One kind, of one day where it is stored by days.
    nonisolated(nonsending) func history(
        _ step: HistoryStep
    ) async throws(DeviceError) -> RingHistory {
        let history = try await read(HistoryPlan(step)) { _ in }
        if let failure = history.failures.first { throw failure.error }
        if history.unsupported.contains(step.kind) { throw DeviceError(.notSupported) }
        return history
    }

    /// All requests of a plan, one after the other.
    nonisolated(nonsending) func read(
        _ plan: HistoryPlan, _ progress: (HistoryProgress) -> Void
    ) async throws(DeviceError) -> RingHistory {
        let core = core
        var reading = HistoryReading(plan, core.knowledge, time.wallClock(), at: time.now())
        var isFirst = true
        while let action = core.nextAction(&reading) {
            let event = try await core.wait(cancel: { core.cancel($0) }) { number, finish in
                core.perform(action, as: .app(number)) { finish(.success($0)) }
            }
            if isFirst, let error = event.linkError { throw error }
            isFirst = isFirst && event.isWaiting
            reading.take(event)
            while let step = reading.nextProgress() { progress(step) }
        }
        while let step = reading.nextProgress() { progress(step) }
        return reading.history
    }
}

extension HistoryReading.Event {
    /// Why there is no link, if that is what came of it.
    fileprivate var linkError: DeviceError? {
        switch self {
        case .day(.failure(let error)), .part(.failed(let error), _, _, _):
            error.kind == .disconnected ? error : nil
        case .day, .part, .waited: nil
        }
    }

    fileprivate var isWaiting: Bool {
        if case .waited = self { true } else { false }
    }
}

extension RingCore {
    /// What a read wants done next; `nil` when it is over.
    func nextAction(_ reading: inout HistoryReading) -> HistoryReading.Next? {
        let (wallClock, now) = (time.wallClock(), time.now())
        reading.update(knowledge, wallClock, at: now)
        let next = reading.next(wallClock, at: now)
        if case .end = next { return nil }
        return next
    }

    /// Does what a read wants done, and tells once what came of it.
    func perform(
        _ action: HistoryReading.Next, as asker: Asker,
        _ finish: @escaping @Sendable (HistoryReading.Event) -> Void
    ) {
        switch action {
        case .askDay(let day, let here, let hasYear):
            DayProbe(self, asker, here: here, hasYear: hasYear) { finish(.day($0)) }
                .ask(from: day)
        case .ask(let step, let aim):
            let asked = time.now()
            step.ask(self, asker, aim) { [time] part in
                finish(.part(part, aim, asked: asked, answered: time.now()))
            }
        case .wait(let moment):
            _ = time.schedule(at: moment) { finish(.waited) }
        case .end: finish(.waited)
        }
    }
}
