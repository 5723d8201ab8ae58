#if os(Linux)
internal import BlueZVocabulary
internal import HaloDBus
internal import HaloTransport

/// Reads, writes and subscriptions: one operation at a time for each device.
extension FakeDaemon {
    mutating func ask(_ operation: FakeOperation, _ number: Int) {
        devices[number]?.link?.operations.waiting.append(operation)
        askNext(number)
    }

    mutating func askNext(_ number: Int) {
        guard devices[number]?.link?.operations.current == nil,
            let operation = devices[number]?.link?.operations.waiting.popFirst(),
            let device = devices[number], let link = device.link
        else { return }
        let id = FakeOperation.ID(device: number, number: nextNumber())
        devices[number]?.link?.operations.current = (operation, id.number)
        if needsEncryption(operation, device), !link.isEncrypted {
            guard quirks.refusesWhatPairs, let request = operation.request else {
                return put(.authorize(device.path, isMeant: false, id))
            }
            put(.refuse(request, .att(.unlikely)))
            devices[number]?.link?.operations.current = nil
            if link.pairingNumber == nil {
                devices[number]?.link?.pairingNumber = id.number
                put(.authorize(device.path, isMeant: false, id))
            }
            return askNext(number)
        }
        perform(operation, device, id)
        watchAnswers(number)
    }

    /// Starts the timer that detects devices that do not answer.
    private mutating func watchAnswers(_ number: Int) {
        guard !watchesAnswers, devices[number]?.link?.operations.current != nil else { return }
        watchesAnswers = true
        wake(after: timing.answering) { $0.disconnectSilentDevices() }
    }

    private func needsEncryption(_ operation: FakeOperation, _ device: FakeDevice) -> Bool {
        let needed: (index: Int, permission: GATTPermissions)
        switch operation {
        case .read(let index, _, _), .readOwn(let index): needed = (index, .readEncrypted)
        case .subscribe(let index, let isOn, _):
            guard isOn else { return false }
            needed = (index, .subscribeEncrypted)
        case .write(_, _, _, let isNeeded, _): return isNeeded
        case .readDescriptor: return false
        }
        return device.gatt?.characteristics[needed.index].permissions.contains(needed.permission)
            == true
    }

    private mutating func perform(
        _ operation: FakeOperation, _ device: FakeDevice, _ id: FakeOperation.ID
    ) {
        guard let peripheral = peripherals[device.peripheral],
            let characteristics = device.gatt?.characteristics
        else { return }
        let remote = peripheral.remote
        switch operation {
        case .read(let index, let offset, _):
            guard let attribute = characteristics[index].attribute,
                characteristics[index].mayBeRead(peripheral)
            else { return finished(id, .failure(.readNotPermitted)) }
            put(.remote(remote, .read(attribute, offset: offset, id.token)))
        case .readOwn(let index):
            guard let attribute = characteristics[index].attribute else {
                return finished(id, .failure(.readNotPermitted))
            }
            put(.remote(remote, .read(attribute, offset: 0, id.token)))
        case .readDescriptor(let index, let place, let offset, _):
            guard let attribute = characteristics[index].descriptors[place].attribute else {
                let value = characteristics[index].configuration
                guard offset <= value.count else { return finished(id, .failure(.invalidOffset)) }
                return finished(id, .success(Array(value.dropFirst(offset))))
            }
            put(.remote(remote, .read(attribute, offset: offset, id.token)))
        case .write(let attribute, let value, let offset, _, _):
            guard let attribute else { return finished(id, .failure(.writeNotPermitted)) }
            put(.remote(remote, .write(value, attribute, offset: offset, id.token)))
        case .subscribe(let index, let isOn, _):
            guard let attribute = characteristics[index].attribute else {
                return finished(id, .success([]))
            }
            put(.remote(remote, .subscribe(attribute, isOn: isOn, id.token)))
        }
    }

    /// Handles a device's answer; one to an operation that has ended is ignored.
    mutating func answered(
        _ token: ResponseToken, _ result: Result<[UInt8], ATTError>, _ peripheral: Int
    ) {
        guard let device = peripherals[peripheral]?.device,
            let current = devices[device]?.link?.operations.current
        else { return }
        let id = FakeOperation.ID(device: device, number: current.number)
        if id.token == token { finished(id, result) }
    }

    private mutating func finished(_ id: FakeOperation.ID, _ result: Result<[UInt8], ATTError>) {
        guard let (operation, number) = devices[id.device]?.link?.operations.current,
            number == id.number
        else { return }
        devices[id.device]?.link?.operations.current = nil
        let value = try? result.get()
        switch operation {
        case .read(let index, _, let request):
            let path = devices[id.device]?.gatt?.characteristics[index].path
            if let value, quirks.announcesReads, let path { put(.value(value, at: path)) }
            answer(request, result.map { [.bytes($0)] })
        case .readDescriptor(let index, let place, _, let request):
            let path = devices[id.device]?.gatt?.characteristics[index].descriptors[place].path
            if let value, quirks.announcesReads, let path {
                put(
                    .set(
                        [GattDescriptor1.value: .bytes(value)], of: GattDescriptor1.interfaceName,
                        at: path))
            }
            answer(request, result.map { [.bytes($0)] })
        case .write(let attribute, _, _, _, let request):
            if let attribute { devices[id.device]?.link?.operations.written.remove(attribute) }
            answer(request, result.map { _ in [] })
        case .readOwn(let index):
            if let value { didRead(value, index, id.device) }
        case .subscribe(let index, let isOn, let reason):
            subscribed(id.device, index, isOn, reason, result)
        }
        askNext(id.device)
    }

    private mutating func answer(
        _ request: DBusRequest, _ result: Result<[DBusValue], ATTError>
    ) {
        switch result {
        case .success(let values): put(.reply(request, values))
        case .failure(let error): put(.refuse(request, .att(error)))
        }
    }

    mutating func refuse(_ operations: [FakeOperation], _ refusal: DBusRefusal) {
        for request in operations.compactMap(\.request) { put(.refuse(request, refusal)) }
    }

    /// Fails all operations, as the services are gone, with the error that was seen.
    mutating func failOperations(_ number: Int) {
        refuse(devices[number]?.link?.operations.removeAll() ?? [], .att(.unlikely))
    }

    /// Fails the operations on services that are gone (seen).
    mutating func failOperations(_ number: Int, on gone: FakeGATT.Change) {
        refuse(devices[number]?.link?.operations.removeAll(on: gone) ?? [], .notSupported)
    }

    /// Ends the links of devices whose present operation was already present at the last tick.
    private mutating func disconnectSilentDevices() {
        watchesAnswers = false
        for device in devices.inOrder {
            guard let link = device.link, let current = link.operations.current else { continue }
            if link.operations.seen == current.number {
                // The operations are refused at once; the link ends after a while (seen).
                failOperations(device.number)
                if !link.isEnding { endSoon(device.number, link) }
            } else {
                devices[device.number]?.link?.operations.seen = current.number
                watchesAnswers = true
            }
        }
        if watchesAnswers { wake(after: timing.answering) { $0.disconnectSilentDevices() } }
    }

    /// Handles the agent's answer for an operation that demands pairing: without permission the
    /// operation fails with 0E, and the link ends (as seen).
    mutating func authorizedOperation(_ id: FakeOperation.ID, _ isAllowed: Bool) -> Bool {
        guard let (operation, number) = devices[id.device]?.link?.operations.current,
            number == id.number
        else { return false }
        if isAllowed {
            becomePaired(id.device)
            if let device = devices[id.device] { perform(operation, device, id) }
            watchAnswers(id.device)
        } else {
            endLink(id.device, BlueZReason.authentication)
        }
        return true
    }
}
#endif
