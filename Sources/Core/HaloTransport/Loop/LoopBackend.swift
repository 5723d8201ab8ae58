/// A backend that acts at the end of turns: it lets virtual time pass, or writes to a socket.
package protocol LoopBackend: AnyObject {
    /// Notes the beginning of a turn, if it was added so; returns `true` if there are steps to do
    /// before it.
    func begin() -> Bool

    /// Does the next step; `false` if there is none.
    func goOn() -> Bool

    /// Called when nothing is left to be done in the turn. It calls nobody.
    func turnEnds()
}

extension LoopBackend {
    /// Has nothing to do before a turn.
    package func begin() -> Bool { false }

    /// Has nothing to do after the last step.
    package func turnEnds() {}
}
