internal import HaloProtocol

/// The timeout of a step.
enum StepLimit {
    /// The step is skipped.
    case skipped
    /// The timeout is the rest of the attempt's timeout.
    case ofAttempt
    /// The step has a deadline of its own.
    case own(Moment)
}
