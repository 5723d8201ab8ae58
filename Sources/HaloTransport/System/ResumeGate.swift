package import HaloProtocol

/// Holds back tasks that are to be resumed, while there is more to tell.
///
/// A backend that hears of many values at once opens it, tells all of them, and closes it: then
/// a task that waits for the first one finds the others there too, and is not woken for each. That
/// is most of what a value costs otherwise.
package final class ResumeGate: Sendable {
    private struct State {
        var openings = 0
        var held: [@Sendable () -> Void] = []
    }

    private let state = Locked(State())

    /// A gate that holds nothing back.
    package init() {}

    /// Holds back from now on, until it is closed as often as it was opened.
    package func open() { state.withLock { $0.openings += 1 } }

    /// Resumes what was held back, in order, once it is closed as often as it was opened.
    package func close() {
        let held = state.withLock { state -> [@Sendable () -> Void] in
            state.openings -= 1
            guard state.openings <= 0 else { return [] }
            defer { state.held = [] }
            return state.held
        }
        for resume in held { resume() }
    }

    /// Resumes a task: now, or when the gate is closed.
    func resume(_ resume: @escaping @Sendable () -> Void) {
        let isHeld = state.withLock { state in
            if state.openings > 0 { state.held.append(resume) }
            return state.openings > 0
        }
        if !isHeld { resume() }
    }
}

/// A time whose listeners a gate holds back.
package struct GatedTime: TransportTime {
    private let base: any TransportTime
    let gate: ResumeGate

    /// A time with a gate.
    package init(_ base: any TransportTime, _ gate: ResumeGate) {
        self.base = base
        self.gate = gate
    }

    package var clock: any Clock<Duration> { base.clock }

    package func now() -> Moment { base.now() }

    package func wallClock() -> WallClock { base.wallClock() }

    package func schedule(
        at moment: Moment, _ action: @escaping @Sendable () -> Void
    ) -> Registration { base.schedule(at: moment, action) }

    package func waiting(_ change: WaitChange) { base.waiting(change) }
}
