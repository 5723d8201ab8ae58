internal import HaloProtocol

extension BLETransport {
    /// Connects to a device that was discovered, now or earlier.
    ///
    /// The call throws ``BLEError/Kind/timedOut`` at the timeout, and
    /// ``BLEError/Kind/alreadyConnected`` when this transport has a link to the device, or another
    /// program has one that the backend does not share. When the task is cancelled, the call throws
    /// ``BLEError/Kind/cancelled`` at once; a link that opens later is closed.
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
    ) -> BLECancellable {
        let (time, loop) = (time, time.loop)
        return loop.run {
            let link = BLELink(identity, on: time, features: features)
            let attempt = ConnectAttempt(link, loop, completion)
            attempt.timer = timeout.map { timeout in
                time.schedule(at: time.now() + timeout) {
                    loop.report { attempt.end(BLEError(.timedOut, .connect)) }
                }
            }
            attempt.opening = openLink(to: identity) { [weak client = link.client] event in
                loop.report { client?.receive(event) }
            } completion: { result in
                loop.report { attempt.answered(result) }
            }
            return BLECancellable { loop.run { attempt.end(BLEError(.cancelled, .connect)) } }
        }
    }
}

/// One attempt to connect: it ends once, by the backend's reply, the timeout or cancellation. Used
/// in turns of the loop.
private final class ConnectAttempt: @unchecked Sendable {
    /// The link to be opened, and the completion; `nil` after the end.
    private var awaited: (link: BLELink, completion: BLECompletion<BLELink>)?
    var timer: BLECancellable?
    /// `nil` after the backend's reply.
    var opening: BLECancellable?

    private let loop: TransportLoop

    init(_ link: BLELink, _ loop: TransportLoop, _ completion: @escaping BLECompletion<BLELink>) {
        awaited = (link, completion)
        self.loop = loop
    }

    /// Ends the attempt with the backend's reply. A link that opens after the end is closed.
    func answered(_ result: Result<any LinkDriver, BLEError>) {
        opening = nil
        guard let (link, completion) = finish() else {
            if case .success(let driver) = result { driver.disconnect() }
            return
        }
        if case .success(let driver) = result { link.open(driver) }
        completion(result.map { _ in link })
    }

    func end(_ error: BLEError) {
        guard let (_, completion) = finish() else { return }
        loop.later { completion(.failure(error)) }
    }

    private func finish() -> (link: BLELink, completion: BLECompletion<BLELink>)? {
        defer { (awaited, timer, opening) = (nil, nil, nil) }
        timer?.cancel()
        opening?.cancel()
        return awaited
    }
}
