#if os(Linux)
enum FakeTarget: Hashable, Sendable {
    case daemon
    case adapter(Int)
    case device(Int)
    case characteristic(device: Int, Int)
    case descriptor(device: Int, Int, Int)
    case noMethods
}
#endif
