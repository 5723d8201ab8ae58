public import HaloProtocol
public import HaloTransport

extension BLELink {
    /// The values of the device's Device Information service, without those that it does not have
    /// or refuses.
    public nonisolated(nonsending) func deviceInformation() async throws(BLEError)
        -> DeviceInformation
    {
        try await time.answer(to: .read) { submitDeviceInformation(completion: $0.completion) }
    }

    /// The same, or a part of it, answered by a call: once, also when cancelled.
    @discardableResult
    package func submitDeviceInformation(
        _ wanted: [BluetoothUUID] = DeviceInformation.characteristics,
        completion: @escaping BLECompletion<DeviceInformation>
    ) -> Registration {
        let reading = DeviceInformationReading(completion)
        reading.keep(
            submitServices { [weak self] result in
                switch result {
                case .success(let services):
                    let all = services.filter { $0.uuid == StandardServices.deviceInformation }
                        .flatMap(\.characteristics)
                        .filter { $0.properties.contains(.read) && wanted.contains($0.uuid) }
                    reading.read(all[...], on: self)
                case .failure(let error): reading.end(.failure(error))
                }
            })
        return Registration { reading.end(.failure(BLEError(.cancelled, .read))) }
    }
}

/// Values of one device, read one after another: a device that is slow is not asked for all at
/// once. What it refuses, or no longer has, is left out.
private final class DeviceInformationReading: Sendable {
    private struct State {
        var completion: BLECompletion<DeviceInformation>?
        var information = DeviceInformation()
        /// What is cancelled with the reading.
        var step: Registration?
    }

    private let state: Locked<State>

    init(_ completion: @escaping BLECompletion<DeviceInformation>) {
        state = Locked(State(completion: completion))
    }

    /// Reads what is left.
    func read(_ wanted: ArraySlice<GATTCharacteristic>, on link: BLELink?) {
        guard let first = wanted.first else {
            return end(.success(state.withLock { $0.information }))
        }
        guard let link else {
            return end(
                .failure(BLEError(.disconnected, .read, reason: DisconnectReason(.local))))
        }
        guard state.withLock({ $0.completion != nil }) else { return }
        keep(
            link.submitRead(first) { [weak link] result in
                switch result {
                case .success(let bytes):
                    self.state.withLock { $0.information.take(bytes, of: first.uuid) }
                case .failure(let error):
                    guard error.kind == .refused || error.isStale else {
                        return self.end(.failure(error))
                    }
                }
                self.read(wanted.dropFirst(), on: link)
            })
    }

    /// Remembers what has to be cancelled when the reading is.
    func keep(_ registration: Registration) {
        let isOver = state.withLock { state in
            if state.completion != nil { state.step = registration }
            return state.completion == nil
        }
        if isOver { registration.cancel() }
    }

    func end(_ result: Result<DeviceInformation, BLEError>) {
        let (completion, step) = state.withLock { state in
            defer { (state.completion, state.step) = (nil, nil) }
            return (state.completion, state.step)
        }
        guard let completion else { return }
        if case .failure = result { step?.cancel() }
        completion(result)
    }
}
