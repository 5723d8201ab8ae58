import HaloCapture
import HaloProtocol
import HaloSimulator
import HaloTransport
import Testing

/// A capture as a device, with a client that is connected to it.
struct ReplayBench {
    /// The reply to a request.
    enum Answer: Equatable {
        case value([UInt8])
        case done
        case refused(UInt8)
    }

    /// An effect of the device.
    enum Deed: Equatable {
        case sent(UInt32, [UInt8])
        case confirmed(UInt32, [UInt8])
        case closed
        case changed
    }

    private(set) var device: ReplayDevice
    private(set) var now = Moment.origin
    private(set) var deeds: [(moment: Int64, deed: Deed)] = []
    private(set) var answers: [ResponseToken: (moment: Int64, answer: Answer)] = [:]
    private(set) var advertisement: PeripheralAdvertisement?
    private var wake: Moment?
    private var tokens: UInt32 = 0

    init(_ text: String, _ options: ReplayOptions = .lenient, connects: Bool = true) throws {
        device = ReplayDevice(try Capture(reading: text), options)
        let start = CivilDateTime(secondsSince1970: 1_800_000_000)
        handle(.started(WallClock(local: start, secondsFromUTC: 0)))
        if connects { connect() }
    }

    /// Connects, and subscribes to everything.
    mutating func connect(maximumLength: Int = 244, subscribes: Bool = true) {
        handle(.connected)
        handle(.maximumLength(maximumLength))
        guard subscribes else { return }
        for characteristic in device.services.flatMap(\.characteristics)
        where characteristic.properties.canSubscribe {
            handle(.subscription(characteristic.id, isOn: true))
        }
    }

    mutating func handle(_ event: PeripheralEvent) {
        var effects = PeripheralEffects()
        device.handle(event, at: now, into: &effects)
        for effect in effects.all {
            let time = now.microseconds
            switch effect {
            case .value(let bytes, let token): answers[token] = (time, .value(bytes))
            case .done(let token): answers[token] = (time, .done)
            case .refuse(let error, let token): answers[token] = (time, .refused(error.code))
            case .notify(let id, let bytes): deeds.append((time, .sent(number(id), bytes)))
            case .indicate(let id, let bytes): deeds.append((time, .confirmed(number(id), bytes)))
            case .wake(let moment): wake = moment
            case .disconnect: deeds.append((time, .closed))
            case .servicesChanged: deeds.append((time, .changed))
            case .advertise(let advertisement): self.advertisement = advertisement
            case .requestParameters: break
            }
        }
    }

    mutating func advance(byMilliseconds milliseconds: Int64) {
        let end = now.advanced(byMicroseconds: milliseconds * 1_000)
        while let next = wake, next <= end {
            now = max(next, now)
            wake = nil
            handle(.woken)
        }
        now = end
    }

    /// The short number of a characteristic, or the first part of a long one.
    private func number(_ id: AttributeID) -> UInt32 {
        let uuid = device.services.flatMap(\.characteristics).first { $0.id == id }?.uuid
        return UInt32(truncatingIfNeeded: (uuid?.high ?? 0) >> 32)
    }

    func id(_ uuid: BluetoothUUID) -> AttributeID {
        device.services.flatMap(\.characteristics).first { $0.uuid == uuid }?.id
            ?? AttributeID(.max)
    }

    /// Writes; returns the reply, which is found by its token.
    @discardableResult
    mutating func write(
        _ bytes: [UInt8], to uuid: BluetoothUUID, wantsAnswer: Bool = false
    ) -> ResponseToken {
        tokens += 1
        let token = ResponseToken(tokens)
        handle(.write(id(uuid), bytes, token: wantsAnswer ? token : nil))
        return token
    }

    @discardableResult
    mutating func read(_ uuid: BluetoothUUID, from offset: Int = 0) -> ResponseToken {
        tokens += 1
        let token = ResponseToken(tokens)
        handle(.read(id(uuid), offset: offset, token: token))
        return token
    }

    /// The notifications since the last call, with their time in milliseconds.
    mutating func takeSent() -> [Sent] {
        defer { deeds = [] }
        return deeds.compactMap { moment, deed in
            if case .sent(_, let bytes) = deed { Sent(moment / 1_000, bytes) } else { nil }
        }
    }

    /// A value with its moment.
    struct Sent: Equatable {
        let milliseconds: Int64
        let bytes: [UInt8]

        init(_ milliseconds: Int64, _ bytes: [UInt8]) {
            self.milliseconds = milliseconds
            self.bytes = bytes
        }
    }
}
