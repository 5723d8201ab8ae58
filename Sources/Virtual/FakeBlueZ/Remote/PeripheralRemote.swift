#if os(Linux)
internal import HaloTransport

final class PeripheralRemote<Device: GATTPeripheral>: FakeRemote {
    private struct State {
        var perform: (@Sendable (PeripheralEffect) -> Void)?
        /// The maximum length of a value on this link. Without a link, no one gets values.
        var maximumLength = Int.max
    }

    private let state: Locked<State>
    let host: PeripheralHost<Device>

    init(_ device: Device, on time: any TransportTime) {
        let state = Locked(State())
        self.state = state
        host = PeripheralHost(device, on: time) { effect in
            let now = state.withLock { $0 }
            now.perform?(effect.cut(to: now.maximumLength))
        }
    }

    var services: [GATTService] { host.services }

    func start(_ perform: @escaping @Sendable (PeripheralEffect) -> Void) {
        state.withLock { $0.perform = perform }
        host.start()
    }

    func receive(_ call: FakeRemoteCall) {
        switch call {
        case .connect(let link):
            state.withLock { $0.maximumLength = link.maximumLength }
            host.handle(.connected)
            host.handle(.maximumLength(link.maximumLength))
        case .disconnect: host.handle(.disconnected)
        case .read(let attribute, let offset, let token):
            host.handle(.read(attribute, offset: offset, token: token))
        case .write(let value, let attribute, let offset, let token):
            // Devices support whole values only.
            guard offset == 0 else { return answer(token) { .refuse(.invalidOffset, $0) } }
            host.handle(.write(attribute, value, token: token))
        case .subscribe(let attribute, let isOn, let token):
            // The confirmation comes before the values that the device sends because of it, as with
            // real devices.
            answer(token) { .done($0) }
            host.handle(.subscription(attribute, isOn: isOn))
        case .confirm(let attribute): host.handle(.confirmed(attribute))
        case .stop: host.stop()
        }
    }

    private func answer(_ token: ResponseToken?, _ effect: (ResponseToken) -> PeripheralEffect) {
        if let token { state.withLock { $0.perform }?(effect(token)) }
    }
}

extension PeripheralEffect {
    /// The maximum length of an attribute's value, which also limits reads.
    private static let longestValue = 512

    /// Returns the effect with a sent value cut to the packet, and a read value to the longest one.
    fileprivate func cut(to length: Int) -> PeripheralEffect {
        switch self {
        case .value(let value, let token): .value(Array(value.prefix(Self.longestValue)), token)
        case .notify(let attribute, let value): .notify(attribute, Array(value.prefix(length)))
        case .indicate(let attribute, let value): .indicate(attribute, Array(value.prefix(length)))
        case .done, .refuse, .wake, .disconnect, .advertise, .servicesChanged, .requestParameters:
            self
        }
    }
}
#endif
