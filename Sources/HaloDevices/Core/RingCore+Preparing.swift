internal import HaloProtocol
internal import HaloTransport

/// What is done with a new link before the ring can be asked, step by step:
///
/// 1. find out whether it is a ring at all;
/// 2. have it send its answers, on both services, before anything is written;
/// 3. read its versions, once;
/// 4. learn which day its clock shows, and read what a new clock would put out of reach;
/// 5. set the clock, and ask what it can do.
extension RingCore {
    /// Begins with a link that is there.
    func prepare(_ link: BLELink, _ state: inout RingState) {
        let number = state.linkNumber
        let stage = state.newNumber()
        state.stage = stage
        state.outbox.append { [self] in
            let observation = link.observe { [weak self] event, _ in
                self?.happened(event, number)
            }
            keep(observation, number)
            findAttributes(link, stage)
        }
    }

    /// The device has changed: what was found is stale, and so are the subscriptions.
    func prepareAgain(_ state: inout RingState) {
        guard let link = state.link, state.attributes != nil else { return }
        let stage = state.newNumber()
        state.stage = stage
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
            if case .preparing = state.phase { readVersions(link, &state) }
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
    private func step<Value: Sendable>(
        _ result: Result<Value, BLEError>, _ stage: UInt64,
        _ body: (RingCore, Value, inout RingState) -> Void
    ) {
        update(in: stage) { state in
            switch result {
            case .success(let value): body(self, value, &state)
            case .failure(let error): attemptFailed(DeviceError(error), &state)
            }
        }
    }

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
        endPatience(&state)
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
