/// How time passes in a ``VirtualBluetooth``.
public enum VirtualMode: Hashable, Sendable {
    /// Time jumps: as long as somebody waits for an answer, a beat or an hour of sleep, it goes to
    /// the next event at once. While there are only listeners, it passes as on the wall.
    case automatic
    /// Time stands still but for ``VirtualBluetooth/advance(by:)`` and ``VirtualBluetooth/step()``:
    /// the mode for a runner that takes the same course each time.
    case manual
    /// Time passes as on the wall, so many times as fast.
    case realTime(speed: Int)
}
