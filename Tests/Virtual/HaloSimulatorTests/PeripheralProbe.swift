import HaloProtocol
import HaloSimulator
import HaloTransport
import Testing

/// A host without a radio: it passes events to a device, and records its effects.
struct PeripheralProbe<Device: GATTPeripheral> {
    /// A notification of the device.
    struct Sent: Equatable {
        let moment: Moment
        let uuid: BluetoothUUID?
        let bytes: [UInt8]
    }

    /// The reply of a device.
    enum Answer: Equatable {
        case value([UInt8])
        case done
        case refused(ATTError)
    }

    private(set) var device: Device
    private(set) var now = Moment.origin
    private(set) var sent: [Sent] = []
    private(set) var advertisement: PeripheralAdvertisement?
    private(set) var wake: Moment?
    private var answers: [ResponseToken: Answer] = [:]
    private var tokens: UInt32 = 0

    init(_ device: Device) {
        self.device = device
        let start = CivilDateTime(secondsSince1970: 1_800_000_000)
        handle(.started(WallClock(local: start, secondsFromUTC: 3600)))
    }

    mutating func handle(_ event: PeripheralEvent) {
        var effects = PeripheralEffects()
        device.handle(event, at: now, into: &effects)
        for effect in effects.all {
            switch effect {
            case .value(let bytes, let token): answers[token] = .value(bytes)
            case .done(let token): answers[token] = .done
            case .refuse(let error, let token): answers[token] = .refused(error)
            case .notify(let id, let bytes), .indicate(let id, let bytes):
                sent.append(Sent(moment: now, uuid: uuid(of: id), bytes: bytes))
            case .wake(let moment): wake = moment
            case .advertise(let advertisement): self.advertisement = advertisement
            case .disconnect, .servicesChanged, .requestParameters: break
            }
        }
    }

    mutating func advance(by duration: Duration) {
        let end = now + duration
        while let next = wake, next <= end {
            now = max(next, now)
            wake = nil
            handle(.woken)
        }
        now = end
    }

    mutating func modify(_ change: (inout Device) -> Void) {
        change(&device)
        handle(.changed)
    }

    mutating func subscribe(_ entry: CharacteristicCatalog.Entry, isOn: Bool = true) throws {
        handle(.subscription(try id(entry), isOn: isOn))
    }

    mutating func read(
        _ entry: CharacteristicCatalog.Entry, offset: Int = 0
    ) throws -> Answer? {
        let token = nextToken()
        handle(.read(try id(entry), offset: offset, token: token))
        return answers[token]
    }

    mutating func write(
        _ value: [UInt8], to entry: CharacteristicCatalog.Entry
    ) throws -> Answer? {
        let token = nextToken()
        handle(.write(try id(entry), value, token: token))
        return answers[token]
    }

    /// Removes and returns the notifications of one characteristic since the last call.
    mutating func takeSent(_ entry: CharacteristicCatalog.Entry) -> [Sent] {
        defer { sent.removeAll { $0.uuid == entry.uuid } }
        return sent.filter { $0.uuid == entry.uuid }
    }

    /// The last reply to a read or a write, or `nil`.
    func answer(to token: ResponseToken) -> Answer? { answers[token] }

    func characteristic(_ entry: CharacteristicCatalog.Entry) -> GATTCharacteristic? {
        device.services.lazy.compactMap { $0.characteristic(entry.uuid) }.first
    }

    private func id(_ entry: CharacteristicCatalog.Entry) throws -> AttributeID {
        try #require(characteristic(entry)).id
    }

    private func uuid(of id: AttributeID) -> BluetoothUUID? {
        device.services.flatMap(\.characteristics).first { $0.id == id }?.uuid
    }

    private mutating func nextToken() -> ResponseToken {
        tokens += 1
        return ResponseToken(tokens)
    }
}

extension PeripheralProbe where Device == VirtualHeartRateSensor {
    /// A strap with a subscription to its measurements.
    static func measuring(_ device: VirtualHeartRateSensor) throws -> Self {
        var probe = PeripheralProbe(device)
        probe.handle(.connected)
        try probe.subscribe(CharacteristicCatalog.heartRateMeasurement)
        return probe
    }

    /// Advances the time; returns the measurements.
    mutating func measurements(for duration: Duration) throws -> [HeartRateMeasurement] {
        advance(by: duration)
        return try takeSent(CharacteristicCatalog.heartRateMeasurement).map {
            try HeartRateMeasurement(decoding: $0.bytes)
        }
    }
}

/// A host of a virtual strap.
typealias StrapProbe = PeripheralProbe<VirtualHeartRateSensor>
