#if os(Linux)
/// One client of the private bus: its socket, and what is under way on it.
struct BusClient {
    let socket: Int32
    var authentication: DBusServerAuthentication
    var stream = DBusMessageStream()
    private var outgoing = DBusQueue<DBusSession.Outgoing>()
    private(set) var outgoingBytes = 0
    /// When it took something last, or had nothing to take.
    private(set) var lastProgress: Int64
    /// Who has to take something before this one is listened to again.
    var waitsFor: UInt64?

    /// More than this waits for nobody without holding up who sends it.
    static let highWater = 1 << 22
    /// How long a client may take nothing while others wait for it.
    static let patience: Int64 = 10_000_000

    init(_ socket: Int32, _ authentication: DBusServerAuthentication, at now: Int64) {
        self.socket = socket
        self.authentication = authentication
        lastProgress = now
    }

    /// Whether its messages are to be looked at.
    var isHeard: Bool { authentication.isDone && waitsFor == nil }
    var hasOutput: Bool { !outgoing.isEmpty }
    var isCongested: Bool { outgoingBytes > Self.highWater }

    mutating func enqueue(_ bytes: [UInt8], _ descriptors: DBusDescriptors? = nil) {
        outgoingBytes += bytes.count
        outgoing.append(DBusSession.Outgoing(bytes: bytes, descriptors: descriptors))
    }

    /// Writes what the socket takes; whether it is still of use.
    mutating func write(at now: Int64) -> Bool {
        if outgoing.isEmpty { lastProgress = now }
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
                lastProgress = now
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
