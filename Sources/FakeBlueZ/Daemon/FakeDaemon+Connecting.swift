#if os(Linux)
internal import BlueZVocabulary
internal import HaloDBus
internal import HaloProtocol

/// Links: how they begin and end.
extension FakeDaemon {
    mutating func receive(_ request: DBusRequest, _ device: FakeDevice) {
        if case .property(let name, let value) = request.subject {
            return receiveProperty(name, value, request, device)
        }
        switch request.member {
        case Device1.connect: connect(request, device)
        case Device1.disconnect:
            if request.interface == Device1.interfaceName, device.isConnectedByClassic == true {
                setClassicLink(false, device)
            }
            disconnect(request, device)
        case Device1.pair: pair(request, device)
        case Device1.cancelPairing: cancelPairing(request, device)
        default: perform(.refuse(request, .notSupported))
        }
    }

    private mutating func receiveProperty(
        _ name: String, _ value: DBusValue, _ request: DBusRequest, _ device: FakeDevice
    ) {
        switch (name, value) {
        case (Device1.alias, .string(let alias)):
            device.alias = alias.isEmpty ? nil : alias
            perform(.acknowledge(request))
            set([Device1.alias: .string(device.shownAlias)], device)
        case (Device1.trusted, .boolean(let isTrusted)):
            device.isTrusted = isTrusted
            device.isTemporary = device.isTemporary && !isTrusted
            perform(.accept(request))
        case (Device1.blocked, .boolean(let isBlocked)):
            device.isBlocked = isBlocked
            perform(.accept(request))
            if isBlocked { endLink(device, BlueZReason.local) }
        default:
            perform(.refuse(request, .notSupported))
        }
    }

    // MARK: - Connecting

    private mutating func connect(_ request: DBusRequest, _ device: FakeDevice) {
        guard device.adapter.isPowered else { return perform(.refuse(request, .inputOutput)) }
        guard device.link == nil else { return perform(.reply(request, [])) }
        if device.attempt != nil || device.ghost != nil {
            // Two overlapping attempts at a device that is there were both answered with yes; the
            // second at one that is not, with this error.
            guard device.attempt?.isMeeting == true else {
                return perform(.refuse(request, .connectInProgress))
            }
            device.attempt?.requests.append(request)
            return
        }
        attempt(device, requests: [request])
    }

    /// An adapter connects to a device that nobody may have looked for.
    mutating func connectByItself(_ airborne: FakeAirborne, _ adapter: FakeAdapter) {
        guard isRunning, adapter.isPowered else { return }
        let device = adapter.devices[airborne.number] ?? add(airborne, adapter)
        guard device.link == nil, device.attempt == nil else { return }
        attempt(device)
    }

    mutating func attempt(
        _ device: FakeDevice, requests: [DBusRequest] = [], pairing: [DBusRequest] = []
    ) {
        device.isTemporary = false
        attemptCount += 1
        let attempt = FakeAttempt(number: nextNumber(), requests: requests, pairing: pairing)
        device.attempt = attempt
        guard !quirks.connectHangs else { return }
        tryToMeet(device)
        if device.attempt?.isMeeting == false {
            wake(
                after: timing.unreachable,
                .gaveUp(device: device.number, attempt: attempt.number))
        }
    }

    mutating func tryToMeet(_ device: FakeDevice) {
        guard let attempt = device.attempt, !attempt.isMeeting, device.airborne.isReachable,
            device.adapter.isPowered, !quirks.connectHangs
        else { return }
        device.attempt?.isMeeting = true
        wake(after: timing.connecting, .meets(device: device.number, attempt: attempt.number))
    }

    mutating func gaveUp(_ number: Int, _ attemptNumber: UInt64) {
        guard let device = devices[number], let attempt = device.attempt,
            attempt.number == attemptNumber, !attempt.isMeeting
        else { return }
        device.attempt = nil
        for request in attempt.requests + attempt.pairing {
            perform(.refuse(request, .abortedByLocal))
        }
    }

    mutating func meets(_ number: Int, _ attemptNumber: UInt64) {
        guard let device = devices[number], let attempt = device.attempt,
            attempt.number == attemptNumber, attempt.isMeeting
        else { return }
        guard device.airborne.isReachable else {
            device.attempt?.isMeeting = false
            wake(
                after: timing.unreachable, .gaveUp(device: number, attempt: attemptNumber))
            return
        }
        device.attempt = nil
        if quirks.concealsConnected, quirks.abortsByLocal == 0 {
            perform(.conceal([Device1.connected: .boolean(true)], of: device.path))
        } else {
            set([Device1.connected: .boolean(true)], device)
            tellLink(true, device)
        }
        guard quirks.abortsByLocal == 0 else {
            quirks.abortsByLocal -= 1
            for request in attempt.requests + attempt.pairing {
                perform(.refuse(request, .abortedByLocal))
            }
            let ghost = nextNumber()
            device.ghost = ghost
            return wake(after: Self.abortTime, .aborts(device: number, link: ghost))
        }
        let link = FakeLink(
            nextNumber(), mtu: quirks.mtu, isEncrypted: device.isPaired,
            exportsLeft: quirks.exportsAgain)
        device.link = link
        device.airborne.device = device
        let own = FakeRemoteLink(
            centralAddress: device.adapter.address, mtu: link.mtu,
            answersForPrograms: quirks.answersForPrograms, meeting: timing.meeting,
            number: link.number)
        perform(.remote(device.airborne.remote, .connect(own)))
        for request in attempt.requests { perform(.reply(request, [])) }
        subscribeAgain(device)
        if quirks.dropsBeforeResolved > 0 {
            quirks.dropsBeforeResolved -= 1
            wake(after: timing.resolving, .aborts(device: number, link: link.number))
        } else if !quirks.neverResolves {
            wake(after: timing.resolving, .resolves(device: number, link: link.number))
        }
        link.isForPairing = !attempt.pairing.isEmpty
        for request in attempt.pairing { pair(request, device) }
    }

    /// How long a link that breaks while it is made seems to be there.
    private static var abortTime: Duration { .milliseconds(5) }

    /// A link that only seemed to be there is gone, or one breaks that was.
    mutating func aborts(_ number: Int, _ link: UInt64) {
        guard let device = devices[number] else { return }
        if device.ghost == link {
            device.ghost = nil
            set([Device1.connected: .boolean(device.isConnected)], device)
            tellLink(false, device)
        } else if device.link?.number == link {
            endLink(device, BlueZReason.unknown)
        }
    }

    // MARK: - Disconnecting

    mutating func disconnect(_ request: DBusRequest, _ device: FakeDevice) {
        if let attempt = device.attempt {
            device.attempt = nil
            for request in attempt.requests + attempt.pairing {
                perform(.refuse(request, .connectionCancelled))
            }
            perform(.reply(request, []))
            if attempt.isMeeting, quirks.connectsAfterAll { self.attempt(device) }
            return
        }
        guard let link = device.link else { return perform(.reply(request, [])) }
        if quirks.disconnectNeverReplies {
            device.unanswered.append(request)
        } else {
            device.leaving.append(request)
        }
        guard !link.isEnding else { return }
        link.isEnding = true
        removeBattery(device)
        wake(after: timing.disconnecting, .ends(device: device.number, link: link.number))
    }

    mutating func endsAsWished(_ number: Int, _ link: UInt64) {
        guard let device = devices[number], device.link?.number == link else { return }
        endLink(device, BlueZReason.local, isWished: true)
    }

    /// A link is over. What is told of it, and in which order, was seen: two signals after one's
    /// own `Disconnect`, one otherwise.
    mutating func endLink(_ device: FakeDevice, _ reason: String, isWished: Bool = false) {
        guard let link = device.link else { return }
        device.link = nil
        device.airborne.device = nil
        perform(.remote(device.airborne.remote, .disconnect))
        failOperations(link)
        for request in link.pairing { perform(.refuse(request, .authenticationFailed)) }
        link.pairing = []
        let unresolved: [String: DBusValue?] = [Device1.servicesResolved: .boolean(false)]
        let unconnected: [String: DBusValue?] = [
            Device1.connected: .boolean(device.isConnected)
        ]
        if quirks.tellsReasons { tell(reason, device) }
        tellLink(false, device)
        if link.isResolved && (isWished || quirks.endsInTwoSignals) {
            set(unresolved, device)
            answerLeaving(device)
            set(unconnected, device)
        } else {
            answerLeaving(device)
            set(link.isResolved ? unresolved.merging(unconnected) { $1 } : unconnected, device)
        }
        removeBattery(device)
        leaveCharacteristics(device)
        if quirks.valuesAfterEnd, let (value, path) = link.lastValue {
            perform(.value(value, at: path))
        }
        if quirks.exportsLate != nil { unexportServices(device) }
        scheduleForgetting(device)
        // It advertises again, for everybody.
        advertises(device.airborne.number)
        if device.isLeavingForGood { remove(device) }
    }

    private mutating func tell(_ reason: String, _ device: FakeDevice) {
        let bearer = device.isConnectedByClassic.map { _ in BearerLE1.interfaceName }
        for interface in [Device1.interfaceName, bearer].compactMap(\.self) {
            perform(
                .signal(
                    DBusSignal(
                        Device1.disconnected, of: interface, at: device.path,
                        [.string(reason), .string(BlueZReason.text(of: reason))])))
        }
    }

    // MARK: - The older Bluetooth

    /// Sets `Connected` of the low-energy bearer, which devices with both kinds of Bluetooth have.
    private mutating func tellLink(_ isConnected: Bool, _ device: FakeDevice) {
        guard isRunning, device.isConnectedByClassic != nil else { return }
        perform(
            .set(
                [Device1.connected: .boolean(isConnected)], of: BearerLE1.interfaceName,
                at: device.path))
    }

    /// A device has a link over the older Bluetooth, or no longer: the first time, it turns out to
    /// have that.
    mutating func setClassicLink(_ isConnected: Bool, _ device: FakeDevice) {
        guard isRunning else { return }
        if device.isConnectedByClassic == nil {
            device.isTemporary = false
            let bearers = [
                (BearerLE1.interface, device.link != nil), (BearerBREDR1.interface, false),
            ]
            for (bearer, isConnected) in bearers {
                let values: [String: DBusValue] = [
                    Device1.adapter: .objectPath(device.adapter.path),
                    Device1.paired: .boolean(device.isPaired),
                    Device1.bonded: .boolean(device.isPaired),
                    Device1.connected: .boolean(isConnected),
                ]
                perform(.add(bearer, values, to: device.path))
            }
        }
        device.isConnectedByClassic = isConnected
        perform(
            .set(
                [Device1.connected: .boolean(isConnected)], of: BearerBREDR1.interfaceName,
                at: device.path))
        set([Device1.connected: .boolean(device.isConnected)], device)
    }

    /// Whoever asked for the end is answered before the device is said to be gone (seen: an answer
    /// sends what was changed before on its way, which makes two signals of what is one
    /// otherwise). bleak 0.22 closes its connection when it hears that the device is gone, and
    /// would take the other order for the end of the bus.
    private mutating func answerLeaving(_ device: FakeDevice) {
        for request in device.leaving { perform(.reply(request, [])) }
        device.leaving = []
    }
}
#endif
