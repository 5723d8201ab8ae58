#if os(Linux)
internal import BlueZVocabulary
internal import HaloDBus
internal import HaloTransport

/// Values as they come: who wants them, and how they are told.
extension FakeDaemon {
    mutating func startNotify(
        _ request: DBusRequest, _ device: FakeDevice, _ index: Int, _ client: String
    ) {
        guard let characteristic = device.gatt?.characteristics[index],
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
        device.gatt?.characteristics[index].startCount += 1
        if quirks.secondStartNotifyHangs, characteristic.startCount > 0 {
            return device.unanswered.append(request)
        }
        device.gatt?.characteristics[index].clients.insert(client)
        guard device.isResolved else { return perform(.reply(request, [])) }
        guard !characteristic.isSubscribed else {
            tellNotifying(true, device, index)
            return perform(.reply(request, []))
        }
        device.gatt?.characteristics[index].losesNext = quirks.losesFirstValue
        ask(.subscribe(index, isOn: true, .start(request, client: client)), device)
    }

    mutating func stopNotify(
        _ request: DBusRequest, _ device: FakeDevice, _ index: Int, _ client: String
    ) {
        guard device.gatt?.characteristics[index].clients.contains(client) == true else {
            return perform(.refuse(request, .noNotifySession))
        }
        endSession(client, device, index, request)
    }

    private mutating func endSession(
        _ client: String, _ device: FakeDevice, _ index: Int, _ request: DBusRequest?
    ) {
        device.gatt?.characteristics[index].clients.remove(client)
        guard let characteristic = device.gatt?.characteristics[index] else { return }
        if characteristic.clients.isEmpty, device.isResolved, characteristic.isSubscribed,
            !characteristic.isWanted
        {
            return ask(.subscribe(index, isOn: false, .stop(request)), device)
        }
        if characteristic.clients.isEmpty { tellNotifying(false, device, index) }
        if let request { perform(.reply(request, [])) }
    }

    mutating func clientLeft(_ client: String, _ device: FakeDevice) {
        guard let gatt = device.gatt else { return }
        for (index, characteristic) in gatt.characteristics.enumerated() {
            if characteristic.clients.contains(client) {
                endSession(client, device, index, nil)
            }
            for socket in [characteristic.notifySocket, characteristic.writeSocket] {
                guard let socket, socket.client == client else { continue }
                perform(.closeSocket(socket.place))
                socketEnded(socket.place)
            }
        }
    }

    private mutating func tellNotifying(_ isOn: Bool, _ device: FakeDevice, _ index: Int) {
        guard let characteristic = device.gatt?.characteristics[index],
            characteristic.isNotifying != isOn
        else { return }
        device.gatt?.characteristics[index].isNotifying = isOn
        set([GattCharacteristic1.notifying: .boolean(isOn)], characteristic.path)
    }

    private mutating func set(_ values: [String: DBusValue?], _ path: DBusObjectPath) {
        perform(.set(values, of: GattCharacteristic1.interfaceName, at: path))
    }

    /// The device has answered that a subscription begins or ends.
    mutating func subscribed(
        _ device: FakeDevice, _ link: FakeLink, _ index: Int, _ isOn: Bool,
        _ why: FakeSubscribing, _ result: Result<[UInt8], ATTError>
    ) {
        if case .failure(let error) = result {
            if case .start(_, let client) = why {
                device.gatt?.characteristics[index].clients.remove(client)
            }
            if let request = why.request { perform(.refuse(request, .att(error))) }
            return
        }
        device.gatt?.characteristics[index].isSubscribed = isOn
        switch why {
        case .start(let request, _):
            tellNotifying(true, device, index)
            guard quirks.valuesBeforeAnswer,
                device.gatt?.characteristics[index].heldAnswer == nil
            else { return perform(.reply(request, [])) }
            device.gatt?.characteristics[index].heldAnswer = request
            release(index, device, link, after: .seconds(1))
        case .again: tellNotifying(true, device, index)
        case .stop(let request):
            tellNotifying(false, device, index)
            if let request { perform(.reply(request, [])) }
        case .acquire(let request, let client):
            guard device.gatt?.characteristics[index].notifySocket == nil else {
                return perform(.refuse(request, .notifyAcquired))
            }
            openSocket(request, device, link, index, client, isNotify: true)
        case .battery: break
        }
        // Somebody may have changed their mind meanwhile.
        guard let characteristic = device.gatt?.characteristics[index] else { return }
        if characteristic.isWanted != characteristic.isSubscribed {
            ask(.subscribe(index, isOn: characteristic.isWanted, .again), device)
        }
    }

    /// A link has ended: what the device was told is forgotten, what clients want is not.
    mutating func leaveCharacteristics(_ device: FakeDevice) {
        for index in device.gatt?.characteristics.indices ?? 0..<0 {
            leaveCharacteristic(index, device)
        }
    }

    /// One of them is left; for good, if its object is gone.
    mutating func leaveCharacteristic(
        _ index: Int, _ device: FakeDevice, forGood isGone: Bool = false
    ) {
        guard let characteristic = device.gatt?.characteristics[index] else { return }
        device.gatt?.characteristics[index].isSubscribed = false
        device.gatt?.characteristics[index].daemonListens = false
        device.gatt?.characteristics[index].heldBack = nil
        device.gatt?.characteristics[index].heldAnswer = nil
        if let request = characteristic.heldAnswer { perform(.reply(request, [])) }
        for socket in [characteristic.notifySocket, characteristic.writeSocket] {
            guard let socket else { continue }
            perform(.closeSocket(socket.place))
            socketEnded(socket.place)
        }
        if isGone {
            device.gatt?.characteristics[index].clients = []
        } else if quirks.forgetsSubscriptions {
            device.gatt?.characteristics[index].clients = []
            tellNotifying(false, device, index)
        }
    }

    // MARK: - Values

    /// A device has sent a value. This is what happens most: nothing here depends on how many
    /// devices, characteristics or clients there are.
    mutating func deliver(
        _ value: [UInt8], of attribute: AttributeID, _ airborne: FakeAirborne, isIndicated: Bool
    ) {
        guard isRunning, let device = airborne.device, let link = device.link else { return }
        if isIndicated { perform(.remote(airborne.remote, .confirm(attribute))) }
        guard let index = device.gatt?.indices[attribute],
            device.gatt?.characteristics[index].isWanted == true
        else { return }
        guard effects.count < Self.maximumBacklog else {
            lostValues += 1
            return
        }
        if device.gatt?.characteristics[index].daemonListens == true, let level = value.first {
            setBattery(level, device)
        }
        if let socket = device.gatt?.characteristics[index].notifySocket {
            return perform(.send(value, socket.place))
        }
        guard device.gatt?.characteristics[index].clients.isEmpty == false,
            let path = device.gatt?.characteristics[index].path
        else { return }
        if device.gatt?.characteristics[index].losesNext == true {
            device.gatt?.characteristics[index].losesNext = false
            return
        }
        tell(value, path, device, link, index)
    }

    private mutating func tell(
        _ value: [UInt8], _ path: DBusObjectPath, _ device: FakeDevice, _ link: FakeLink,
        _ index: Int
    ) {
        if quirks.valuesAfterEnd { link.lastValue = (value, path) }
        // A value is told once for each program that has subscribed, and each hears all of them.
        let others = (device.gatt?.characteristics[index].clients.count ?? 1) - 1
        for _ in 0..<max(others, 0) {
            perform(.value(value, at: path))
        }
        if quirks.swapsValues {
            guard let held = device.gatt?.characteristics[index].heldBack else {
                device.gatt?.characteristics[index].heldBack = value
                // On a busy computer the next one takes its time.
                return release(index, device, link, after: .milliseconds(200))
            }
            device.gatt?.characteristics[index].heldBack = nil
            perform(.value(value, at: path))
            perform(.value(held, at: path))
        } else {
            perform(.value(value, at: path))
            if quirks.doublesValues { perform(.value(value, at: path)) }
        }
        guard let request = device.gatt?.characteristics[index].heldAnswer else { return }
        device.gatt?.characteristics[index].heldAnswer = nil
        perform(.reply(request, []))
    }

    private mutating func release(
        _ index: Int, _ device: FakeDevice, _ link: FakeLink, after delay: Duration
    ) {
        wake(
            after: delay,
            .releasesHeldBack(device: device.number, characteristic: index, link: link.number))
    }

    /// What was held back for something that did not come.
    mutating func releasesHeldBack(_ number: Int, _ index: Int, _ linkNumber: UInt64) {
        guard let device = devices[number], device.link?.number == linkNumber,
            device.gatt?.characteristics.indices.contains(index) == true,
            let characteristic = device.gatt?.characteristics[index]
        else { return }
        device.gatt?.characteristics[index].heldBack = nil
        device.gatt?.characteristics[index].heldAnswer = nil
        if let value = characteristic.heldBack { perform(.value(value, at: characteristic.path)) }
        if let request = characteristic.heldAnswer { perform(.reply(request, [])) }
    }
}
#endif
