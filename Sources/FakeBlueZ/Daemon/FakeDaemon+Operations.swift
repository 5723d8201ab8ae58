#if os(Linux)
internal import BlueZVocabulary
internal import HaloDBus
internal import HaloTransport

/// What is read and written goes to the device one after the other.
extension FakeDaemon {
    mutating func ask(_ operation: FakeOperation, _ device: FakeDevice) {
        guard let link = device.link else { return }
        link.operations.waiting.append(operation)
        askNext(device, link)
    }

    mutating func askNext(_ device: FakeDevice, _ link: FakeLink) {
        guard link.operations.current == nil,
            let operation = link.operations.waiting.popFirst()
        else { return }
        let number = nextNumber()
        link.operations.current = (operation, number)
        let id = FakeOperationID(device: device.number, number: number)
        if needsEncryption(operation, device), !link.isEncrypted {
            guard quirks.refusesWhatPairs, let request = operation.request else {
                return perform(.authorize(device.path, isMeant: false, id))
            }
            perform(.refuse(request, .att(.unlikely)))
            link.operations.current = nil
            if link.pairingNumber == nil {
                link.pairingNumber = number
                perform(.authorize(device.path, isMeant: false, id))
            }
            return askNext(device, link)
        }
        carryOut(operation, device, id)
        watchAnswers(link)
    }

    /// Looks now and then from here on whether the device answers.
    private mutating func watchAnswers(_ link: FakeLink) {
        guard !watchesAnswers, link.operations.current != nil else { return }
        watchesAnswers = true
        wake(after: timing.answering, .overdue)
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

    private mutating func carryOut(
        _ operation: FakeOperation, _ device: FakeDevice, _ id: FakeOperationID
    ) {
        let remote = device.airborne.remote
        switch operation {
        case .read(let index, let offset, _):
            let characteristic = device.gatt?.characteristics[index]
            guard let attribute = characteristic?.attribute,
                characteristic?.mayBeRead(device.airborne) == true
            else { return finished(id, .failure(.readNotPermitted)) }
            perform(.remote(remote, .read(attribute, offset: offset, id)))
        case .readOwn(let index):
            guard let attribute = device.gatt?.characteristics[index].attribute else {
                return finished(id, .failure(.readNotPermitted))
            }
            perform(.remote(remote, .read(attribute, offset: 0, id)))
        case .readDescriptor(let index, let place, let offset, _):
            guard let characteristic = device.gatt?.characteristics[index],
                let attribute = characteristic.descriptors[place].attribute
            else {
                let isOn = device.gatt?.characteristics[index].isSubscribed == true
                let isNotify = device.gatt?.characteristics[index].properties.contains(.notify)
                let value: [UInt8] = [isOn ? (isNotify == true ? 1 : 2) : 0, 0]
                guard offset <= value.count else { return finished(id, .failure(.invalidOffset)) }
                return finished(id, .success(Array(value.dropFirst(offset))))
            }
            perform(.remote(remote, .read(attribute, offset: offset, id)))
        case .write(let attribute, let value, let offset, _, _):
            guard let attribute else { return finished(id, .failure(.writeNotPermitted)) }
            perform(.remote(remote, .write(value, attribute, offset: offset, .withResponse, id)))
        case .subscribe(let index, let isOn, _):
            guard let attribute = device.gatt?.characteristics[index].attribute else {
                return finished(id, .success([]))
            }
            perform(.remote(remote, .subscribe(attribute, isOn: isOn, id)))
        }
    }

    /// A device has answered.
    mutating func finished(_ id: FakeOperationID, _ result: Result<[UInt8], ATTError>) {
        guard isRunning, let device = devices[id.device], let link = device.link,
            let (operation, number) = link.operations.current, number == id.number
        else { return }
        link.operations.current = nil
        switch operation {
        case .read(let index, _, let request):
            if case .success(let value) = result, quirks.announcesReads,
                let path = device.gatt?.characteristics[index].path
            {
                perform(.value(value, at: path))
            }
            answer(request, result)
        case .readDescriptor(let index, let place, _, let request):
            if case .success(let value) = result, quirks.announcesReads,
                let path = device.gatt?.characteristics[index].descriptors[place].path
            {
                perform(
                    .set(
                        [GattDescriptor1.value: .bytes(value)], of: GattDescriptor1.interfaceName,
                        at: path))
            }
            answer(request, result)
        case .write(let attribute, _, _, _, let request):
            if let attribute { link.operations.written.remove(attribute) }
            switch result {
            case .success: perform(.reply(request, []))
            case .failure(let error): perform(.refuse(request, .att(error)))
            }
        case .readOwn(let index):
            if case .success(let value) = result { learned(value, index, device) }
        case .subscribe(let index, let isOn, let why):
            subscribed(device, link, index, isOn, why, result)
        }
        askNext(device, link)
    }

    private mutating func answer(_ request: DBusRequest, _ result: Result<[UInt8], ATTError>) {
        switch result {
        case .success(let value): perform(.reply(request, [.bytes(value)]))
        case .failure(let error): perform(.refuse(request, .att(error)))
        }
    }

    /// The link is gone, or the services are: what was asked is answered as was seen.
    mutating func failOperations(_ link: FakeLink) {
        let current = link.operations.current.map { [$0.operation] } ?? []
        link.operations.current = nil
        link.operations.written = []
        for operation in current + link.operations.waiting.removeAll() {
            if let request = operation.request { perform(.refuse(request, .att(.unlikely))) }
        }
    }

    /// Services are gone: what was asked of them cannot be done any more (seen).
    mutating func failOperations(_ link: FakeLink, on gone: FakeGATT.Change) {
        if let operation = link.operations.current?.operation, gone.concerns(operation) {
            link.operations.current = nil
            if let request = operation.request { perform(.refuse(request, .notSupported)) }
        }
        var rest = link.operations.waiting.removeAll()
        rest.removeAll { operation in
            guard gone.concerns(operation) else { return false }
            if let request = operation.request { perform(.refuse(request, .notSupported)) }
            return true
        }
        for operation in rest { link.operations.waiting.append(operation) }
        link.operations.written.subtract(gone.attributes)
    }

    /// Looks now and then at what devices are asked: who is asked the same as the last time has
    /// had its time, and its link ends.
    mutating func leaveSilentDevices() {
        watchesAnswers = false
        for device in devices.values {
            guard let link = device.link, let current = link.operations.current else { continue }
            if link.operations.seen == current.number {
                // What was asked is refused at once; the link ends after a while (seen).
                failOperations(link)
                guard !link.isEnding else { continue }
                link.isEnding = true
                wake(after: timing.disconnecting, .ends(device: device.number, link: link.number))
            } else {
                link.operations.seen = current.number
                watchesAnswers = true
            }
        }
        if watchesAnswers { wake(after: timing.answering, .overdue) }
    }

    /// Whoever answers for the person has said whether the device may be paired with, because an
    /// attribute needs it: without that the operation fails with 0E, and the link ends (as seen).
    mutating func authorizedOperation(_ id: FakeOperationID, _ isAllowed: Bool) -> Bool {
        guard let device = devices[id.device], let link = device.link,
            let (operation, number) = link.operations.current, number == id.number
        else { return false }
        if isAllowed {
            becomePaired(device, link)
            carryOut(operation, device, id)
            watchAnswers(link)
        } else {
            endLink(device, BlueZReason.authentication)
        }
        return true
    }
}
#endif
