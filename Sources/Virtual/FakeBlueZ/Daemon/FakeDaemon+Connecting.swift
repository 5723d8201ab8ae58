#if os(Linux)
internal import BlueZVocabulary
internal import HaloDBus
internal import HaloTransport

extension FakeDaemon {
    mutating func receive(_ request: DBusRequest, device number: Int) throws(DBusRefusal) {
        if case .property(let name, let value) = request.subject {
            return try receiveProperty(name, value, request, number)
        }
        switch request.member {
        case Device1.connect: try connect(request, number)
        case Device1.disconnect:
            if request.interface == Device1.interfaceName,
                devices[number]?.isConnectedByClassic == true
            {
                setClassicLink(false, number)
            }
            disconnect(request, number)
        case Device1.pair: try pair(request, number)
        case Device1.cancelPairing: try cancelPairing(request, number)
        default: throw .notSupported
        }
    }

    /// Sets a property of a device. The signal comes before the reply, and there is none if the
    /// value is the old one (the daemon's source).
    private mutating func receiveProperty(
        _ name: String, _ value: DBusValue, _ request: DBusRequest, _ number: Int
    ) throws(DBusRefusal) {
        guard var device = devices[number] else { throw .gone(request) }
        let isNew: Bool
        switch (name, value) {
        case (Device1.alias, .string(let alias)):
            let own = alias.isEmpty ? nil : alias
            isNew = device.alias != own
            device.alias = own
        case (Device1.trusted, .boolean(let isTrusted)):
            isNew = device.isTrusted != isTrusted
            device.isTrusted = isTrusted
            if isTrusted { device.isTemporary = false }
        case (Device1.blocked, .boolean(let isBlocked)):
            isNew = device.isBlocked != isBlocked
            device.isBlocked = isBlocked
        default:
            throw .notSupported
        }
        devices[number] = device
        let shown: DBusValue = name == Device1.alias ? .string(device.shownAlias) : value
        if isNew { set([name: shown], device: number) }
        put(.acknowledge(request))
        if isNew, device.isBlocked, name == Device1.blocked { endLink(number, BlueZReason.local) }
    }

    // MARK: - Connecting

    private mutating func connect(_ request: DBusRequest, _ number: Int) throws(DBusRefusal) {
        guard let device = devices[number], adapters[device.adapter]?.isPowered == true else {
            throw .inputOutput
        }
        guard device.link == nil else { return put(.reply(request, [])) }
        if device.attempt != nil || device.ghost != nil {
            // Two overlapping attempts both succeed for a device within reach. For a device out of
            // reach, the second one gets this error.
            guard device.attempt?.isConnecting == true else { throw .connectInProgress }
            devices[number]?.attempt?.requests.append(request)
            return
        }
        attempt(number, requests: [request])
    }

    mutating func connectByItself(_ peripheral: FakePeripheral, _ adapter: FakeAdapter) {
        guard isRunning, adapter.isPowered else { return }
        let number = device(peripheral.number, on: adapter.number) ?? add(peripheral, adapter)
        if devices[number]?.isIdle == true { attempt(number) }
    }

    mutating func attempt(
        _ number: Int, requests: [DBusRequest] = [], pairing: [DBusRequest] = []
    ) {
        attemptCount += 1
        let attempt = FakeDevice.Attempt(number: nextNumber(), requests: requests, pairing: pairing)
        devices[number]?.isTemporary = false
        devices[number]?.attempt = attempt
        guard !quirks.connectHangs else { return }
        tryToConnect(number)
        if devices[number]?.attempt?.isConnecting == false {
            let attempt = attempt.number
            wake(after: timing.unreachable) { $0.connectTimedOut(number, attempt) }
        }
    }

    mutating func tryToConnect(_ number: Int) {
        guard let device = devices[number], let attempt = device.attempt, !attempt.isConnecting,
            peripherals[device.peripheral]?.isReachable == true,
            adapters[device.adapter]?.isPowered == true, !quirks.connectHangs
        else { return }
        devices[number]?.attempt?.isConnecting = true
        wake(after: timing.connecting) { [attempt = attempt.number] in
            $0.connects(number, attempt)
        }
    }

    private mutating func connectTimedOut(_ number: Int, _ attemptNumber: UInt64) {
        guard let attempt = devices[number]?.attempt, attempt.number == attemptNumber,
            !attempt.isConnecting
        else { return }
        endAttempt(number, .abortedByLocal)
    }

    /// Ends an attempt to connect: refuses the calls that wait for it, and returns the attempt.
    @discardableResult
    mutating func endAttempt(_ number: Int, _ refusal: DBusRefusal) -> FakeDevice.Attempt? {
        guard let attempt = devices[number]?.attempt else { return nil }
        devices[number]?.attempt = nil
        for request in attempt.all { put(.refuse(request, refusal)) }
        return attempt
    }

    private mutating func connects(_ number: Int, _ attemptNumber: UInt64) {
        guard let device = devices[number], let attempt = device.attempt,
            attempt.number == attemptNumber, attempt.isConnecting
        else { return }
        guard let peripheral = peripherals[device.peripheral], peripheral.isReachable,
            let adapter = adapters[device.adapter]
        else {
            devices[number]?.attempt?.isConnecting = false
            return wake(after: timing.unreachable) { $0.connectTimedOut(number, attemptNumber) }
        }
        if quirks.concealsConnected, quirks.abortsByLocal == 0 {
            put(.setSilently([Device1.connected: .boolean(true)], of: device.path))
        } else {
            set([Device1.connected: .boolean(true)], device: number)
            setLowEnergyConnected(true, number)
        }
        guard quirks.abortsByLocal == 0 else {
            quirks.abortsByLocal -= 1
            endAttempt(number, .abortedByLocal)
            let ghost = nextNumber()
            devices[number]?.ghost = ghost
            return wake(after: Self.abortTime) { $0.aborts(number, ghost) }
        }
        let link = FakeLink(
            number: nextNumber(), mtu: quirks.mtu, isEncrypted: device.isPaired,
            exportsLeft: quirks.exportsAgain, isForPairing: !attempt.pairing.isEmpty)
        devices[number]?.attempt = nil
        devices[number]?.link = link
        self.peripherals[device.peripheral]?.device = number
        let own = FakeRemoteLink(
            centralAddress: adapter.address, mtu: link.mtu,
            answersForPrograms: quirks.answersForPrograms, meeting: timing.meeting,
            number: link.number)
        put(.remote(peripheral.remote, .connect(own)))
        for request in attempt.requests { put(.reply(request, [])) }
        subscribeAgain(number)
        if quirks.dropsBeforeResolved > 0 {
            quirks.dropsBeforeResolved -= 1
            wake(after: timing.resolving) { [link = link.number] in $0.aborts(number, link) }
        } else if !quirks.neverResolves {
            wake(after: timing.resolving) { [link = link.number] in $0.resolves(number, link) }
        }
        for request in attempt.pairing { receive(request, .device(number)) }
    }

    /// The time until a ghost, a link that breaks while it is established, is gone.
    private static var abortTime: Duration { .milliseconds(5) }

    private mutating func aborts(_ number: Int, _ link: UInt64) {
        guard let device = devices[number] else { return }
        if device.ghost == link {
            devices[number]?.ghost = nil
            set([Device1.connected: .boolean(device.isConnected)], device: number)
            setLowEnergyConnected(false, number)
        } else if device.link?.number == link {
            endLink(number, BlueZReason.unknown)
        }
    }

    // MARK: - Disconnecting

    mutating func disconnect(_ request: DBusRequest, _ number: Int) {
        if let attempt = endAttempt(number, .connectionCancelled) {
            put(.reply(request, []))
            if attempt.isConnecting, quirks.connectsAfterAll { self.attempt(number) }
            return
        }
        guard let link = devices[number]?.link else { return put(.reply(request, [])) }
        if quirks.disconnectNeverReplies {
            devices[number]?.unanswered.append(request)
        } else {
            devices[number]?.pendingDisconnects.append(request)
        }
        guard !link.isEnding else { return }
        removeBattery(number)
        endSoon(number, link)
    }

    mutating func endSoon(_ number: Int, _ link: FakeLink) {
        devices[number]?.link?.isEnding = true
        wake(after: timing.disconnecting) { [link = link.number] in
            $0.endsOnRequest(number, link)
        }
    }

    private mutating func endsOnRequest(_ number: Int, _ link: UInt64) {
        guard devices[number]?.link?.number == link else { return }
        endLink(number, BlueZReason.local, isRequested: true)
    }

    /// Ends a link. The signals and their order were seen: two signals after the client's
    /// `Disconnect`, one otherwise.
    mutating func endLink(_ number: Int, _ reason: String, isRequested: Bool = false) {
        guard let device = devices[number], let link = device.link else { return }
        devices[number]?.link = nil
        if let peripheral = peripherals[device.peripheral] {
            self.peripherals[device.peripheral]?.device = nil
            put(.remote(peripheral.remote, .disconnect))
        }
        refuse(link.operations.all, .att(.unlikely))
        for request in link.pairing { put(.refuse(request, .authenticationFailed)) }
        let unresolved: [String: DBusValue?] = [Device1.servicesResolved: .boolean(false)]
        let unconnected: [String: DBusValue?] = [
            Device1.connected: .boolean(device.isConnectedByClassic == true)
        ]
        if quirks.tellsReasons { signalDisconnection(reason, device) }
        setLowEnergyConnected(false, number)
        if link.isResolved && (isRequested || quirks.endsInTwoSignals) {
            set(unresolved, device: number)
            replyToDisconnects(number)
            set(unconnected, device: number)
        } else {
            replyToDisconnects(number)
            set(
                link.isResolved ? unresolved.merging(unconnected) { $1 } : unconnected,
                device: number)
        }
        removeBattery(number)
        resetCharacteristics(number)
        if quirks.valuesAfterEnd, let (value, path) = link.lastValue {
            put(.value(value, at: path))
        }
        if quirks.exportsLate != nil { unexportServices(number) }
        // The device advertises again.
        advertises(device.peripheral)
        if device.isRemovedAtLinkEnd { remove(number) }
    }

    private mutating func signalDisconnection(_ reason: String, _ device: FakeDevice) {
        let bearer = device.isConnectedByClassic.map { _ in BearerLE1.interfaceName }
        for interface in [Device1.interfaceName, bearer].compactMap(\.self) {
            put(
                .signal(
                    DBusSignal(
                        Device1.disconnected, of: interface, at: device.path,
                        [.string(reason), .string(BlueZReason.text(of: reason))])))
        }
    }

    // MARK: - Bluetooth Classic

    /// Sets `Connected` of the low-energy bearer, which devices with both kinds of Bluetooth have.
    private mutating func setLowEnergyConnected(_ isConnected: Bool, _ number: Int) {
        guard let device = devices[number], device.isConnectedByClassic != nil else { return }
        put(
            .set(
                [Device1.connected: .boolean(isConnected)], of: BearerLE1.interfaceName,
                at: device.path))
    }

    /// Sets a link over Bluetooth Classic; the first one makes the device one with both bearers.
    mutating func setClassicLink(_ isConnected: Bool, _ number: Int) {
        guard let device = devices[number], let adapter = adapters[device.adapter] else { return }
        if device.isConnectedByClassic == nil {
            devices[number]?.isTemporary = false
            let bearers = [
                (BearerLE1.interface, device.link != nil), (BearerBREDR1.interface, false),
            ]
            for (bearer, isConnected) in bearers {
                let values: [String: DBusValue] = [
                    Device1.adapter: .objectPath(adapter.path),
                    Device1.paired: .boolean(device.isPaired),
                    Device1.bonded: .boolean(device.isPaired),
                    Device1.connected: .boolean(isConnected),
                ]
                put(.add(bearer, values, to: device.path))
            }
        }
        devices[number]?.isConnectedByClassic = isConnected
        put(
            .set(
                [Device1.connected: .boolean(isConnected)], of: BearerBREDR1.interfaceName,
                at: device.path))
        let isConnectedAtAll = devices[number]?.isConnected == true
        set([Device1.connected: .boolean(isConnectedAtAll)], device: number)
    }

    /// Replies to `Disconnect` before `Connected` changes (seen: a reply first sends the changes
    /// from before it, which makes two signals of what is one otherwise). bleak 0.22 closes its
    /// connection when the device is disconnected: with the other order it would see the end of the
    /// bus.
    private mutating func replyToDisconnects(_ number: Int) {
        for request in devices[number]?.pendingDisconnects ?? [] { put(.reply(request, [])) }
        devices[number]?.pendingDisconnects = []
    }
}
#endif
