/// What a device says unasked, or what becomes of its link: a sequence for a loop.
///
/// Each loop has its own buffer. It ends with the connection; a loop whose task is cancelled ends
/// too.
public struct DeviceUpdates<Element: Sendable>: AsyncSequence, Sendable {
    private let subscribe: @Sendable () -> Subscription
    private let gap: (@Sendable (Int) -> Element)?

    /// A sequence that makes a mailbox for each loop, and a function that gives it up; dropped
    /// elements become one in their place where a function makes it.
    init(
        gap: (@Sendable (Int) -> Element)? = nil,
        _ subscribe: @escaping @Sendable () -> (Mailbox<Element>, @Sendable () -> Void)
    ) {
        self.gap = gap
        self.subscribe = {
            let (mailbox, end) = subscribe()
            return Subscription(mailbox, end)
        }
    }

    /// Begins to listen at once, so that nothing is lost between this and the first `next()`.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(subscription: subscribe(), gap: gap)
    }

    /// Fetches what has come.
    public struct AsyncIterator: AsyncIteratorProtocol {
        let subscription: Subscription
        let gap: (@Sendable (Int) -> Element)?
        var pending: Element?

        init(subscription: Subscription, gap: (@Sendable (Int) -> Element)?) {
            self.subscription = subscription
            self.gap = gap
        }

        /// The next element; nothing when nothing more can come, or the task is cancelled.
        public nonisolated(nonsending) mutating func next() async throws(DeviceError) -> Element? {
            if let pending {
                self.pending = nil
                return pending
            }
            guard let delivery = try await subscription.mailbox.next() else { return nil }
            guard delivery.dropped > 0, let gap else { return delivery.element }
            pending = delivery.element
            return gap(delivery.dropped)
        }
    }

    /// One loop's mailbox.
    final class Subscription: Sendable {
        let mailbox: Mailbox<Element>
        private let end: @Sendable () -> Void

        init(_ mailbox: Mailbox<Element>, _ end: @escaping @Sendable () -> Void) {
            self.mailbox = mailbox
            self.end = end
        }

        deinit { end() }
    }
}

@available(*, unavailable)
extension DeviceUpdates.AsyncIterator: Sendable {}
