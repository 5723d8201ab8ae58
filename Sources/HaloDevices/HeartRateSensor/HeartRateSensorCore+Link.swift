internal import HaloProtocol
internal import HaloTransport

/// How the link is made, and made again.
extension HeartRateSensorCore {
    /// Begins an attempt to connect.
    func begin(_ attempt: Int, within timeout: Duration, in state: inout State) {
        state.forgetLink()
        state.phase = .connecting(attempt: attempt)
        let generation = state.generation
        state.outbox.append { [weak self] in self?.open(generation, timeout) }
    }

    private func open(_ generation: UInt64, _ timeout: Duration) {
        // The link alone may take as long as everything together, so one limit is enough.
        limit(.connect, timeout, generation)
        keep(
            .opening,
            openLink(timeout + timeout) { [weak self] result in
                guard let self else {
                    if case .success(let link) = result { link.close() }
                    return
                }
                opened(result, generation)
            }, generation)
    }

    /// Gives the link up when something takes longer than it may.
    private func limit(
        _ operation: BLEError.Operation, _ timeout: Duration, _ generation: UInt64
    ) {
        keep(
            .timer,
            time.schedule(at: time.now() + timeout) { [weak self] in
                self?.failed(BLEError(.timedOut, operation), generation)
            }, generation)
    }

    /// Remembers what is to be cancelled with an attempt and its link, in place of the same before.
    private func keep(_ step: State.Step, _ registration: Registration, _ generation: UInt64) {
        update { state in
            guard state.generation == generation else {
                return state.outbox.append { registration.cancel() }
            }
            if let earlier = state.underWay.updateValue(registration, forKey: step) {
                state.outbox.append { earlier.cancel() }
            }
        }
    }

    private func opened(_ result: Result<BLELink, BLEError>, _ generation: UInt64) {
        switch result {
        case .failure(let error): failed(error, generation)
        case .success(let link):
            let isWanted = update { state in
                guard state.generation == generation else { return false }
                state.link = link
                return true
            }
            guard isWanted else { return link.close() }
            keep(
                .watch,
                link.observe { [weak self] event, moment in
                    self?.happened(event, moment, generation)
                }, generation)
            discover(link, generation)
        }
    }

    private func discover(_ link: BLELink, _ generation: UInt64) {
        keep(
            .discovery,
            link.submitServices { [weak self] result in self?.discovered(result, generation) },
            generation)
    }

    private func discovered(_ result: Result<[GATTService], BLEError>, _ generation: UInt64) {
        switch result {
        case .failure(let error):
            // Another discovery has taken the place of this one.
            if error.kind != .cancelled { failed(error, generation) }
        case .success(let services):
            let measurement = CharacteristicCatalog.heartRateMeasurement.uuid
            guard
                let characteristic = try? BLELink.characteristic(
                    measurement, of: StandardServices.heartRate, in: services),
                characteristic.properties.canSubscribe
            else {
                return failed(BLEError(.wrongDevice, .discover, uuid: measurement), generation)
            }
            let battery = try? BLELink.characteristic(
                CharacteristicCatalog.batteryLevel.uuid, of: StandardServices.battery, in: services)
            update { state in
                guard state.generation == generation else { return }
                state.measurement.characteristic = characteristic
                state.battery.characteristic =
                    battery?.properties.canSubscribe == true ? battery : nil
                connected(in: &state)
            }
        }
    }

    private func connected(in state: inout State) {
        if let limit = state.underWay.removeValue(forKey: .timer) {
            state.outbox.append { limit.cancel() }
        }
        if case .connecting = state.phase {
            state.phase = .connected
            state.hasBeenConnected = true
            let waiters = state.connectionWaiters
            state.connectionWaiters = []
            state.outbox.append {
                for waiter in waiters { waiter.resolve(.success(())) }
            }
            state.tellState()
        }
        for channel in State.Channel.allCases { subscribeIfWanted(channel, in: &state) }
    }

    /// An attempt has failed, a link was lost, or a device is no longer what it was.
    ///
    /// A link that the program has closed by itself is not made again. Any step that was under
    /// way may be the first to learn of that.
    private func failed(_ error: BLEError, _ generation: UInt64) {
        update { state in
            guard state.generation == generation else { return }
            let isWanted = error.reason?.kind == .local
            guard state.hasBeenConnected, error.kind != .wrongDevice, !isWanted else {
                return state.end(DeviceError(error), isWanted: isWanted)
            }
            switch state.phase {
            case .connecting(let attempt):
                retry(attempt + 1, after: DeviceError(error), in: &state)
            case .connected:
                state.tell(.interrupted)
                retry(0, after: DeviceError(error), in: &state)
            case .idle, .waiting, .ended: break
            }
        }
    }

    private func retry(_ attempt: Int, after error: DeviceError, in state: inout State) {
        guard let delay = options.reconnect.delay(beforeAttempt: attempt) else {
            return state.end(error, isWanted: false)
        }
        state.forgetLink()
        state.phase = .waiting(attempt: attempt)
        state.tellState()
        let generation = state.generation
        state.outbox.append { [weak self] in
            guard let self else { return }
            let timer = time.schedule(at: time.now() + delay) { [weak self] in
                guard let self else { return }
                update { state in
                    guard state.generation == generation else { return }
                    let timeout = self.options.reconnect.attemptTimeout
                    self.begin(attempt, within: timeout, in: &state)
                }
            }
            keep(.timer, timer, generation)
        }
    }

    private func happened(_ event: LinkEvent, _ moment: Moment, _ generation: UInt64) {
        switch event {
        case .value(let attribute, let bytes):
            received(bytes, of: attribute, moment, generation)
        case .servicesChanged:
            let link: BLELink? = update { state in
                guard state.generation == generation, case .connected = state.phase else {
                    return nil
                }
                for channel in State.Channel.allCases { state.unsubscribe(channel) }
                return state.link
            }
            guard let link else { return }
            limit(.discover, options.reconnect.attemptTimeout, generation)
            discover(link, generation)
        case .maximumLengthChanged: break
        case .disconnected(let reason):
            failed(BLEError(.disconnected, .receive, reason: reason), generation)
        }
    }
}
