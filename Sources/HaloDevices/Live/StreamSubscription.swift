internal import HaloProtocol

/// What a stream delivers: reports of the ring, and breaks of the link.
enum StreamItem: Hashable, Sendable {
    case report(StreamReport)
    case interrupted
}

/// One loop's hold on a stream of the ring: it begins with the first `next()`, and ends with it.
final class StreamSubscription: Sendable {
    let ring: Ring
    let stream: RingStream
    let observer: StreamObserver

    init(_ ring: Ring, _ stream: RingStream) {
        self.ring = ring
        self.stream = stream
        observer = ring.core.makeStreamObserver(stream)
    }

    deinit { ring.core.close(observer) }

    nonisolated(nonsending) func next() async throws(DeviceError) -> Mailbox<StreamItem>.Delivery? {
        ring.core.open(observer)
        let delivery = try await observer.mailbox.next()
        if delivery == nil { ring.core.close(observer) }
        return delivery
    }
}
