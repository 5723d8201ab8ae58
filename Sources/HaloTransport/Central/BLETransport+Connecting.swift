internal import HaloProtocol

extension BLETransport {
    /// Connects to a device that was discovered, now or earlier.
    ///
    /// The call throws ``BLEError/Kind/timedOut`` at the timeout, and
    /// ``BLEError/Kind/alreadyConnected`` when the device is connected to this program or another
    /// one. When the task is cancelled, the call throws ``BLEError/Kind/cancelled`` at once; a link
    /// that opens later is closed.
    ///
    /// - Parameters:
    ///   - identity: The device.
    ///   - timeout: The timeout on the transport's time.
    ///   - observer: Receives the log of the link.
    public func connect(
        to identity: PeripheralIdentity, timeout: Duration = .seconds(30),
        observer: LinkObserver? = nil
    ) async throws(BLEError) -> BLELink {
        if let observer {
            return try await TracedTransport(self, observer).connect(
                to: identity, timeout: timeout)
        }
        return try await time.reply(to: .connect) { promise in
            submitConnect(to: identity, timeout: timeout) { result in
                guard !promise.resolve(result), case .success(let link) = result else { return }
                link.close()
            }
        }
    }

    /// Connects to a device that was discovered.
    public func connect(
        to discovery: Discovery, timeout: Duration = .seconds(30), observer: LinkObserver? = nil
    ) async throws(BLEError) -> BLELink {
        try await connect(to: discovery.identity, timeout: timeout, observer: observer)
    }

    /// Connects, and calls a completion once, also when cancelled.
    ///
    /// The call does not report a wait to the transport's time: a caller that lets a task wait
    /// reports it.
    ///
    /// - Parameter timeout: The timeout on the transport's time; `nil` for none.
    @discardableResult
    package func submitConnect(
        to identity: PeripheralIdentity, timeout: Duration?,
        _ completion: @escaping BLECompletion<BLELink>
    ) -> Cancellable {
        let link = BLELink(identity, on: time, features: features)
        let attempt = ConnectAttempt(link, completion)
        let timer = timeout.map { timeout in
            time.schedule(at: time.now() + timeout) {
                attempt.end(BLEError(.timedOut, .connect))
            }
        }
        attempt.begin(
            timer: timer,
            opening: openLink(to: identity, for: LinkReceiver(link), attempt.answered))
        return Cancellable { attempt.end(BLEError(.cancelled, .connect)) }
    }

    private func openLink(
        to identity: PeripheralIdentity, for receiver: LinkReceiver,
        _ completion: @escaping BLECompletion<any LinkDriver>
    ) -> Cancellable {
        guard let batching = self as? any BatchingTransport else {
            return openLink(to: identity, events: receiver.event, completion: completion)
        }
        return batching.openLink(to: identity, receiver: receiver, completion: completion)
    }
}

/// A backend that receives values in batches.
package protocol BatchingTransport: BLETransport {
    /// Connects to a device, as ``BLETransport/openLink(to:events:completion:)`` does.
    func openLink(
        to identity: PeripheralIdentity, receiver: LinkReceiver,
        completion: @escaping BLECompletion<any LinkDriver>
    ) -> Cancellable
}

/// The functions to which a backend reports the events of a link, with values in batches.
package struct LinkReceiver: Sendable {
    /// Receives an event.
    package let event: @Sendable (LinkEvent) -> Void
    /// Receives successive values of a characteristic.
    package let values: @Sendable (AttributeID, [[UInt8]]) -> Void

    /// Creates a receiver that gets batches value by value.
    package init(_ event: @escaping @Sendable (LinkEvent) -> Void) {
        self.event = event
        values = { attribute, values in
            for value in values { event(.value(attribute, value)) }
        }
    }

    /// Creates a receiver with a weak reference to a link.
    init(_ link: BLELink) {
        event = { [weak link] event in link?.receive(event) }
        values = { [weak link] attribute, values in link?.receive(values, of: attribute) }
    }
}

/// One attempt to connect: it ends once, by the backend's reply, the timeout or cancellation.
final class ConnectAttempt: Sendable {
    private enum State {
        /// The attempt is under way; its timer and the backend's attempt exist once it has begun.
        case connecting(BLELink, BLECompletion<BLELink>, timer: Cancellable?, opening: Cancellable?)
        case over(isAnswered: Bool)
    }

    private let state: Locked<State>

    /// Creates an attempt that has not begun.
    init(_ link: BLELink, _ completion: @escaping BLECompletion<BLELink>) {
        state = Locked(.connecting(link, completion, timer: nil, opening: nil))
    }

    /// Stores the timer and the backend's attempt, or cancels them if the attempt is already over.
    func begin(timer: Cancellable?, opening: Cancellable) {
        let isAnswered: Bool? = state.withLock { state in
            switch state {
            case .connecting(let link, let completion, _, _):
                state = .connecting(link, completion, timer: timer, opening: opening)
                return nil
            case .over(let isAnswered): return isAnswered
            }
        }
        guard let isAnswered else { return }
        timer?.cancel()
        if !isAnswered { opening.cancel() }
    }

    /// Ends the attempt with the backend's reply. A link that opens after the end is closed.
    func answered(_ result: Result<any LinkDriver, BLEError>) {
        guard case .connecting(let link, let completion, let timer, _) = finish(isAnswered: true)
        else {
            if case .success(let driver) = result { driver.disconnect() }
            return
        }
        timer?.cancel()
        if case .success(let driver) = result { link.open(driver) }
        completion(result.map { _ in link })
    }

    /// Ends the attempt with an error.
    func end(_ error: BLEError) {
        guard
            case .connecting(_, let completion, let timer, let opening) = finish(isAnswered: false)
        else { return }
        timer?.cancel()
        opening?.cancel()
        completion(.failure(error))
    }

    /// Ends the attempt; returns the state before.
    private func finish(isAnswered: Bool) -> State {
        state.withLock { state in
            let before = state
            if case .over(true) = before { return before }
            state = .over(isAnswered: isAnswered)
            return before
        }
    }
}
