internal import HaloProtocol

/// What a link knows of the device's services, and who waits to know.
struct LinkDiscovery: Sendable {
    /// What was found, while it is not stale.
    var services: [GATTService]?
    /// How often what was found has become stale.
    var generation: UInt64 = 0
    var isUnderWay = false
    /// How often it was begun again because the services changed meanwhile.
    var repetitions = 0
    var waiters: [(number: UInt64, completion: LinkHub.Answer<[GATTService]>)] = []

    /// A device whose services change faster than that is taken at its last word.
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

    /// Nobody will find out any more.
    mutating func endDiscovery(_ reason: DisconnectReason) {
        answerDiscovery(
            .failure(BLEError(.disconnected, .discover, reason: reason)))
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

extension LinkHub {
    /// Tells the services: those that are known, or what a discovery finds. Who asks while one
    /// is under way waits for the same.
    func services(_ completion: @escaping Answer<[GATTService]>) -> UInt64 {
        update { state in
            let number = state.newNumber()
            if let error = state.endedError(.discover, nil) {
                state.outbox.append(.call { completion(.failure(error)) })
            } else if let services = state.discovery.services {
                state.outbox.append(.call { completion(.success(services)) })
            } else if state.discovery.waiters.count >= Self.maximumOperations {
                let error = BLEError(.overloaded, .discover)
                state.outbox.append(.call { completion(.failure(error)) })
            } else {
                state.discovery.waiters.append((number, completion))
                if !state.discovery.isUnderWay { discover(in: &state) }
            }
            return number
        }
    }

    /// Somebody does not wait for the services any more; the discovery goes on.
    func cancelServices(_ number: UInt64) {
        update { state in
            guard
                let index = state.discovery.waiters.firstIndex(where: { $0.number == number })
            else { return }
            let waiter = state.discovery.waiters.remove(at: index)
            let error = BLEError(.cancelled, .discover)
            state.outbox.append(.call { waiter.completion(.failure(error)) })
        }
    }

    private func discover(in state: inout LinkState) {
        state.discovery.isUnderWay = true
        let generation = state.discovery.generation
        enqueue(
            .discover, nil, in: &state,
            perform: { driver, completion in driver.discoverServices(completion) },
            completion: { [weak self] result in self?.discovered(result, generation) })
    }

    private func discovered(_ result: Result<[GATTService], BLEError>, _ generation: UInt64) {
        update { state in
            guard state.end == nil else { return }
            if state.discovery.generation != generation, case .success = result,
                state.discovery.repetitions < LinkDiscovery.maximumRepetitions,
                !state.discovery.waiters.isEmpty
            {
                state.discovery.repetitions += 1
                discover(in: &state)
                return
            }
            if state.discovery.generation == generation, case .success(let services) = result {
                state.discovery.services = services
            }
            state.answerDiscovery(result)
        }
    }
}
