internal import HaloProtocol

/// What a link knows of the device's services, and what waits for them.
struct LinkDiscovery: Sendable {
    /// The services that were found, while they are not stale.
    var services: [GATTService]?
    /// The number of times that what was found has become stale.
    var generation: UInt64 = 0
    var isUnderWay = false
    /// The number of times in a row that it was begun again, as the services changed meanwhile.
    var repetitions = 0
    var waiters: [(number: UInt64, completion: BLECompletion<[GATTService]>)] = []

    /// The most rediscoveries in a row; after these the last result is used as it is.
    static let maximumRepetitions = 3
}

extension LinkState {
    /// What was known of the services is stale, and so are all subscriptions.
    mutating func forgetServices() {
        discovery.services = nil
        discovery.generation &+= 1
        endSubscriptions(
            BLEError(.noSuchAttribute, .receive),
            pending: BLEError(.noSuchAttribute, .subscribe))
    }

    /// Ends the discovery with the link.
    mutating func endDiscovery(_ reason: DisconnectReason) {
        answerDiscovery(.failure(BLEError(.disconnected, .discover, reason: reason)))
        discovery.services = nil
    }

    fileprivate mutating func answerDiscovery(_ result: Result<[GATTService], BLEError>) {
        for waiter in discovery.waiters {
            outbox.append(.call { waiter.completion(result) })
        }
        discovery.waiters = []
        discovery.isUnderWay = false
        discovery.repetitions = 0
    }
}

extension BLELink {
    /// Tells the services: those that are known, or what a discovery finds. All who ask while one
    /// is under way wait for the same.
    @discardableResult
    package func submitServices(
        _ completion: @escaping BLECompletion<[GATTService]>
    ) -> Registration {
        let number = update { state in
            let number = state.newNumber()
            let answer: Result<[GATTService], BLEError>? =
                if let error = state.endedError(.discover, nil) {
                    .failure(error)
                } else if let services = state.discovery.services {
                    .success(services)
                } else if state.discovery.waiters.count >= Self.maximumOperations {
                    .failure(BLEError(.overloaded, .discover))
                } else {
                    nil
                }
            if let answer {
                state.outbox.append(.call { completion(answer) })
            } else {
                state.discovery.waiters.append((number, completion))
                if !state.discovery.isUnderWay { discover(in: &state) }
            }
            return number
        }
        return Registration { [weak self] in self?.cancelServices(number) }
    }

    /// The services are not waited for any more; the discovery goes on.
    private func cancelServices(_ number: UInt64) {
        update { state in
            let index = state.discovery.waiters.firstIndex { $0.number == number }
            guard let waiter = index.map({ state.discovery.waiters.remove(at: $0) }) else { return }
            state.outbox.append(
                .call { waiter.completion(.failure(BLEError(.cancelled, .discover))) })
        }
    }

    private func discover(in state: inout LinkState) {
        state.discovery.isUnderWay = true
        let generation = state.discovery.generation
        enqueue(
            .discover, nil, in: &state,
            perform: { $0.discoverServices($1) },
            completion: { [weak self] result in self?.discovered(result, generation) })
    }

    private func discovered(_ result: Result<[GATTService], BLEError>, _ generation: UInt64) {
        update { state in
            guard state.end == nil else { return }
            let isCurrent = state.discovery.generation == generation
            var mayRepeat = state.discovery.repetitions < LinkDiscovery.maximumRepetitions
            switch result {
            case .success(let services): if isCurrent { state.discovery.services = services }
            // The change may be what it has failed of.
            case .failure(let error): mayRepeat = mayRepeat && error.isStale
            }
            guard !isCurrent, mayRepeat, !state.discovery.waiters.isEmpty else {
                return state.answerDiscovery(result)
            }
            state.discovery.repetitions += 1
            discover(in: &state)
        }
    }
}
