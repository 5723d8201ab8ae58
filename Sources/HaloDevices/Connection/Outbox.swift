import HaloTransport

/// What is still to be called, in order.
struct Outbox {
    typealias Action = @Sendable () -> Void

    private var actions = FIFO<Action>()
    /// Whether somebody empties it.
    private var isDraining = false

    /// Puts something at the end.
    mutating func append(_ action: @escaping Action) {
        actions.append(action)
    }

    /// Whether whoever asks is to empty it: nobody does, and there is something in it.
    mutating func beginDraining() -> Bool {
        guard !isDraining, !actions.isEmpty else { return false }
        isDraining = true
        return true
    }

    /// Takes the next thing out; nothing if there is none, and then emptying is over. What it
    /// holds is let go by who calls it, and not under the lock.
    mutating func nextAction() -> Action? {
        let action = actions.popFirst()
        if action == nil { isDraining = false }
        return action
    }
}
