#if os(Linux)
/// The object of a request.
enum FakeTarget: Hashable, Sendable {
    case daemon
    case adapter(Int)
    case device(Int)
    case characteristic(device: Int, Int)
    case descriptor(device: Int, Int, Int)
    /// An object without methods.
    case noMethods
}
#endif
