#if canImport(CoreBluetooth)
internal import Dispatch
internal import Foundation

/// A state that only one serial queue uses: the home of the system's Bluetooth objects.
///
/// The classes of CoreBluetooth are not `Sendable`, and the system calls their delegates on the
/// queue that a manager was given. So the managers, the peripherals, and all state that refers to
/// them are confined to that queue. The compiler cannot prove this. Here it holds because only this
/// type has a reference to the state, and passes the state to functions on the queue only.
///
/// The queue is never waited for. A call within a delegate's call would never return, and callbacks
/// of the app run on it.
final class Confined<State: AnyObject>: @unchecked Sendable {
    let queue: DispatchQueue
    private let state: State

    init(_ state: sending State, to queue: DispatchQueue) {
        self.state = state
        self.queue = queue
    }

    /// Runs a function on the queue, after all earlier ones.
    func run(_ body: @escaping @Sendable (State) -> Void) {
        queue.async { body(self.state) }
    }

    /// Makes an object at once, and runs a function with it on the queue.
    ///
    /// At its launch an app must make the managers that the system restores before it returns to
    /// the system, so they are not made on the queue. The first function receives the state only
    /// as the delegate of the manager.
    func run<Object>(
        making make: (State, DispatchQueue) -> Object,
        _ body: @escaping @Sendable (State, Object) -> Void
    ) {
        nonisolated(unsafe) let object = make(state, queue)
        queue.async { body(self.state, object) }
    }

    /// Runs a function on the queue after a delay, unless the state is gone by then.
    func run(after delay: Duration, _ body: @escaping @Sendable (State) -> Void) {
        let (seconds, attoseconds) = delay.components
        let wait = Double(seconds) + Double(attoseconds) / 1e18
        queue.asyncAfter(deadline: .now() + wait) { [weak self] in
            guard let self else { return }
            body(state)
        }
    }
}
#endif
