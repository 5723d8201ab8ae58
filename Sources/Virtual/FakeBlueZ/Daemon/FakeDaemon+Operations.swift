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
            else { return finished(id.device, .failure(.readNotPermitted)) }
            put(.remote(remote, .read(attribute, offset: offset, id.token)))
        case .readOwn(let index):
            guard let attribute = characteristics[index].attribute else {
                return finished(id.device, .failure(.readNotPermitted))
            }
            put(.remote(remote, .read(attribute, offset: 0, id.token)))
        case .readDescriptor(let index, let place, let offset, _):
            guard let attribute = characteristics[index].descriptors[place].attribute else {
                let value = characteristics[index].configuration
                guard offset <= value.count else {
                    return finished(id.device, .failure(.invalidOffset))
                }
                return finished(id.device, .success(Array(value.dropFirst(offset))))
            }
            put(.remote(remote, .read(attribute, offset: offset, id.token)))
        case .write(let attribute, let value, let offset, _, _):
            guard let attribute else { return finished(id.device, .failure(.writeNotPermitted)) }
            put(.remote(remote, .write(value, attribute, offset: offset, id.token)))
        case .subscribe(let index, let isOn, _):
            guard let attribute = characteristics[index].attribute else {
                return finished(id.device, .success([]))
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
        if id.token == token { finished(device, result) }
    }

    /// Ends the operation of a device that is under way.
    private mutating func finished(_ device: Int, _ result: Result<[UInt8], ATTError>) {
        guard let (operation, _) = devices[device]?.link?.operations.current else { return }
        devices[device]?.link?.operations.current = nil
        let value = try? result.get()
        switch operation {
        case .read(let index, _, let request):
            let path = devices[device]?.gatt?.characteristics[index].path
            if let value, quirks.announcesReads, let path { put(.value(value, at: path)) }
            answer(request, result.map { [.bytes($0)] })
        case .readDescriptor(let index, let place, _, let request):
            let path = devices[device]?.gatt?.characteristics[index].descriptors[place].path
            if let value, quirks.announcesReads, let path {
                put(
                    .set(
                        [GattDescriptor1.value: .bytes(value)], of: GattDescriptor1.interfaceName,
                        at: path))
            }
            answer(request, result.map { [.bytes($0)] })
        case .write(let attribute, _, _, _, let request):
            if let attribute { devices[device]?.link?.operations.written.remove(attribute) }
            answer(request, result.map { _ in [] })
        case .readOwn(let index):
            if let value { didRead(value, index, device) }
        case .subscribe(let index, let isOn, let reason):
            subscribed(device, index, isOn, reason, result)
        }
        askNext(device)
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

/// Requests to characteristics and descriptors.
extension FakeDaemon {
    mutating func receive(
        _ request: DBusRequest, device number: Int, _ index: Int
    ) throws(DBusRefusal) {
        switch request.member {
        case GattCharacteristic1.readValue:
            try requireLink(number)
            try requireUsableOptions(request)
            ask(.read(index, offset: Self.offset(request.arguments.first), request), number)
        case GattCharacteristic1.writeValue: try write(request, number, index)
        case GattCharacteristic1.startNotify: try startNotify(request, number, index)
        case GattCharacteristic1.stopNotify: try stopNotify(request, number, index)
        case GattCharacteristic1.acquireNotify: try acquireNotify(request, number, index)
        case GattCharacteristic1.acquireWrite: try acquireWrite(request, number, index)
        default: throw .notSupported
        }
    }

    /// Handles a request to a descriptor. The client characteristic configuration cannot be written
    /// (seen).
    mutating func receive(
        _ request: DBusRequest, device number: Int, _ index: Int, descriptor place: Int
    ) throws(DBusRefusal) {
        try requireLink(number)
        try requireUsableOptions(request)
        guard request.member == GattDescriptor1.writeValue else {
            let offset = Self.offset(request.arguments.first)
            return ask(.readDescriptor(index, place, offset: offset, request), number)
        }
        guard
            let attribute = devices[number]?.gatt?.characteristics[index].descriptors[place]
                .attribute
        else { throw .writeNotPermitted }
        guard fits(request) else { throw .invalidLength }
        ask(writing(request, attribute, needsEncryption: false), number)
    }

    static func offset(_ options: DBusValue?) -> Int {
        Int(clamping: options?[AttributeOption.offset]?.integer ?? 0)
    }

    private mutating func requireLink(_ number: Int) throws(DBusRefusal) {
        guard devices[number]?.link != nil else { throw .notConnected }
        guard quirks.operationInProgress == 0 else {
            quirks.operationInProgress -= 1
            throw .inProgress
        }
    }

    /// Refuses a request with an option of a wrong type. Unknown options are ignored.
    private func requireUsableOptions(_ request: DBusRequest) throws(DBusRefusal) {
        let options = request.arguments.last
        guard options?[AttributeOption.offset].map({ $0.type == .uint16 }) ?? true,
            options?[AttributeOption.type].map({ $0.type == .string }) ?? true
        else { throw .invalid }
    }

    /// Writes a value in the requested way or, without one, in the way that the properties allow:
    /// with response rather than without (the daemon's source).
    private mutating func write(
        _ request: DBusRequest, _ number: Int, _ index: Int
    ) throws(DBusRefusal) {
        try requireLink(number)
        guard let device = devices[number], let link = device.link,
            let characteristic = device.gatt?.characteristics[index]
        else { return }
        guard characteristic.writeSocket == nil else { throw .writeAcquired }
        // While a write of a characteristic waits for its response, a second one is refused at once
        // (seen), also one without response (the daemon's source); reads wait for each other.
        if let attribute = characteristic.attribute, link.operations.written.contains(attribute) {
            throw .inProgress
        }
        try requireUsableOptions(request)
        let type = request.arguments.last?[AttributeOption.type]?.string?.lowercased()
        let properties = characteristic.properties
        let isRequest =
            type == AttributeOption.request || type == AttributeOption.reliable
            || type == nil && properties.contains(.write)
        let isCommand =
            Self.offset(request.arguments.last) == 0
            && (type == AttributeOption.command
                || type == nil && properties.contains(.writeWithoutResponse))
        let needsEncryption = characteristic.permissions.contains(.writeEncrypted)
        if isRequest {
            guard fits(request) else { throw .invalidLength }
            // A write against the properties is sent all the same, and the device refuses it.
            let attribute = properties.canWrite ? characteristic.attribute : nil
            if let attribute { devices[number]?.link?.operations.written.insert(attribute) }
            ask(writing(request, attribute, needsEncryption: needsEncryption), number)
        } else if isCommand, let attribute = characteristic.attribute {
            let value = self.value(of: request)
            guard value.count <= link.mtu - 3 else { throw .cannotWrite }
            // A write without response that is not permitted has no effect.
            if properties.canWrite, !needsEncryption || link.isEncrypted,
                let remote = peripherals[device.peripheral]?.remote
            {
                put(.remote(remote, .write(value, attribute)))
            }
            put(.reply(request, []))
        } else {
            throw .notSupported
        }
    }

    /// Creates a write with response, of any length: the remote gets the whole value, as long
    /// writes are reassembled on the other side.
    private func writing(
        _ request: DBusRequest, _ attribute: AttributeID?, needsEncryption: Bool
    ) -> FakeOperation {
        .write(
            attribute, value(of: request), offset: Self.offset(request.arguments.last),
            needsEncryption: needsEncryption, request)
    }

    private func fits(_ request: DBusRequest) -> Bool {
        let offset = Self.offset(request.arguments.last)
        return offset + value(of: request).count <= Self.longestValue
    }

    private func value(of request: DBusRequest) -> [UInt8] { request.arguments.first?.bytes ?? [] }

    static var longestValue: Int { 512 }
}
#endif
