#if os(Linux)
/// The key of a socket.
struct FakeSocketPlace: Hashable, Sendable {
    let device: Int
    let characteristic: Int
    /// `true` for notifications, `false` for writes.
    let isNotify: Bool
    /// The unique number.
    let number: UInt64
}
#endif
