/// The error of deterministic code that waits for an event that never comes.
public struct NothingToRunError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The number of steps since a job was ready.
    public let steps: Int

    /// Creates an error after a number of steps without a ready job.
    package init(steps: Int) {
        self.steps = steps
    }

    /// The reasons for the wait, as far as they are known.
    public var description: String {
        "Nothing can run: after \(steps == 1 ? "1 step" : "\(steps) steps") of virtual time, "
            + "nothing is due. The code waits for an event that never comes, or a task that runs "
            + "elsewhere (Task { }, Task.detached, the main actor)."
    }
}
