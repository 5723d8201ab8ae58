#if os(Linux)
internal import HaloTransport

/// Encoded messages that are queued until the socket accepts them.
struct DBusSendQueue: Sendable {
    private struct Message: Sendable {
        let bytes: [UInt8]
        let descriptors: DBusDescriptors?
        let sender: UInt64?
        var sentCount = 0
    }

    private var messages = Queue<Message>()
    /// The number of bytes that are not sent.
    private(set) var byteCount = 0
    /// The lengths of the queued messages of each sender, where one is named.
    private(set) var byteCounts: [UInt64: Int] = [:]
    /// The sum of ``byteCounts``.
    private(set) var foreignByteCount = 0

    var isEmpty: Bool { messages.isEmpty }

    mutating func append(
        _ bytes: [UInt8], _ descriptors: DBusDescriptors? = nil, from sender: UInt64? = nil
    ) {
        byteCount += bytes.count
        if let sender {
            byteCounts[sender, default: 0] += bytes.count
            foreignByteCount += bytes.count
        }
        messages.append(Message(bytes: bytes, descriptors: descriptors, sender: sender))
    }

    /// Sends until all is sent, or `write` returns `nil` instead of the number of accepted bytes.
    mutating func send(_ write: (UnsafeRawBufferPointer, DBusDescriptors?) -> Int?) {
        while let next = messages.first {
            let count = next.bytes.withUnsafeBytes { bytes in
                write(
                    UnsafeRawBufferPointer(rebasing: bytes[next.sentCount...]),
                    next.sentCount == 0 ? next.descriptors : nil)
            }
            guard let count else { return }
            byteCount -= count
            if next.sentCount + count >= next.bytes.count {
                _ = messages.popFirst()
                forget(next)
            } else {
                messages.updateFirst { $0.sentCount += count }
            }
        }
    }

    private mutating func forget(_ message: Message) {
        guard let sender = message.sender, let count = byteCounts[sender] else { return }
        foreignByteCount -= message.bytes.count
        let rest = count - message.bytes.count
        byteCounts[sender] = rest > 0 ? rest : nil
    }

    /// Removes the messages of a sender, but for one that is sent in part.
    mutating func removeMessages(from sender: UInt64) {
        guard byteCounts[sender] != nil else { return }
        var kept = Queue<Message>()
        while let next = messages.popFirst() {
            guard next.sender == sender, next.sentCount == 0 else {
                kept.append(next)
                continue
            }
            byteCount -= next.bytes.count
            forget(next)
        }
        messages = kept
    }
}
#endif
