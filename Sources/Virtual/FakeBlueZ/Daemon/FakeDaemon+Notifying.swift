#if os(Linux)
internal import BlueZVocabulary
internal import HaloDBus
internal import HaloTransport

extension FakeDaemon {
    mutating func startNotify(
        _ request: DBusRequest, _ number: Int, _ index: Int
    ) throws(DBusRefusal) {
        guard devices[number]?.link?.isEnding != true else { throw .disconnecting }
        guard let device = devices[number],
            let characteristic = device.gatt?.characteristics[index],
            characteristic.properties.canSubscribe
        else { throw .notSupported }
        guard characteristic.notifySocket == nil else { throw .notifyAcquired }
        if characteristic.clients.contains(request.client) {
            // A second subscription succeeds with a link. Without one it is refused: the first one
            // waits for the next link.
            guard device.link != nil else { throw .inProgress }
            return put(.reply(request, []))
        }
        devices[number]?.gatt?.characteristics[index].wasStarted = true
        if quirks.secondStartNotifyHangs, characteristic.wasStarted {
            devices[number]?.unanswered.append(request)
            return
        }
        devices[number]?.gatt?.characteristics[index].clients.insert(request.client)
        guard device.isResolved else { return put(.reply(request, [])) }
        guard !characteristic.isSubscribed else {
            setNotifying(true, number, index)
            return put(.reply(request, []))
        }
        devices[number]?.gatt?.characteristics[index].losesNext = quirks.losesFirstValue
        ask(.subscribe(index, isOn: true, .start(request)), number)
    }

    mutating func stopNotify(
        _ request: DBusRequest, _ number: Int, _ index: Int
    ) throws(DBusRefusal) {
        let client = request.client
        // It closes the socket of whatever program (the daemon's source).
        if let socket = devices[number]?.gatt?.characteristics[index].notifySocket {
            socketEnded(socket.place)
            return put(.reply(request, []))
        }
        guard devices[number]?.gatt?.characteristics[index].clients.contains(client) == true
        else { throw .noNotifySession }
        endSession(client, number, index, request)
    }

    private mutating func endSession(
        _ client: String, _ number: Int, _ index: Int, _ request: DBusRequest?
    ) {
        devices[number]?.gatt?.characteristics[index].clients.remove(client)
        guard let device = devices[number], let characteristic = device.gatt?.characteristics[index]
        else { return }
        if device.isResolved, characteristic.isSubscribed, !characteristic.isWanted {
            return ask(.subscribe(index, isOn: false, .stop(request)), number)
        }
        if characteristic.clients.isEmpty { setNotifying(false, number, index) }
        if let request { put(.reply(request, [])) }
    }

    mutating func clientDisconnected(_ client: String, _ number: Int) {
        guard let gatt = devices[number]?.gatt else { return }
        for (index, characteristic) in gatt.characteristics.enumerated() {
            if characteristic.clients.contains(client) { endSession(client, number, index, nil) }
            for socket in characteristic.sockets where socket.client == client {
                socketEnded(socket.place)
            }
        }
    }

    private mutating func setNotifying(_ isOn: Bool, _ number: Int, _ index: Int) {
        guard let characteristic = devices[number]?.gatt?.characteristics[index],
            characteristic.isNotifying != isOn
        else { return }
        devices[number]?.gatt?.characteristics[index].isNotifying = isOn
        put(
            .set(
                [GattCharacteristic1.notifying: .boolean(isOn)],
                of: GattCharacteristic1.interfaceName, at: characteristic.path))
    }

    mutating func subscribed(
        _ number: Int, _ index: Int, _ isOn: Bool, _ reason: FakeOperation.Reason,
        _ result: Result<[UInt8], ATTError>
    ) {
        if case .failure(let error) = result {
            if case .start(let request) = reason {
                devices[number]?.gatt?.characteristics[index].clients.remove(request.client)
            }
            if let request = reason.request { put(.refuse(request, .att(error))) }
            return
        }
        devices[number]?.gatt?.characteristics[index].isSubscribed = isOn
        switch reason {
        case .start(let request):
            setNotifying(true, number, index)
            if quirks.valuesBeforeAnswer,
                devices[number]?.gatt?.characteristics[index].heldReply == nil
            {
                devices[number]?.gatt?.characteristics[index].heldReply = request
                release(index, number, after: .seconds(1))
            } else {
                put(.reply(request, []))
            }
        case .again: setNotifying(isOn, number, index)
        case .stop(let request):
            setNotifying(false, number, index)
            if let request { put(.reply(request, [])) }
        case .acquire(let request):
            guard devices[number]?.gatt?.characteristics[index].notifySocket == nil else {
                return put(.refuse(request, .notifyAcquired))
            }
            openSocket(request, number, index, isNotify: true)
        case .battery: break
        }
        // The subscribers may have changed meanwhile.
        guard let characteristic = devices[number]?.gatt?.characteristics[index] else { return }
        if characteristic.isWanted != characteristic.isSubscribed {
            ask(.subscribe(index, isOn: characteristic.isWanted, .again), number)
        }
    }

    /// Resets the characteristics at the end of a link; the clients' subscriptions stay.
    mutating func resetCharacteristics(_ number: Int) {
        guard let gatt = devices[number]?.gatt else { return }
        for index in gatt.characteristics.indices { resetCharacteristic(index, number) }
    }

    /// Resets one characteristic; permanently if its object is gone.
    mutating func resetCharacteristic(
        _ index: Int, _ number: Int, forGood isGone: Bool = false
    ) {
        guard let characteristic = devices[number]?.gatt?.characteristics[index] else { return }
        devices[number]?.gatt?.characteristics[index].reset()
        if let request = characteristic.heldReply { put(.reply(request, [])) }
        for socket in characteristic.sockets { socketEnded(socket.place) }
        if isGone || quirks.forgetsSubscriptions {
            devices[number]?.gatt?.characteristics[index].clients = []
        }
        if !isGone, quirks.forgetsSubscriptions { setNotifying(false, number, index) }
    }

    // MARK: - Values

    /// Delivers a value of a device. This is the hot path: its cost does not depend on the number
    /// of devices, characteristics or clients.
    mutating func deliver(
        _ value: [UInt8], of attribute: AttributeID, _ remote: Int, isIndicated: Bool
    ) {
        guard let peripheral = peripherals[remote], let number = peripheral.device else { return }
        if isIndicated { put(.remote(peripheral.remote, .confirm(attribute))) }
        guard let index = devices[number]?.gatt?.indices[attribute],
            let characteristic = devices[number]?.gatt?.characteristics[index],
            characteristic.isWanted
        else { return }
        guard effects.count < Self.maximumBacklog else {
            lostValues += 1
            return
        }
        if characteristic.daemonListens, let level = value.first { setBattery(level, number) }
        if let socket = characteristic.notifySocket { return put(.send(value, socket.place)) }
        guard !characteristic.clients.isEmpty else { return }
        if characteristic.losesNext {
            devices[number]?.gatt?.characteristics[index].losesNext = false
            return
        }
        signalValue(value, characteristic, number, index)
    }

    private mutating func signalValue(
        _ value: [UInt8], _ characteristic: FakeCharacteristic, _ number: Int, _ index: Int
    ) {
        let path = characteristic.path
        if quirks.valuesAfterEnd { devices[number]?.link?.lastValue = (value, path) }
        // A value is signalled once for each subscriber, and each subscriber gets all of these
        // signals.
        for _ in characteristic.clients.dropFirst() { put(.value(value, at: path)) }
        if quirks.swapsValues {
            guard let held = characteristic.heldBack else {
                devices[number]?.gatt?.characteristics[index].heldBack = value
                // On a busy computer the next value may take a long time.
                return release(index, number, after: .milliseconds(200))
            }
            devices[number]?.gatt?.characteristics[index].heldBack = nil
            put(.value(value, at: path))
            put(.value(held, at: path))
        } else {
            put(.value(value, at: path))
            if quirks.doublesValues { put(.value(value, at: path)) }
        }
        guard let request = characteristic.heldReply else { return }
        devices[number]?.gatt?.characteristics[index].heldReply = nil
        put(.reply(request, []))
    }

    private mutating func release(_ index: Int, _ number: Int, after delay: Duration) {
        guard let link = devices[number]?.link else { return }
        wake(after: delay) { [link = link.number] in $0.releasesHeldBack(number, index, link) }
    }

    /// Releases a value and a reply that were held back for a next value, which did not come.
    private mutating func releasesHeldBack(_ number: Int, _ index: Int, _ linkNumber: UInt64) {
        guard let device = devices[number], device.link?.number == linkNumber,
            device.gatt?.characteristics.indices.contains(index) == true,
            let characteristic = device.gatt?.characteristics[index]
        else { return }
        devices[number]?.gatt?.characteristics[index].heldBack = nil
        devices[number]?.gatt?.characteristics[index].heldReply = nil
        if let value = characteristic.heldBack { put(.value(value, at: characteristic.path)) }
        if let request = characteristic.heldReply { put(.reply(request, [])) }
    }
}
#endif
