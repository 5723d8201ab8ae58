/// The ways in which a transport's time counts a waiting task.
package enum WaitKind: Sendable {
    /// The result is certain to come.
    case waits
    /// The result may never come.
    case listens
    case sleeps
    /// The result is certain to come. The task is in the middle of an action, which pauses during
    /// the wait.
    case pauses

    var changes: (beginning: WaitChange, end: WaitChange) {
        switch self {
        case .waits, .pauses: (.begins, .ends)
        case .listens: (.listeningBegins, .listeningEnds)
        case .sleeps: (.sleepBegins, .sleepEnds)
        }
    }
}
