/// A backend that acts at the end of turns: it lets virtual time pass, or writes to a socket.
package protocol LoopBackend: AnyObject {
    /// Notes the beginning of a turn, if it was added so; returns `true` if there are steps to do
    /// before it.
    func turnBegins() -> Bool

    /// Does the next step; `false` if there is none.
    func goOn() -> Bool

    /// Called at the end of a turn, when no step is left. It must not call into the loop again.
    func turnEnds()
}

extension LoopBackend {
    package func turnBegins() -> Bool { false }

    package func turnEnds() {}
}
