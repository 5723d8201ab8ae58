#if os(Linux)
/// One client of the private bus: its socket, and what is under way on it.
struct BusClient {
    let socket: Int32
    var authentication: DBusServerAuthentication
    var stream = DBusMessageStream()
    private var outgoing = DBusQueue<DBusSession.Outgoing>()
    private var outgoingBytes = 0

    init(_ socket: Int32, _ authentication: DBusServerAuthentication) {
        self.socket = socket
        self.authentication = authentication
    }

    var hasOutput: Bool { !outgoing.isEmpty }

    /// `true` if more bytes than these wait for it to take them.
    func hasMore(than most: Int) -> Bool { outgoingBytes > most }

    mutating func enqueue(_ bytes: [UInt8], _ descriptors: DBusDescriptors? = nil) {
        outgoingBytes += bytes.count
        outgoing.append(DBusSession.Outgoing(bytes: bytes, serial: 0, descriptors: descriptors))
    }

    /// Writes what the socket takes; whether it is still of use.
    mutating func write() -> Bool {
        while let next = outgoing.first {
            let numbers = next.sentCount == 0 ? next.descriptors : nil
            let outcome = next.bytes.withUnsafeBytes { bytes in
                let rest = UnsafeRawBufferPointer(
                    rebasing: bytes[min(next.sentCount, bytes.count)...])
                return numbers?.withNumbers { SystemSocket.send(socket, rest, $0) }
                    ?? SystemSocket.send(socket, rest, [])
            }
            switch outcome {
            case .later: return true
            case .ended: return false
            case .bytes(let count):
                outgoingBytes -= count
                if next.sentCount + count >= next.bytes.count {
                    _ = outgoing.popFirst()
                } else {
                    outgoing.updateFirst { $0.sentCount += count }
                }
            }
        }
        return true
    }
}
#endif
