#if os(Linux)
/// Cuts what arrives into messages, and gives each the descriptors that came with it.
///
/// The system hands descriptors over no later than the first byte that they were sent with, so
/// in the order of the messages they can be told apart by their counts.
struct DBusMessageStream: Sendable {
    /// How many descriptors may be there of messages that are not complete.
    static let maximumDescriptors = 1024

    private var bytes: [UInt8] = []
    private var head = 0
    private var descriptors: DBusDescriptors?
    private var headers: DBusHeaderCache? = DBusHeaderCache()

    /// Whether a message has begun that is not complete.
    var isInsideMessage: Bool { head < bytes.count }

    /// Takes in what came.
    mutating func append(_ more: Span<UInt8>, _ descriptors: DBusDescriptors? = nil) {
        if head > 0 {
            bytes.removeFirst(head)
            head = 0
        }
        more.withUnsafeBufferPointer { bytes.append(contentsOf: $0) }
        guard let descriptors else { return }
        if let own = self.descriptors {
            own.append(contentsOf: descriptors)
        } else {
            self.descriptors = descriptors
        }
    }

    /// The next message that is complete.
    mutating func next() throws(DBusWireError) -> (DBusMessage, DBusDescriptors?)? {
        var known = headers.take()
        defer { headers = known }
        while let (message, count, length) = try cut(&known) {
            head += length
            var own: DBusDescriptors?
            if count > 0 {
                own = descriptors?.removeFirst(count)
                guard own != nil else { throw DBusWireError(.missingDescriptor, at: 0) }
            }
            if let message { return (message, own) }
        }
        if head == bytes.count {
            bytes.removeAll(keepingCapacity: bytes.capacity <= Self.roomKept)
            head = 0
        }
        guard descriptors?.count ?? 0 <= Self.maximumDescriptors else {
            throw DBusWireError(.excess, at: 0)
        }
        return nil
    }

    /// The next message, how many descriptors came with it, and its length. It is none if it is
    /// of a type that may be invented later: such messages are to be passed over, and what came
    /// with them.
    private func cut(
        _ headers: inout DBusHeaderCache?
    ) throws(DBusWireError) -> (DBusMessage?, descriptors: Int, length: Int)? {
        let rest = bytes.span.extracting(head..<bytes.count)
        guard rest.count >= DBusMessage.fixedLength else { return nil }
        let length = try DBusMessage.length(beginning: rest)
        guard rest.count >= length else { return nil }
        let bytes = rest.extracting(0..<length)
        guard DBusMessageType(rawValue: bytes[1]) != nil else {
            return (nil, Int(clamping: try DBusMessage.descriptorCount(of: bytes)), length)
        }
        let message = try DBusMessage(decoding: bytes, &headers)
        return (message, Int(clamping: message.descriptorCount), length)
    }

    private static let roomKept = 1 << 18
}
#endif
