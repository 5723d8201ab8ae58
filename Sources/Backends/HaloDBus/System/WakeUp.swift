#if os(Linux)
/// A socket pair that ends the wait of a thread: it polls one end, and others write to the other.
final class WakeUp: Sendable {
    let reader: Int32
    private let writer: Int32

    init() throws(DBusError) {
        (reader, writer) = try SystemSocket.pair()
    }

    deinit {
        SystemSocket.close(reader)
        SystemSocket.close(writer)
    }

    func send() { withUnsafeBytes(of: UInt8(0)) { _ = SystemSocket.send(writer, $0, []) } }

    /// Removes bytes that were sent, so that the thread can sleep again.
    func clear() {
        var bytes = SystemSocket.room(64)
        var control: [UInt8] = []
        _ = SystemSocket.receive(reader, into: &bytes, control: &control)
    }
}
#endif
