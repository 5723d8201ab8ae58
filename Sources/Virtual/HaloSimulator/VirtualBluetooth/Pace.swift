internal import HaloProtocol

/// The progress of an air that follows the wall clock, and of the task that runs events for idle
/// waits.
struct Pace {
    var isRunning = false
    /// The number of the task. One that was replaced has another, and ends.
    var number: UInt64 = 0
    /// The wall time at which the task wakes up; `nil` unless it sleeps until an event.
    var wakeUp: Duration?
    /// The wall time and the air's moment at which following began; `nil` while the air does not
    /// follow.
    var anchor: (wall: Duration, air: Moment)?
    /// The number of calls at the last poll.
    var activity: UInt64 = 0
    var idlePolls = 0
    /// The number of events to run at once.
    var burst = 1
}
