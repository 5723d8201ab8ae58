#if os(Linux)
internal import HaloTransport

/// The identifier of a pending operation.
struct FakeOperationID: Hashable, Sendable {
    let device: Int
    let number: UInt64

    /// The token of the answer; only one operation of a device is pending.
    var token: ResponseToken { ResponseToken(UInt32(truncatingIfNeeded: number)) }
}
#endif
