#if os(Linux)
internal import HaloDBus

/// A connection attempt.
struct FakeAttempt {
    /// The unique number.
    let number: UInt64
    /// The `Connect` requests.
    var requests: [DBusRequest]
    /// `true` once the device is in reach, and only the time to connect remains.
    var isConnecting = false
    /// The `Pair` requests.
    var pairing: [DBusRequest] = []

    /// All requests that wait for the attempt.
    var all: [DBusRequest] { requests + pairing }
}
#endif
