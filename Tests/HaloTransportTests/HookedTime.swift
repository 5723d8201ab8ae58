import HaloProtocol
import HaloTesting
import HaloTransport

/// A stepped time that writes down what it is asked, and has something done meanwhile: what
/// another thread could do then.
final class HookedTime: TransportTime {
    enum Question: Hashable, Sendable {
        case now
        case schedule
        case waiting(WaitChange)
    }

    private struct State: Sendable {
        var questions: [Question] = []
        var hooks: [Question: @Sendable () -> Void] = [:]
    }

    let base = SteppedTime()
    private let state = Locked(State())

    /// What it was asked, in order.
    var questions: [Question] { state.withLock { $0.questions } }

    /// How often it was asked something.
    func count(of question: Question) -> Int { questions.filter { $0 == question }.count }

    /// Forgets what it was asked.
    func forget() { state.withLock { $0.questions = [] } }

    /// Has something done once, when it is asked something the next time.
    func atNext(_ question: Question, _ action: @escaping @Sendable () -> Void) {
        state.withLock { $0.hooks[question] = action }
    }

    private func asked(_ question: Question) {
        let hook = state.withLock { state in
            state.questions.append(question)
            return state.hooks.removeValue(forKey: question)
        }
        hook?()
    }

    var clock: any Clock<Duration> { base.clock }

    func now() -> Moment {
        asked(.now)
        return base.now()
    }

    func wallClock() -> WallClock { base.wallClock() }

    func schedule(
        at moment: Moment, _ action: @escaping @Sendable () -> Void
    ) -> Registration {
        let registration = base.schedule(at: moment, action)
        asked(.schedule)
        return registration
    }

    func waiting(_ change: WaitChange) {
        base.waiting(change)
        asked(.waiting(change))
    }
}
