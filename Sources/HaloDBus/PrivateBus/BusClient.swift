#if os(Linux)
/// How much the private bus keeps for a client that does not take it, and how long.
struct BusPatience: Sendable {
    /// More bytes than this wait for nobody without holding up who sends them.
    var highWater = 1 << 22
    /// How many microseconds a client may take nothing while others wait for it.
    var longest: Int64 = 10_000_000
}

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

    private let patience: BusPatience

    init(
        _ socket: Int32, _ authentication: DBusServerAuthentication, _ patience: BusPatience,
        at now: Int64
    ) {
        self.socket = socket
        self.authentication = authentication
        self.patience = patience
        lastProgress = now
    }

    /// Whether its messages are to be looked at.
    var isHeard: Bool { waitsFor == nil }
    var hasOutput: Bool { !outgoing.isEmpty }
    var isCongested: Bool { outgoingBytes > patience.highWater }

    mutating func enqueue(
        _ bytes: [UInt8], _ descriptors: DBusDescriptors? = nil, at now: Int64
    ) {
        if outgoing.isEmpty { lastProgress = now }
        outgoingBytes += bytes.count
        outgoing.append(DBusSession.Outgoing(bytes: bytes, serial: 0, descriptors: descriptors))
    }

    /// Writes what the socket takes; whether it is still of use.
    mutating func write(at now: Int64) -> Bool {
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
