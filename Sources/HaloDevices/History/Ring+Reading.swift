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
        let clock = core.knowledge.clock
        let readAt = clock.reading(time.wallClock())
        var history = RingHistory(
            today: readAt.date, readAt: readAt, secondsFromUTC: clock.secondsFromUTC)
        for (index, step) in plan.steps.enumerated() {
            let part = try await part(step, history)
            if case .failed(let error) = part, error.kind == .disconnected, index == 0 {
                throw error
            }
            history.take(part, of: step)
            progress(
                HistoryProgress(
                    step: index + 1, count: plan.steps.count, kind: step.kind,
                    daysAgo: step.day.map { Int($0.count) }))
        }
        history.sort()
        return history
    }

    nonisolated(nonsending) private func part(
        _ step: HistoryStep, _ history: RingHistory
    ) async throws(DeviceError) -> HistoryPart {
        let core = core
        let context = HistoryContext(time.wallClock(), core.knowledge)
        guard context.isWorthAsking(step, history) else { return .unsupported }
        return try await core.wait(cancel: { core.cancel($0) }) { number, finish in
            step.ask(core, .app(number), context) { finish(.success($0)) }
        }
    }
}
