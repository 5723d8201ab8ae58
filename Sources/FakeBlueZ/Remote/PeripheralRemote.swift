#if os(Linux)
internal import HaloTransport

/// A device of this program.
final class PeripheralRemote<Device: GATTPeripheral>: FakeRemote {
    private struct State {
        var events: (@Sendable (FakeRemoteEvent) -> Void)?
        var reads: [ResponseToken: @Sendable (Result<[UInt8], ATTError>) -> Void] = [:]
        var writes: [ResponseToken: @Sendable (ATTError?) -> Void] = [:]
        var lastToken: UInt32 = 0
        var maximumLength = 20

        mutating func nextToken() -> ResponseToken {
            lastToken &+= 1
            return ResponseToken(lastToken)
        }
    }

    private let state: Locked<State>
    /// Runs the device.
    let host: PeripheralHost<Device>

    /// A device to which nothing has happened yet.
    init(_ device: Device, on time: any TransportTime) {
        let state = Locked(State())
        self.state = state
        host = PeripheralHost(device, on: time) { Self.carryOut($0, state) }
    }

    var services: [GATTService] { host.services }

    func start(_ events: @escaping @Sendable (FakeRemoteEvent) -> Void) {
        state.withLock { $0.events = events }
        host.start()
    }

    func connect(_ link: FakeRemoteLink) {
        state.withLock { $0.maximumLength = link.maximumLength }
        host.handle(.connected)
        host.handle(.maximumLength(link.maximumLength))
    }

    func disconnect() {
        letGo()
        host.handle(.disconnected)
    }

    func read(
        _ attribute: AttributeID, from offset: Int,
        completion: @escaping @Sendable (Result<[UInt8], ATTError>) -> Void
    ) {
        let token = state.withLock { state in
            let token = state.nextToken()
            state.reads[token] = completion
            return token
        }
        host.handle(.read(attribute, offset: offset, token: token))
    }

    func write(
        _ value: [UInt8], to attribute: AttributeID, from offset: Int, _ mode: WriteMode,
        completion: @escaping @Sendable (ATTError?) -> Void
    ) {
        // A device hears of whole values only.
        guard offset == 0 else { return completion(.invalidOffset) }
        guard mode == .withResponse else {
            host.handle(.write(attribute, value, token: nil))
            return completion(nil)
        }
        let token = state.withLock { state in
            let token = state.nextToken()
            state.writes[token] = completion
            return token
        }
        host.handle(.write(attribute, value, token: token))
    }

    func setNotify(
        _ attribute: AttributeID, isOn: Bool,
        completion: @escaping @Sendable (ATTError?) -> Void
    ) {
        // The answer goes before what the device sends about it, as devices do.
        completion(nil)
        host.handle(.subscription(attribute, isOn: isOn))
    }

    func confirm(_ attribute: AttributeID) { host.handle(.confirmed(attribute)) }

    func stop() {
        host.stop()
        letGo()
        let events = state.withLock { state in
            defer { state.events = nil }
            return state.events
        }
        withExtendedLifetime(events) {}
    }

    private func letGo() {
        let left = state.withLock { state in
            defer {
                state.reads = [:]
                state.writes = [:]
            }
            return (state.reads, state.writes)
        }
        withExtendedLifetime(left) {}
    }

    /// The longest value of an attribute, which is all that is read.
    private static var longestValue: Int { 512 }

    private static func carryOut(_ effect: PeripheralEffect, _ state: Locked<State>) {
        switch effect {
        case .value(let value, let token):
            let completion = state.withLock { $0.reads.removeValue(forKey: token) }
            completion?(.success(Array(value.prefix(longestValue))))
        case .done(let token): finish(nil, token, state)
        case .refuse(let error, let token):
            if let completion = state.withLock({ $0.reads.removeValue(forKey: token) }) {
                return completion(.failure(error))
            }
            finish(error, token, state)
        case .notify(let attribute, let value): say(state) { .notify(attribute, $0(value)) }
        case .indicate(let attribute, let value): say(state) { .indicate(attribute, $0(value)) }
        case .disconnect: say(state) { _ in .disconnect }
        case .advertise(let advertisement): say(state) { _ in .advertise(advertisement) }
        case .servicesChanged: say(state) { _ in .servicesChanged }
        case .wake, .requestParameters: break
        }
    }

    private static func finish(
        _ error: ATTError?, _ token: ResponseToken, _ state: Locked<State>
    ) {
        state.withLock { $0.writes.removeValue(forKey: token) }?(error)
    }

    /// Says what the device does, with values cut to what a packet holds.
    private static func say(
        _ state: Locked<State>, _ event: ((([UInt8]) -> [UInt8])) -> FakeRemoteEvent
    ) {
        let (events, length) = state.withLock { ($0.events, $0.maximumLength) }
        events?(event { $0.count > length ? Array($0.prefix(length)) : $0 })
    }
}
#endif
