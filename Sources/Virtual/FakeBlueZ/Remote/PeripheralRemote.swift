#if os(Linux)
internal import HaloTransport

/// A remote that runs a device of this program.
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
    /// The host that runs the device.
    let host: PeripheralHost<Device>

    /// Creates a remote for a new device.
    init(_ device: Device, on time: any TransportTime) {
        let state = Locked(State())
        self.state = state
        host = PeripheralHost(device, on: time) { Self.perform($0, state) }
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
        dropRequests()
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
        // Devices support whole values only.
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
        // The confirmation comes before the values that the device sends because of it, as with
        // real devices.
        completion(nil)
        host.handle(.subscription(attribute, isOn: isOn))
    }

    func confirm(_ attribute: AttributeID) { host.handle(.confirmed(attribute)) }

    func stop() {
        host.stop()
        dropRequests()
        let events = state.withLock { state in
            defer { state.events = nil }
            return state.events
        }
        withExtendedLifetime(events) {}
    }

    private func dropRequests() {
        let left = state.withLock { state in
            defer {
                state.reads = [:]
                state.writes = [:]
            }
            return (state.reads, state.writes)
        }
        withExtendedLifetime(left) {}
    }

    /// The maximum length of an attribute's value, which also limits reads.
    private static var longestValue: Int { 512 }

    private static func perform(_ effect: PeripheralEffect, _ state: Locked<State>) {
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
        case .notify(let attribute, let value): emit(state) { .notify(attribute, $0(value)) }
        case .indicate(let attribute, let value): emit(state) { .indicate(attribute, $0(value)) }
        case .disconnect: emit(state) { _ in .disconnect }
        case .advertise(let advertisement): emit(state) { _ in .advertise(advertisement) }
        case .servicesChanged: emit(state) { _ in .servicesChanged }
        case .wake, .requestParameters: break
        }
    }

    private static func finish(
        _ error: ATTError?, _ token: ResponseToken, _ state: Locked<State>
    ) {
        state.withLock { $0.writes.removeValue(forKey: token) }?(error)
    }

    /// Emits an event, with values cut to the packet.
    private static func emit(
        _ state: Locked<State>, _ event: ((([UInt8]) -> [UInt8])) -> FakeRemoteEvent
    ) {
        let (events, length) = state.withLock { ($0.events, $0.maximumLength) }
        events?(event { $0.count > length ? Array($0.prefix(length)) : $0 })
    }
}
#endif
