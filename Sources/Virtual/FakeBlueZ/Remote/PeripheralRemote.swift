#if os(Linux)
internal import HaloTransport

/// A remote that runs a device of this program.
final class PeripheralRemote<Device: GATTPeripheral>: FakeRemote {
    private struct State {
        var events: (@Sendable (FakeRemoteEvent) -> Void)?
        /// The reads and the writes with response that the device has not answered yet.
        var requests: [ResponseToken: Completion] = [:]
        var lastToken: UInt32 = 0
        /// The maximum length of a value on this link. Without a link, no one gets values.
        var maximumLength = Int.max
    }

    private typealias Completion = @Sendable (Result<[UInt8], ATTError>) -> Void

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
        // A device that is silent would leave them here, link after link.
        let unanswered = state.withLock { state in
            defer { state.requests = [:] }
            return state.requests
        }
        withExtendedLifetime(unanswered) {}
        host.handle(.disconnected)
    }

    func read(
        _ attribute: AttributeID, from offset: Int,
        completion: @escaping @Sendable (Result<[UInt8], ATTError>) -> Void
    ) {
        host.handle(.read(attribute, offset: offset, token: token(for: completion)))
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
        let answered: Completion = { result in
            if case .failure(let error) = result { completion(error) } else { completion(nil) }
        }
        host.handle(.write(attribute, value, token: token(for: answered)))
    }

    /// Keeps the completion of a request, and returns the token for the device's answer.
    private func token(for completion: @escaping Completion) -> ResponseToken {
        state.withLock { state in
            state.lastToken &+= 1
            let token = ResponseToken(state.lastToken)
            state.requests[token] = completion
            return token
        }
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

    func stop() { host.stop() }

    /// The maximum length of an attribute's value, which also limits reads.
    private static var longestValue: Int { 512 }

    private static func perform(_ effect: PeripheralEffect, _ state: Locked<State>) {
        switch effect {
        case .value(let value, let token):
            finish(.success(Array(value.prefix(longestValue))), token, state)
        case .done(let token): finish(.success([]), token, state)
        case .refuse(let error, let token): finish(.failure(error), token, state)
        case .notify(let attribute, let value): emit(state) { .notify(attribute, $0(value)) }
        case .indicate(let attribute, let value): emit(state) { .indicate(attribute, $0(value)) }
        case .disconnect: emit(state) { _ in .disconnect }
        case .advertise(let advertisement): emit(state) { _ in .advertise(advertisement) }
        case .servicesChanged: emit(state) { _ in .servicesChanged }
        case .wake, .requestParameters: break
        }
    }

    private static func finish(
        _ result: Result<[UInt8], ATTError>, _ token: ResponseToken, _ state: Locked<State>
    ) {
        state.withLock { $0.requests.removeValue(forKey: token) }?(result)
    }

    /// Emits an event, with values cut to the packet.
    private static func emit(
        _ state: Locked<State>, _ event: ((([UInt8]) -> [UInt8])) -> FakeRemoteEvent
    ) {
        let (events, length) = state.withLock { ($0.events, $0.maximumLength) }
        events?(event { Array($0.prefix(length)) })
    }
}
#endif
