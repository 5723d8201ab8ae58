internal import HaloProtocol
internal import HaloTransport

/// What is done with a new link before the ring can be asked, step by step:
///
/// 1. find out whether it is a ring at all;
/// 2. have it send its answers, on both services, before anything is written;
/// 3. read its versions, once;
/// 4. learn which day its clock shows, and read what a new clock would put out of reach;
/// 5. set the clock, and ask what it can do.
///
/// All of this has one deadline. When it passes, a ring that does not send its answers is given
/// up; of one that does, the rest of what is asked is given up, and it is ready.
///
/// Services may change at any time. While the ring is prepared, that begins again with the first
/// step; later, its services are found and subscribed to anew, in the time that a new link may
/// take, and the conversation stands still meanwhile.
extension RingCore {
    /// Begins with a link that is there.
    func prepare(_ link: BLELink, _ state: inout RingState) {
        let number = state.linkNumber
        let stage = beginPreparing(&state)
        state.outbox.append { [self] in
            let observation = link.observe { [weak self] event, _ in
                self?.happened(event, number)
            }
            keep(observation, number)
            findAttributes(link, stage)
        }
    }

    /// Enters the first step, with a conversation in which nothing was said.
    private func beginPreparing(_ state: inout RingState) -> UInt64 {
        stopPreparing(&state)
        state.session.disconnect(at: state.now)
        pump(&state)
        state.session = RingSession(options.rules)
        state.hasAnswered = false
        state.phase = .preparing(.subscribing)
        return state.stage
    }

    /// Gives up what is under way: what still comes of it is ignored.
    func stopPreparing(_ state: inout RingState) {
        state.stage = state.newNumber()
        cancelCalls(&state)
    }

    /// The device has changed: what was found is stale, and so are the subscriptions.
    func prepareAgain(_ state: inout RingState) {
        guard let link = state.link, state.attributes != nil else { return }
        let stage: UInt64
        switch state.phase {
        case .preparing:
            setTimer(.link, at: state.connectDeadline, &state)
            stage = beginPreparing(&state)
        case .ready:
            state.session.suspend(at: state.now)
            if state.timers[.link] == nil {
                setTimer(.link, at: state.now + options.reconnect.attemptTimeout, &state)
            }
            stage = state.newNumber()
            state.stage = stage
        case .idle, .linking, .waiting, .closed: return
        }
        let stale = state.subscriptions
        state.subscriptions = []
        state.outbox.append { [self] in
            for subscription in stale { subscription.cancel() }
            findAttributes(link, stage)
        }
    }

    private func findAttributes(_ link: BLELink, _ stage: UInt64) {
        link.submitServices { [weak self] result in
            self?.step(result, stage) { core, services, state in
                do throws(DeviceError) {
                    let attributes = try RingAttributes(services)
                    state.attributes = attributes
                    core.subscribe(attributes, link, &state)
                } catch {
                    core.attemptFailed(error, &state)
                }
            }
        }
    }

    private func subscribe(
        _ attributes: RingAttributes, _ link: BLELink, _ state: inout RingState
    ) {
        let wanted = [attributes.uartNotify, attributes.bigDataNotify].compactMap { $0 }
        subscribe(wanted[...], link, &state)
    }

    private func subscribe(
        _ wanted: ArraySlice<GATTCharacteristic>, _ link: BLELink, _ state: inout RingState
    ) {
        let stage = state.stage
        guard let first = wanted.first else {
            subscribed(link, &state)
            return
        }
        state.outbox.append { [self] in
            let subscription = link.submitSubscription(to: first) { [weak self] result in
                self?.step(result, stage) { core, _, state in
                    core.subscribe(wanted.dropFirst(), link, &state)
                }
            }
            keep(subscription: subscription, stage)
        }
    }

    /// The ring sends its answers from now on.
    private func subscribed(_ link: BLELink, _ state: inout RingState) {
        switch state.phase {
        case .preparing:
            state.phase = .preparing(.asking)
            readVersions(link, &state)
        case .ready:
            cancelTimer(.link, &state)
            state.session.resume(at: state.now)
            pump(&state)
        case .idle, .linking, .waiting, .closed: break
        }
    }

    /// Keeps what has the ring send, or gives it up if it is stale already.
    private func keep(subscription: Registration, _ stage: UInt64) {
        let isWanted = update { state in
            guard state.stage == stage else { return false }
            state.subscriptions.append(subscription)
            return true
        }
        if !isWanted { subscription.cancel() }
    }

    /// Goes on with what Bluetooth has answered, or gives the link up.
    ///
    /// That the services have changed may be told only after something has failed because of
    /// that: such a failure counts when nothing of the kind was told for some time.
    private func step<Value: Sendable>(
        _ result: Result<Value, BLEError>, _ stage: UInt64,
        _ body: (RingCore, Value, inout RingState) -> Void
    ) {
        update(in: stage) { state in
            switch result {
            case .success(let value): body(self, value, &state)
            case .failure(let error) where error.isStale:
                state.outbox.append { [self] in
                    let moment = time.now() + Self.changeIsToldWithin
                    let timer = time.schedule(at: moment) { [weak self] in
                        self?.update(in: stage) { state in
                            self?.attemptFailed(DeviceError(error), &state)
                        }
                    }
                    keep(subscription: timer, stage)
                }
            case .failure(let error): attemptFailed(DeviceError(error), &state)
            }
        }
    }

    /// How long after a failure a backend may say that the services have changed.
    private static var changeIsToldWithin: Duration { .seconds(2) }

    private static var versions: [BluetoothUUID] {
        [CharacteristicCatalog.firmwareRevision.uuid, CharacteristicCatalog.hardwareRevision.uuid]
    }

    private func readVersions(_ link: BLELink, _ state: inout RingState) {
        let information = state.attributes?.information ?? []
        let isKnown = state.knowledge.firmware != nil || state.knowledge.hardware != nil
        let wanted =
            isKnown
            ? []
            : information.filter {
                Self.versions.contains($0.uuid) && $0.properties.contains(.read)
            }
        readVersions(wanted[...], link, &state)
    }

    /// A version that cannot be read is not known; that is no reason to give up.
    private func readVersions(
        _ wanted: ArraySlice<GATTCharacteristic>, _ link: BLELink, _ state: inout RingState
    ) {
        let stage = state.stage
        guard let first = wanted.first else {
            prepareClock(&state)
            return
        }
        state.outbox.append {
            link.submitRead(first) { [weak self] result in
                self?.update(in: stage) { state in
                    if let bytes = try? result.get() {
                        state.knowledge.take(bytes, of: first.uuid)
                    }
                    self?.readVersions(wanted.dropFirst(), link, &state)
                }
            }
        }
    }

    /// The ring can be asked from now on.
    func becomeReady(_ state: inout RingState) {
        cancelTimer(.link, &state)
        state.failedAttempts = nil
        state.phase = .ready
        state.announce()
        let waiting = state.connecting
        state.connecting = []
        state.outbox.append { for (_, finish) in waiting { finish(.success(())) } }
        for observer in state.openObservers { begin(observer, &state) }
        pump(&state)
    }
}

extension RingKnowledge {
    /// Takes in a characteristic of the Device Information service.
    mutating func take(_ bytes: [UInt8], of uuid: BluetoothUUID) {
        guard let text = try? DeviceInformationText(decoding: bytes) else { return }
        switch uuid {
        case CharacteristicCatalog.firmwareRevision.uuid:
            firmware = try? FirmwareVersion(parsing: text.utf8)
        case CharacteristicCatalog.hardwareRevision.uuid:
            hardware = try? HardwareVersion(parsing: text.utf8)
        default: break
        }
    }
}
