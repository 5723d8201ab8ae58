internal import HaloProtocol

extension BLETransport {
    /// Connects to a device that was seen, or is known from earlier.
    ///
    /// It throws ``BLEError/Kind/timedOut`` when the device has not answered in time, and
    /// ``BLEError/Kind/alreadyConnected`` when it is connected here or elsewhere. When the task is
    /// cancelled, it throws ``BLEError/Kind/cancelled`` at once, and a link that comes all the
    /// same is closed.
    ///
    /// - Parameters:
    ///   - identity: The device.
    ///   - timeout: The longest that it may take, on the transport's time.
    ///   - observer: Is told of everything that goes over the link, for a log.
    public func connect(
        to identity: PeripheralIdentity, timeout: Duration = .seconds(30),
        observer: LinkObserver? = nil
    ) async throws(BLEError) -> BLELink {
        if let observer {
            return try await TracedTransport(self, observer).connect(
                to: identity, timeout: timeout)
        }
        return try await time.answer(to: .connect) { promise in
            submitConnect(to: identity, timeout: timeout) { result in
                guard !promise.resolve(result), case .success(let link) = result else { return }
                link.close()
            }
        }
    }

    /// Connects to a device that was seen.
    public func connect(
        to discovery: Discovery, timeout: Duration = .seconds(30), observer: LinkObserver? = nil
    ) async throws(BLEError) -> BLELink {
        try await connect(to: discovery.identity, timeout: timeout, observer: observer)
    }

    /// Connects, and answers by a call: once, also when cancelled.
    ///
    /// It says nothing to the transport's time: whoever makes a task wait does that.
    @discardableResult
    package func submitConnect(
        to identity: PeripheralIdentity, timeout: Duration,
        _ completion: @escaping BLECompletion<BLELink>
    ) -> Registration {
        let link = BLELink(identity, on: time, features: features)
        let attempt = ConnectAttempt(link, completion)
        attempt.begin(
            timer: time.schedule(at: time.now() + timeout) {
                attempt.giveUp(BLEError(.timedOut, .connect))
            },
            registration: openLink(
                to: identity, for: LinkReceiver(link), attempt.answered))
        return Registration { attempt.giveUp(BLEError(.cancelled, .connect)) }
    }

    private func openLink(
        to identity: PeripheralIdentity, for receiver: LinkReceiver,
        _ completion: @escaping BLECompletion<any LinkDriver>
    ) -> Registration {
        guard let batching = self as? any BatchingTransport else {
            return openLink(to: identity, events: receiver.event, completion: completion)
        }
        return batching.openLink(to: identity, receiver: receiver, completion: completion)
    }
}

/// A backend to which many values come together.
package protocol BatchingTransport: BLETransport {
    /// Connects to a device, as ``BLETransport/openLink(to:events:completion:)`` does.
    func openLink(
        to identity: PeripheralIdentity, receiver: LinkReceiver,
        completion: @escaping BLECompletion<any LinkDriver>
    ) -> Registration
}

/// One attempt to connect: it ends once, by the backend's answer, by the time, or by being
/// cancelled.
final class ConnectAttempt: Sendable {
    private struct State {
        var link: BLELink?
        var completion: BLECompletion<BLELink>?
        var isAnswered = false
        var timer: Registration?
        var registration: Registration?
    }

    private let state: Locked<State>

    /// An attempt that is still to be begun.
    init(_ link: BLELink, _ completion: @escaping BLECompletion<BLELink>) {
        state = Locked(State(link: link, completion: completion))
    }

    /// Keeps what ends the time and the attempt at the backend, or ends it if it is over already.
    func begin(timer: Registration, registration: Registration) {
        let (isOver, isAnswered) = state.withLock { state in
            if state.completion != nil {
                state.timer = timer
                state.registration = registration
            }
            return (state.completion == nil, state.isAnswered)
        }
        guard isOver else { return }
        timer.cancel()
        if !isAnswered { registration.cancel() }
    }

    /// The backend has answered. A link that comes too late is closed.
    func answered(_ result: Result<any LinkDriver, BLEError>) {
        let ended = take(isAnswer: true)
        ended.timer?.cancel()
        switch result {
        case .success(let driver):
            guard let link = ended.link, let completion = ended.completion else {
                return driver.disconnect()
            }
            link.open(driver)
            completion(.success(link))
        case .failure(let error):
            ended.completion?(.failure(error))
        }
    }

    /// The attempt is not wanted any longer.
    func giveUp(_ error: BLEError) {
        let ended = take(isAnswer: false)
        ended.timer?.cancel()
        ended.registration?.cancel()
        ended.completion?(.failure(error))
    }

    private func take(isAnswer: Bool) -> State {
        state.withLock { state in
            let ended = state
            state = State(isAnswered: state.isAnswered || isAnswer)
            return ended
        }
    }
}
