#if os(Linux)
internal import HaloTransport

/// A remote that runs a device of this program.
final class PeripheralRemote<Device: GATTPeripheral>: FakeRemote {
    private struct State {
        var events: (@Sendable (FakeRemoteEvent) -> Void)?
        /// The reads and the writes with response that the device has not answered yet.
        var requests: [ResponseToken: FakeRemoteCall.Completion] = [:]
        var lastToken: UInt32 = 0
        /// The maximum length of a value on this link. Without a link, no one gets values.
        var maximumLength = Int.max
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

    func receive(_ call: FakeRemoteCall, completion: @escaping FakeRemoteCall.Completion) {
        switch call {
        case .connect(let link):
            state.withLock { $0.maximumLength = link.maximumLength }
            host.handle(.connected)
            host.handle(.maximumLength(link.maximumLength))
        case .disconnect: disconnect()
        case .read(let attribute, let offset):
            host.handle(.read(attribute, offset: offset, token: token(for: completion)))
        case .write(let value, let attribute, let offset, let mode):
            // Devices support whole values only.
            guard offset == 0 else { return completion(.failure(.invalidOffset)) }
            let token = mode == .withResponse ? token(for: completion) : nil
            host.handle(.write(attribute, value, token: token))
        case .subscribe(let attribute, let isOn):
            // The confirmation comes before the values that the device sends because of it, as with
            // real devices.
            completion(.success([]))
            host.handle(.subscription(attribute, isOn: isOn))
        case .confirm(let attribute): host.handle(.confirmed(attribute))
        case .stop: host.stop()
        }
    }

    private func disconnect() {
        // A device that is silent would leave them here, link after link.
        let unanswered = state.withLock { state in
            defer { state.requests = [:] }
            return state.requests
        }
        withExtendedLifetime(unanswered) {}
        host.handle(.disconnected)
    }

    /// Keeps the completion of a request, and returns the token for the device's answer.
    private func token(for completion: @escaping FakeRemoteCall.Completion) -> ResponseToken {
        state.withLock { state in
            state.lastToken &+= 1
            let token = ResponseToken(state.lastToken)
            state.requests[token] = completion
            return token
        }
    }

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
