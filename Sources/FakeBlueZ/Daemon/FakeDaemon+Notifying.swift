#if os(Linux)
internal import BlueZVocabulary
internal import HaloDBus
internal import HaloTransport

/// Values as they come: who wants them, and how they are told.
extension FakeDaemon {
    mutating func startNotify(
        _ request: DBusRequest, _ number: Int, _ index: Int, _ client: String
    ) {
        guard let device = devices[number],
            let characteristic = device.gatt?.characteristics[index],
            characteristic.properties.canSubscribe
        else { return perform(.refuse(request, .notSupported)) }
        guard characteristic.notifySocket == nil else {
            return perform(.refuse(request, .notifyAcquired))
        }
        if characteristic.clients.contains(client) {
            // Connected, it is done; otherwise it waits for the next link.
            return perform(
                device.link != nil ? .reply(request, []) : .refuse(request, .inProgress))
        }
        devices[number]?.gatt?.characteristics[index].startCount += 1
        if quirks.secondStartNotifyHangs, characteristic.startCount > 0 {
            devices[number]?.unanswered.append(request)
            return
        }
        devices[number]?.gatt?.characteristics[index].clients.insert(client)
        guard device.isResolved else { return perform(.reply(request, [])) }
        guard !characteristic.isSubscribed else {
            tellNotifying(true, number, index)
            return perform(.reply(request, []))
        }
        devices[number]?.gatt?.characteristics[index].losesNext = quirks.losesFirstValue
        ask(.subscribe(index, isOn: true, .start(request, client: client)), number)
    }

    mutating func stopNotify(
        _ request: DBusRequest, _ number: Int, _ index: Int, _ client: String
    ) {
        guard devices[number]?.gatt?.characteristics[index].clients.contains(client) == true else {
            return perform(.refuse(request, .noNotifySession))
        }
        endSession(client, number, index, request)
    }

    private mutating func endSession(
        _ client: String, _ number: Int, _ index: Int, _ request: DBusRequest?
    ) {
        devices[number]?.gatt?.characteristics[index].clients.remove(client)
        guard let device = devices[number], let characteristic = device.gatt?.characteristics[index]
        else { return }
        if characteristic.clients.isEmpty, device.isResolved, characteristic.isSubscribed,
            !characteristic.isWanted
        {
            return ask(.subscribe(index, isOn: false, .stop(request)), number)
        }
        if characteristic.clients.isEmpty { tellNotifying(false, number, index) }
        if let request { perform(.reply(request, [])) }
    }

    mutating func clientLeft(_ client: String, _ number: Int) {
        guard let gatt = devices[number]?.gatt else { return }
        for (index, characteristic) in gatt.characteristics.enumerated() {
            if characteristic.clients.contains(client) { endSession(client, number, index, nil) }
            for socket in characteristic.sockets where socket.client == client {
                perform(.closeSocket(socket.place))
                socketEnded(socket.place)
            }
        }
    }

    private mutating func tellNotifying(_ isOn: Bool, _ number: Int, _ index: Int) {
        guard let characteristic = devices[number]?.gatt?.characteristics[index],
            characteristic.isNotifying != isOn
        else { return }
        devices[number]?.gatt?.characteristics[index].isNotifying = isOn
        perform(
            .set(
                [GattCharacteristic1.notifying: .boolean(isOn)],
                of: GattCharacteristic1.interfaceName, at: characteristic.path))
    }

    /// The device has answered that a subscription begins or ends.
    mutating func subscribed(
        _ number: Int, _ index: Int, _ isOn: Bool, _ why: FakeSubscribing,
        _ result: Result<[UInt8], ATTError>
    ) {
        if case .failure(let error) = result {
            if case .start(_, let client) = why {
                devices[number]?.gatt?.characteristics[index].clients.remove(client)
            }
            if let request = why.request { perform(.refuse(request, .att(error))) }
            return
        }
        devices[number]?.gatt?.characteristics[index].isSubscribed = isOn
        switch why {
        case .start(let request, _):
            tellNotifying(true, number, index)
            guard quirks.valuesBeforeAnswer,
                devices[number]?.gatt?.characteristics[index].heldAnswer == nil
            else { return perform(.reply(request, [])) }
            devices[number]?.gatt?.characteristics[index].heldAnswer = request
            release(index, number, after: .seconds(1))
        case .again: tellNotifying(true, number, index)
        case .stop(let request):
            tellNotifying(false, number, index)
            if let request { perform(.reply(request, [])) }
        case .acquire(let request, let client):
            guard devices[number]?.gatt?.characteristics[index].notifySocket == nil else {
                return perform(.refuse(request, .notifyAcquired))
            }
            openSocket(request, number, index, client, isNotify: true)
        case .battery: break
        }
        // Somebody may have changed their mind meanwhile.
        guard let characteristic = devices[number]?.gatt?.characteristics[index] else { return }
        if characteristic.isWanted != characteristic.isSubscribed {
            ask(.subscribe(index, isOn: characteristic.isWanted, .again), number)
        }
    }

    /// A link has ended: what the device was told is forgotten, what clients want is not.
    mutating func leaveCharacteristics(_ number: Int) {
        for index in devices[number]?.gatt?.characteristics.indices ?? 0..<0 {
            leaveCharacteristic(index, number)
        }
    }

    /// One of them is left; for good, if its object is gone.
    mutating func leaveCharacteristic(
        _ index: Int, _ number: Int, forGood isGone: Bool = false
    ) {
        guard let characteristic = devices[number]?.gatt?.characteristics[index] else { return }
        devices[number]?.gatt?.characteristics[index].leave()
        if let request = characteristic.heldAnswer { perform(.reply(request, [])) }
        for socket in characteristic.sockets {
            perform(.closeSocket(socket.place))
            socketEnded(socket.place)
        }
        if isGone || quirks.forgetsSubscriptions {
            devices[number]?.gatt?.characteristics[index].clients = []
        }
        if !isGone, quirks.forgetsSubscriptions { tellNotifying(false, number, index) }
    }

    // MARK: - Values

    /// A device has sent a value. This is what happens most: nothing here depends on how many
    /// devices, characteristics or clients there are.
    mutating func deliver(
        _ value: [UInt8], of attribute: AttributeID, _ remote: Int, isIndicated: Bool
    ) {
        guard isRunning, let airborne = airborne[remote], let number = airborne.device else {
            return
        }
        if isIndicated { perform(.remote(airborne.remote, .confirm(attribute))) }
        guard let index = devices[number]?.gatt?.indices[attribute],
            let characteristic = devices[number]?.gatt?.characteristics[index],
            characteristic.isWanted
        else { return }
        guard effects.count < Self.maximumBacklog else {
            lostValues += 1
            return
        }
        if characteristic.daemonListens, let level = value.first { setBattery(level, number) }
        if let socket = characteristic.notifySocket { return perform(.send(value, socket.place)) }
        guard !characteristic.clients.isEmpty else { return }
        if characteristic.losesNext {
            devices[number]?.gatt?.characteristics[index].losesNext = false
            return
        }
        tell(value, characteristic, number, index)
    }

    private mutating func tell(
        _ value: [UInt8], _ characteristic: FakeCharacteristic, _ number: Int, _ index: Int
    ) {
        let path = characteristic.path
        if quirks.valuesAfterEnd { devices[number]?.link?.lastValue = (value, path) }
        // A value is told once for each program that has subscribed, and each hears all of them.
        for _ in characteristic.clients.dropFirst() { perform(.value(value, at: path)) }
        if quirks.swapsValues {
            guard let held = characteristic.heldBack else {
                devices[number]?.gatt?.characteristics[index].heldBack = value
                // On a busy computer the next one takes its time.
                return release(index, number, after: .milliseconds(200))
            }
            devices[number]?.gatt?.characteristics[index].heldBack = nil
            perform(.value(value, at: path))
            perform(.value(held, at: path))
        } else {
            perform(.value(value, at: path))
            if quirks.doublesValues { perform(.value(value, at: path)) }
        }
        guard let request = characteristic.heldAnswer else { return }
        devices[number]?.gatt?.characteristics[index].heldAnswer = nil
        perform(.reply(request, []))
    }

    private mutating func release(_ index: Int, _ number: Int, after delay: Duration) {
        guard let link = devices[number]?.link else { return }
        wake(
            after: delay,
            .releasesHeldBack(device: number, characteristic: index, link: link.number))
    }

    /// What was held back for something that did not come.
    mutating func releasesHeldBack(_ number: Int, _ index: Int, _ linkNumber: UInt64) {
        guard let device = devices[number], device.link?.number == linkNumber,
            device.gatt?.characteristics.indices.contains(index) == true,
            let characteristic = device.gatt?.characteristics[index]
        else { return }
        devices[number]?.gatt?.characteristics[index].heldBack = nil
        devices[number]?.gatt?.characteristics[index].heldAnswer = nil
        if let value = characteristic.heldBack { perform(.value(value, at: characteristic.path)) }
        if let request = characteristic.heldAnswer { perform(.reply(request, [])) }
    }
}
#endif
