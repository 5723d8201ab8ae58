#if os(Linux)
internal import BlueZVocabulary
internal import HaloDBus
internal import HaloTransport

/// What is read and written goes to the device one after the other.
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
        let id = FakeOperationID(device: number, number: nextNumber())
        devices[number]?.link?.operations.current = (operation, id.number)
        if needsEncryption(operation, device), !link.isEncrypted {
            guard quirks.refusesWhatPairs, let request = operation.request else {
                return perform(.authorize(device.path, isMeant: false, id))
            }
            perform(.refuse(request, .att(.unlikely)))
            devices[number]?.link?.operations.current = nil
            if link.pairingNumber == nil {
                devices[number]?.link?.pairingNumber = id.number
                perform(.authorize(device.path, isMeant: false, id))
            }
            return askNext(number)
        }
        carryOut(operation, device, id)
        watchAnswers(number)
    }

    /// Looks now and then from here on whether the device answers.
    private mutating func watchAnswers(_ number: Int) {
        guard !watchesAnswers, devices[number]?.link?.operations.current != nil else { return }
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
        guard let airborne = airborne[device.airborne] else { return }
        let remote = airborne.remote
        let characteristics = device.gatt?.characteristics
        switch operation {
        case .read(let index, let offset, _):
            guard let characteristic = characteristics?[index],
                let attribute = characteristic.attribute, characteristic.mayBeRead(airborne)
            else { return finished(id, .failure(.readNotPermitted)) }
            perform(.remote(remote, .read(attribute, offset: offset, id)))
        case .readOwn(let index):
            guard let attribute = characteristics?[index].attribute else {
                return finished(id, .failure(.readNotPermitted))
            }
            perform(.remote(remote, .read(attribute, offset: 0, id)))
        case .readDescriptor(let index, let place, let offset, _):
            guard let attribute = characteristics?[index].descriptors[place].attribute else {
                let value = characteristics?[index].configuration ?? [0, 0]
                guard offset <= value.count else { return finished(id, .failure(.invalidOffset)) }
                return finished(id, .success(Array(value.dropFirst(offset))))
            }
            perform(.remote(remote, .read(attribute, offset: offset, id)))
        case .write(let attribute, let value, let offset, _, _):
            guard let attribute else { return finished(id, .failure(.writeNotPermitted)) }
            perform(.remote(remote, .write(value, attribute, offset: offset, .withResponse, id)))
        case .subscribe(let index, let isOn, _):
            guard let attribute = characteristics?[index].attribute else {
                return finished(id, .success([]))
            }
            perform(.remote(remote, .subscribe(attribute, isOn: isOn, id)))
        }
    }

    /// A device has answered.
    mutating func finished(_ id: FakeOperationID, _ result: Result<[UInt8], ATTError>) {
        guard isRunning, let (operation, number) = devices[id.device]?.link?.operations.current,
            number == id.number
        else { return }
        devices[id.device]?.link?.operations.current = nil
        let value = try? result.get()
        switch operation {
        case .read(let index, _, let request):
            let path = devices[id.device]?.gatt?.characteristics[index].path
            if let value, quirks.announcesReads, let path { perform(.value(value, at: path)) }
            answer(request, result.map { [.bytes($0)] })
        case .readDescriptor(let index, let place, _, let request):
            let path = devices[id.device]?.gatt?.characteristics[index].descriptors[place].path
            if let value, quirks.announcesReads, let path {
                perform(
                    .set(
                        [GattDescriptor1.value: .bytes(value)], of: GattDescriptor1.interfaceName,
                        at: path))
            }
            answer(request, result.map { [.bytes($0)] })
        case .write(let attribute, _, _, _, let request):
            if let attribute { devices[id.device]?.link?.operations.written.remove(attribute) }
            answer(request, result.map { _ in [] })
        case .readOwn(let index):
            if let value { learned(value, index, id.device) }
        case .subscribe(let index, let isOn, let why):
            subscribed(id.device, index, isOn, why, result)
        }
        askNext(id.device)
    }

    private mutating func answer(
        _ request: DBusRequest, _ result: Result<[DBusValue], ATTError>
    ) {
        switch result {
        case .success(let values): perform(.reply(request, values))
        case .failure(let error): perform(.refuse(request, .att(error)))
        }
    }

    /// What was asked is not answered by the device any more.
    mutating func refuse(_ operations: [FakeOperation], _ refusal: DBusRefusal) {
        for request in operations.compactMap(\.request) { perform(.refuse(request, refusal)) }
    }

    /// The services are gone: what was asked is answered as was seen.
    mutating func failOperations(_ number: Int) {
        refuse(devices[number]?.link?.operations.removeAll() ?? [], .att(.unlikely))
    }

    /// Services are gone: what was asked of them cannot be done any more (seen).
    mutating func failOperations(_ number: Int, on gone: FakeGATT.Change) {
        refuse(devices[number]?.link?.operations.removeAll(on: gone) ?? [], .notSupported)
    }

    /// Looks now and then at what devices are asked: who is asked the same as the last time has
    /// had its time, and its link ends.
    mutating func leaveSilentDevices() {
        watchesAnswers = false
        for device in devices.inOrder {
            guard let link = device.link, let current = link.operations.current else { continue }
            if link.operations.seen == current.number {
                // What was asked is refused at once; the link ends after a while (seen).
                failOperations(device.number)
                if !link.isEnding { endSoon(device.number, link) }
            } else {
                devices[device.number]?.link?.operations.seen = current.number
                watchesAnswers = true
            }
        }
        if watchesAnswers { wake(after: timing.answering, .overdue) }
    }

    /// Whoever answers for the person has said whether the device may be paired with, because an
    /// attribute needs it: without that the operation fails with 0E, and the link ends (as seen).
    mutating func authorizedOperation(_ id: FakeOperationID, _ isAllowed: Bool) -> Bool {
        guard let (operation, number) = devices[id.device]?.link?.operations.current,
            number == id.number
        else { return false }
        if isAllowed {
            becomePaired(id.device)
            if let device = devices[id.device] { carryOut(operation, device, id) }
            watchAnswers(id.device)
        } else {
            endLink(id.device, BlueZReason.authentication)
        }
        return true
    }
}

/// Something that a device is asked, one after the other on a link, as the attribute protocol
/// has it.
enum FakeOperation {
    case read(Int, offset: Int, DBusRequest)
    case readDescriptor(Int, Int, offset: Int, DBusRequest)
    case write(AttributeID?, [UInt8], offset: Int, needsEncryption: Bool, DBusRequest)
    case subscribe(Int, isOn: Bool, FakeSubscribing)
    /// The daemon reads something for itself.
    case readOwn(Int)

    /// Who asks, if it is a client.
    var request: DBusRequest? {
        switch self {
        case .read(_, _, let request), .readDescriptor(_, _, _, let request),
            .write(_, _, _, _, let request):
            request
        case .subscribe(_, _, let why): why.request
        case .readOwn: nil
        }
    }
}

/// Why a subscription begins or ends.
enum FakeSubscribing {
    case start(DBusRequest, client: String)
    case acquire(DBusRequest, client: String)
    case stop(DBusRequest?)
    /// A client has had it since before this link.
    case again
    case battery

    var request: DBusRequest? {
        switch self {
        case .start(let request, _), .acquire(let request, _): request
        case .stop(let request): request
        case .again, .battery: nil
        }
    }
}

/// What a device is asked now, and what waits.
struct FakeOperations {
    var waiting = FIFO<FakeOperation>()
    var current: (operation: FakeOperation, number: UInt64)?
    /// What is being written, or waits to be.
    var written: Set<AttributeID> = []
    /// The number of the operation that was current at the last tick of the answer clock.
    var seen: UInt64?

    /// What is asked now and what waits, in order.
    var all: [FakeOperation] { (current.map { [$0.operation] } ?? []) + waiting.all }

    /// Forgets everything, and gives what there was.
    mutating func removeAll() -> [FakeOperation] {
        defer { self = FakeOperations(seen: seen) }
        return all
    }

    /// Forgets what is asked of services that are gone, and gives that.
    mutating func removeAll(on gone: FakeGATT.Change) -> [FakeOperation] {
        let ended = all.filter(gone.concerns)
        if let current, gone.concerns(current.operation) { self.current = nil }
        for operation in waiting.removeAll() where !gone.concerns(operation) {
            waiting.append(operation)
        }
        written.subtract(gone.attributes)
        return ended
    }
}
#endif
