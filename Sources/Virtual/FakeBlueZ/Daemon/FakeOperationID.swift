#if os(Linux)
internal import BlueZVocabulary
internal import HaloDBus
internal import HaloTransport

/// The identifier of a pending operation, which its answer carries.
struct FakeOperationID: Hashable, Sendable {
    let device: Int
    let number: UInt64
}
#endif
