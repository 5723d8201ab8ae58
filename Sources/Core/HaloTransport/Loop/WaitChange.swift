/// A change in the waits of tasks.
public enum WaitChange: Hashable, Sendable {
    /// A task begins to wait for an event: a reply, the end of a sleep, the end of a link.
    case begins
    /// A wait for an event has ended; reported before the task is resumed.
    case ends
    /// A task begins to wait for an element of a sequence, which may never come.
    case listeningBegins
    /// A wait for an element has ended: the element has come, or the task was cancelled.
    case listeningEnds
    case sleepBegins
    case sleepEnds
    /// A task whose wait has ended runs again; reported by the task itself.
    case resumes
    /// An action of several turns begins: virtual time does not pass before its end, except in the
    /// waits of that action.
    case actionBegins
    case actionEnds
}
