internal import HaloProtocol
internal import HaloTransport

/// One loop's hold on a stream of the ring: it begins with the first `next()`, and ends with it.
final class StreamSubscription: Sendable {
    let ring: Ring
    let observer: StreamObserver
    private let isOpen = Locked(false)

    init(_ ring: Ring, _ stream: RingStream, once isOnce: Bool) {
        self.ring = ring
        observer = ring.core.makeStreamObserver(stream, once: isOnce)
    }

    deinit {
        if isOpen.withLock({ $0 }) { ring.core.close(observer) }
    }

    /// What comes next; the ring is told to end when nothing does, or the task is cancelled.
    nonisolated(nonsending) func next() async throws(DeviceError) -> Mailbox<StreamItem>.Delivery? {
        if Task.isCancelled {
            ring.core.close(observer)
            return nil
        }
        open()
        let delivery = try await observer.mailbox.next()
        if delivery == nil { ring.core.close(observer) }
        return delivery
    }

    private func open() {
        let isFirst = isOpen.withLock { isOpen in
            defer { isOpen = true }
            return !isOpen
        }
        if isFirst { ring.core.open(observer) }
    }
}
