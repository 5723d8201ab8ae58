internal import HaloProtocol
internal import HaloTransport

/// What the sensor sends, and how it is made to.
extension HeartRateSensorCore {
    /// Subscribes, if a loop wants it, the sensor is there and nobody has subscribed yet.
    func subscribeIfWanted(_ channel: State.Channel, in state: inout State) {
        guard case .connected = state.phase, let link = state.link, state.isWanted(channel),
            state[channel].number == nil
        else { return }
        guard let characteristic = state[channel].characteristic else {
            return state.endListeners(
                of: channel,
                .failure(DeviceError(.notSupported, command: Self.name(of: channel))))
        }
        let number = state.newNumber()
        state[channel].number = number
        if channel == .measurement { watchForSilence(number, in: &state) }
        state.outbox.append { [weak self] in
            let registration = link.submitSubscription(to: characteristic) { [weak self] result in
                if case .failure(let error) = result { self?.refused(channel, number, error) }
            }
            guard let self else { return registration.cancel() }
            update { state in
                if state[channel].number == number {
                    state[channel].registration = registration
                } else {
                    state.outbox.append { registration.cancel() }
                }
            }
        }
    }

    private static func name(of channel: State.Channel) -> FieldName {
        switch channel {
        case .measurement: HeartRateMeasurement.name.subject
        case .battery: BatteryLevel.name.subject
        }
    }

    private func refused(_ channel: State.Channel, _ number: UInt64, _ error: BLEError) {
        // The end of the link and a change of services are told by the link itself.
        guard error.kind != .disconnected, !error.isStale, error.kind != .cancelled else {
            return
        }
        update { state in
            guard state[channel].number == number else { return }
            state.unsubscribe(channel)
            state.endListeners(of: channel, .failure(DeviceError(error)))
        }
    }

    /// Takes in what the sensor has sent.
    func received(
        _ bytes: [UInt8], of attribute: AttributeID, _ moment: Moment, _ generation: UInt64
    ) {
        let wall = time.wallClock()
        update { state in
            guard state.generation == generation else { return }
            if attribute == state.measurement.characteristic?.id {
                state.lastMeasurement = moment
                state.session.receive(bytes, at: moment)
                while let effect = state.session.nextEffect() {
                    if let report = Self.report(effect, moment, wall) { state.tell(report) }
                }
            } else if attribute == state.battery.characteristic?.id,
                let level = try? BatteryLevel(decoding: bytes)
            {
                let listeners = state.batteryListeners
                state.outbox.append { for listener in listeners { listener.send(level) } }
            }
        }
    }

    private static func report(
        _ effect: HeartRateSensorSession.Effect, _ moment: Moment, _ wall: WallClock
    ) -> HeartRateReport? {
        switch effect {
        case .measured(let measured):
            .measurement(
                MeasuredHeartRate(
                    measured.measurement, moment: moment, time: wall.local,
                    secondsFromUTC: wall.secondsFromUTC, beats: measured.beats))
        case .malformed(let bytes, let error): .malformed(bytes, moment, error)
        case .contact(let contact): .contact(contact)
        // Silence is watched for here, from the subscription on; resets are written directly.
        case .silent, .dropped, .write, .reset: nil
        }
    }

    /// From now on, a sensor from which nothing comes for long enough has fallen silent.
    private func watchForSilence(_ number: UInt64, in state: inout State) {
        guard let limit = options.silenceLimit else { return }
        state.lastMeasurement = state.now
        let end = state.lastMeasurement + limit
        state.outbox.append { [weak self] in self?.watchForSilence(number, limit, until: end) }
    }

    private func watchForSilence(_ number: UInt64, _ limit: Duration, until end: Moment) {
        let timer = time.schedule(at: end) { [weak self] in self?.listen(number, limit) }
        update { state in
            if state.measurement.number == number {
                state.silenceTimer = timer
            } else {
                state.outbox.append { timer.cancel() }
            }
        }
    }

    /// The time is over: either something came meanwhile, or the sensor has fallen silent.
    private func listen(_ number: UInt64, _ limit: Duration) {
        let now = time.now()
        update { state in
            guard state.measurement.number == number else { return }
            let end = state.lastMeasurement + limit
            if end > now {
                state.outbox.append { [weak self] in
                    self?.watchForSilence(number, limit, until: end)
                }
            } else {
                state.unsubscribe(.measurement)
                state.endListeners(of: .measurement, .failure(DeviceError(.silent)))
            }
        }
    }
}
