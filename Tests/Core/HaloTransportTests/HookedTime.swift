import HaloProtocol
import HaloTesting
import HaloTransport
import TestSupport

/// A stepped time that logs its calls, and runs hooks within them: the actions of another thread.
final class HookedTime: ForwardingTime {
    enum Question: Hashable, Sendable {
        case now
        case schedule
        case waiting(WaitChange)
    }

    private struct State: Sendable {
        var questions: [Question] = []
        var hooks: [Question: @Sendable () -> Void] = [:]
    }

    let stepped = SteppedTime()
    var base: any TransportTime { stepped }
    private let state = Locked(State())

    /// The calls, in order.
    var questions: [Question] { state.withLock { $0.questions } }

    /// The number of calls of a kind.
    func count(of question: Question) -> Int { questions.filter { $0 == question }.count }

    /// Clears the log.
    func forget() { state.withLock { $0.questions = [] } }

    /// Runs a hook once, at the next call of a kind.
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

    func now() -> Moment {
        asked(.now)
        return base.now()
    }

    func schedule(
        at moment: Moment, _ action: @escaping @Sendable () -> Void
    ) -> BLECancellable {
        let cancellable = base.schedule(at: moment, action)
        asked(.schedule)
        return cancellable
    }

    func waiting(_ change: WaitChange) {
        base.waiting(change)
        asked(.waiting(change))
    }
}
