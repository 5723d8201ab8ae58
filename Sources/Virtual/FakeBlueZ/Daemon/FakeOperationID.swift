#if os(Linux)
/// The identifier of a pending operation, which its answer carries.
struct FakeOperationID: Hashable, Sendable {
    let device: Int
    let number: UInt64
}
#endif
