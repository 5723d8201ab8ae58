#if os(Linux)
/// What is to be sent, in order.
extension DBusSession {
    struct Outgoing: Sendable {
        let bytes: [UInt8]
        /// The number of the message.
        let serial: UInt32
        let descriptors: DBusDescriptors?
        var sentCount = 0
    }

    /// Whether anything can be sent now.
    var hasOutput: Bool {
        switch phase {
        case .authenticating: !handshake.isEmpty
        case .greeting, .open: !handshake.isEmpty || !outgoing.isEmpty
        case .ended: false
        }
    }

    /// Sends what can be sent, as far as `write` goes: it takes some bytes and says how many it
    /// took, or nil if it can take none now.
    mutating func send(_ write: (UnsafeRawBufferPointer, DBusDescriptors?) -> Int?) {
        while hasOutput {
            if !handshake.isEmpty {
                guard let count = handshake.withUnsafeBytes({ write($0, nil) }) else { return }
                handshake.removeFirst(min(count, handshake.count))
                continue
            }
            guard let next = outgoing.first else { return }
            let count = next.bytes.withUnsafeBytes { bytes in
                write(
                    UnsafeRawBufferPointer(rebasing: bytes[min(next.sentCount, bytes.count)...]),
                    next.sentCount == 0 ? next.descriptors : nil)
            }
            guard let count else { return }
            outgoingBytes -= count
            if next.sentCount + count >= next.bytes.count {
                _ = outgoing.popFirst()
            } else {
                outgoing.updateFirst { $0.sentCount += count }
            }
        }
    }

    /// Whether something that was asked for here can still be sent.
    func checkRoom() throws(DBusError) {
        if let endError { throw endError }
        guard outgoingBytes <= limits.outgoingBytes else {
            throw DBusError(.tooMuch, details: "bytes that are not sent")
        }
    }

    mutating func enqueue(
        _ message: DBusMessage, _ descriptors: DBusDescriptors? = nil
    ) throws(DBusError) {
        if let endError { throw endError }
        var message = message
        let count = descriptors?.count ?? 0
        if case .authenticating = phase {
        } else if count > 0, !passesDescriptors {
            throw DBusError(.noDescriptors)
        }
        guard count <= SystemSocket.descriptorsAtOnce else {
            throw DBusError(.tooMuch, details: "descriptors in one message")
        }
        message.descriptorCount = UInt32(truncatingIfNeeded: count)
        let bytes: [UInt8]
        do throws(DBusWireError) {
            bytes = try message.encoded()
        } catch {
            throw DBusError(.malformed, wire: error)
        }
        // Nobody can take them away, or close them, before they are sent.
        let own = count > 0 ? try descriptors?.duplicated() : nil
        outgoingBytes += bytes.count
        outgoing.append(Outgoing(bytes: bytes, serial: message.serial, descriptors: own))
        guard outgoingBytes <= limits.outgoingBytes + limits.answerBytes else {
            let error = DBusError(.tooMuch, details: "bytes that are not sent")
            end(error)
            throw error
        }
    }

    /// The bus passes no descriptors: what has some is not sent.
    mutating func takeBackDescriptors() {
        var others = DBusQueue<Outgoing>()
        while let next = outgoing.popFirst() {
            guard next.descriptors != nil else {
                others.append(next)
                continue
            }
            outgoingBytes -= next.bytes.count
            guard let call = calls.take(next.serial) else { continue }
            settle(call, .failure(DBusError(.noDescriptors)))
        }
        outgoing = others
    }
}
#endif
