#if os(Linux)

/// Cuts received bytes into messages, and assigns the descriptors.
///
/// The system delivers descriptors no later than the first byte that they were sent with, so
/// counting them in the order of the messages is enough.
struct DBusMessageStream: Sendable {
    /// The maximum number of descriptors of incomplete messages.
    static let maximumDescriptors = 1024

    private var bytes: [UInt8] = []
    private var head = 0
    private var descriptors: DBusDescriptors?
    private var headers: DBusHeaderCache? = DBusHeaderCache()

    /// The number of bytes of an incomplete message.
    var incompleteCount: Int { bytes.count - head }

    var isInsideMessage: Bool { incompleteCount > 0 }

    mutating func append(_ more: Span<UInt8>, _ descriptors: DBusDescriptors? = nil) {
        bytes.removeFirst(head)
        head = 0
        more.withUnsafeBufferPointer { bytes.append(contentsOf: $0) }
        guard let descriptors else { return }
        if let own = self.descriptors {
            own.append(contentsOf: descriptors)
        } else {
            self.descriptors = descriptors
        }
    }

    /// Returns the next message, if it is complete and repeats a known signal of a property.
    mutating func nextPropertyUpdate() -> DBusPropertyUpdate? {
        guard
            let update = headers?.propertyUpdate(
                beginning: bytes.span.extracting(head..<bytes.count))
        else { return nil }
        head += update.length
        return update
    }

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
            bytes.removeAll(keepingCapacity: bytes.capacity <= Self.keptCapacity)
            head = 0
        }
        guard descriptors?.count ?? 0 <= Self.maximumDescriptors else {
            throw DBusWireError(.excess, at: 0)
        }
        return nil
    }

    /// Returns the next message, the number of its descriptors, and its length. The message is
    /// `nil` if its type is unknown: such messages are skipped with their descriptors.
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

    private static let keptCapacity = 1 << 18
}
#endif
