internal import HaloProtocol

/// A change made by a test or a program; changes apply in the order of the calls.
enum ExternalChange: Hashable, Sendable {
    case worn(Bool)
    case docked(Bool)
    case battery(Int)
    case clock(seconds: Int)
    case wave
    case touched(RingNotification.Touch)
    case walk(minutes: Int)
    case sleep(minutes: Int)
    case search(isOn: Bool)
}
