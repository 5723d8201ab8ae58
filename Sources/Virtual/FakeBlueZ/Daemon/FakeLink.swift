#if os(Linux)
internal import BlueZVocabulary
internal import HaloDBus
internal import HaloProtocol
internal import HaloTransport

/// A link to a device.
struct FakeLink {
    /// The unique number.
    let number: UInt64
    let mtu: Int
    var isResolved = false
    var isEncrypted: Bool
    /// `true` after `Disconnect`.
    var isEnding = false
    /// The number of further times that the services are exported again.
    var exportsLeft: Int
    var operations = FakeOperations()
    /// The last value that was signalled.
    var lastValue: (value: [UInt8], path: DBusObjectPath)?
    /// The `Pair` requests that wait.
    var pairing: [DBusRequest] = []
    var pairingNumber: UInt64?
    /// `true` if `Pair` established this link.
    let isForPairing: Bool
}
#endif
