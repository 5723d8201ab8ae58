#if os(Linux)
internal import Synchronization

/// One end of a socket that keeps packet boundaries, as a service hands it out beside the bus. It
/// has a thread of its own, and stays until one side closes it.
///
/// The packets are received in order, and the end once after the last one. An empty packet is
/// received, unless only empty packets are left before the end: the system does not distinguish
/// these from the end. Packets of more than 65,536 bytes are dropped.
package final class PacketSocket: Sendable {
    private let descriptor: Int32
    /// `false` once this side has closed the socket: nothing is received any more, but the end.
    private let isOpen = Mutex(true)

    private static let longestPacket = 1 << 16

    /// Takes ownership; `nil` if no thread can be started, on which both functions are called.
    package init?(
        owning descriptor: consuming DBusDescriptor, receive: @escaping @Sendable ([UInt8]) -> Void,
        ended: @escaping @Sendable () -> Void = {}
    ) {
        self.descriptor = descriptor.release()
        let hasStarted = SystemThread.start { [self] in
            read(receive)
            finish()
            ended()
        }
        guard hasStarted else {
            finish()
            return nil
        }
    }

    /// Sends a packet; `false` if the other side has not read so many others that there is no room,
    /// or if the socket has ended.
    package func send(_ packet: [UInt8]) -> Bool {
        isOpen.withLock { isOpen in
            guard isOpen, case .bytes = SystemSocket.send(descriptor, packet: packet) else {
                return false
            }
            return true
        }
    }

    /// Closes the socket. Does not wait for a function that is running.
    package func close() {
        isOpen.withLock { isOpen in
            if isOpen { SystemSocket.shutdown(descriptor) }
            isOpen = false
        }
    }

    private func read(_ receive: (([UInt8]) -> Void)) {
        var buffer = SystemSocket.room(Self.longestPacket)
        var poll = SystemPoll()
        poll.append(descriptor)
        while true {
            switch SystemSocket.receivePacket(descriptor, into: &buffer) {
            case .bytes(let length):
                if length <= buffer.count, isOpen.withLock({ $0 }) {
                    receive(Array(buffer[..<length]))
                }
            case .later: poll.wait(for: nil)
            case .ended: return
            }
        }
    }

    private func finish() {
        isOpen.withLock { isOpen in
            isOpen = false
            SystemSocket.close(descriptor)
        }
    }
}
#endif
