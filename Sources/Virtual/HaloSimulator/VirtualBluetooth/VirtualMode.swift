/// The passing of time in a ``VirtualBluetooth``.
public enum VirtualMode: Hashable, Sendable {
    /// Time jumps to the next event while a task waits for a reply or sleeps. While there are only
    /// listeners, time follows the wall clock.
    case automatic
    /// Time passes only in ``VirtualBluetooth/advance(by:)`` and ``VirtualBluetooth/step()``: the
    /// mode for reproducible runs.
    case manual
    /// Time follows the wall clock, at a multiple of its speed.
    case realTime(speed: Int)
}
