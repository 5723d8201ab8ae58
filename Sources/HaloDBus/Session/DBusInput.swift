#if os(Linux)
internal import HaloTransport

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

    /// `true` inside an incomplete message.
    var isInsideMessage: Bool { incompleteCount > 0 }

    /// Receives bytes and descriptors.
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

    /// Returns the next message, if it is complete and repeats a known signal of a property.
    mutating func nextPropertyUpdate() -> DBusPropertyUpdate? {
        guard
            let update = headers?.propertyUpdate(
                beginning: bytes.span.extracting(head..<bytes.count))
        else { return nil }
        head += update.length
        return update
    }

    /// Returns the next complete message.
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

/// Decoded messages that the session has not received yet.
///
/// They are decoded outside of the loop, so that nobody waits for it.
struct DBusInput: Sendable {
    enum Item: Sendable {
        /// Consecutive values of one property, and the slot of its header.
        case values(DBusPropertyValues, slot: Int)
        case message(DBusMessage, DBusDescriptors?)
        /// A malformed message; no item follows.
        case malformed(DBusWireError)
    }

    private var stream = DBusMessageStream()
    /// `true` after the authentication.
    private var isAuthenticated = false
    private var items = Queue<Item>()
    /// The last consecutive values of one property, to which more may be added.
    private var run: (values: DBusPropertyValues, slot: Int)?

    /// `true` inside an incomplete message.
    var isInsideMessage: Bool { stream.isInsideMessage }

    /// `true` if the session has received everything.
    var isEmpty: Bool { items.isEmpty }

    /// Decodes bytes. `authenticate` receives them before the first message, and returns its
    /// offset.
    mutating func append(
        _ bytes: Span<UInt8>, _ descriptors: DBusDescriptors? = nil,
        authenticate: (Span<UInt8>) -> Int?
    ) {
        let start = isAuthenticated ? 0 : authenticate(bytes)
        isAuthenticated = start != nil
        stream.append(bytes.extracting((start ?? bytes.count)..<bytes.count), descriptors)
        do throws(DBusWireError) {
            while true {
                if let update = stream.nextPropertyUpdate() {
                    add(update)
                } else if let (message, descriptors) = try stream.next() {
                    endRun()
                    items.append(.message(message, descriptors))
                } else {
                    return endRun()
                }
            }
        } catch {
            endRun()
            items.append(.malformed(error))
        }
    }

    /// Returns the next item.
    mutating func next() -> Item? { items.popFirst() }

    /// Drops all items.
    mutating func removeAll() { items = Queue() }

    private mutating func add(_ update: DBusPropertyUpdate) {
        guard run?.values.source !== update.source else {
            run?.values.values.append(update.value)
            return
        }
        endRun()
        run = (DBusPropertyValues(source: update.source, values: [update.value]), update.slot)
    }

    private mutating func endRun() {
        guard let (values, slot) = run.take() else { return }
        items.append(.values(values, slot: slot))
    }
}
#endif
