#if os(Linux)
internal import HaloTransport

/// Decoded messages that the session has not received yet.
///
/// They are decoded before the loop is entered: no other caller of the loop waits for that.
struct DBusInput: Sendable {
    enum Item: Sendable {
        /// Consecutive values of one property, and the slot of its header.
        case values(DBusPropertyValues, slot: Int)
        case message(DBusMessage, DBusDescriptors?)
        /// A malformed message; no item follows.
        case malformed(DBusWireError)
    }

    private var stream = DBusMessageStream()
    private var isAuthenticated = false
    private var items = Queue<Item>()
    /// The last consecutive values of one property, to which more may be added.
    private var run: (values: DBusPropertyValues, slot: Int)?

    var isInsideMessage: Bool { stream.isInsideMessage }

    /// Decodes bytes; `authenticate` gets those before the first message, and returns its offset.
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

    mutating func next() -> Item? { items.popFirst() }

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
