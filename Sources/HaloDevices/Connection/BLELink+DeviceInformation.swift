public import HaloProtocol
public import HaloTransport

extension BLELink {
    /// Reads the values of the device's Device Information service. Values that the device does not
    /// have, or refuses to send, are left out.
    public nonisolated(nonsending) func deviceInformation() async throws(BLEError)
        -> DeviceInformation
    {
        try await time.reply(to: .read) { submitDeviceInformation(completion: $0.completion) }
    }

    /// Reads some values of the Device Information service. The completion is called once, also
    /// when cancelled.
    @discardableResult
    package func submitDeviceInformation(
        _ wanted: [BluetoothUUID] = DeviceInformation.characteristics,
        completion: @escaping BLECompletion<DeviceInformation>
    ) -> Cancellable {
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
        return Cancellable { reading.end(.failure(BLEError(.cancelled, .read))) }
    }
}

/// A read of several values, one after the other, so that a slow device has one request at a time.
/// Values that the device refuses, or no longer has, are left out.
private final class DeviceInformationReading: Sendable {
    private struct State {
        var completion: BLECompletion<DeviceInformation>?
        var information = DeviceInformation()
        /// The read under way.
        var step: Cancellable?
    }

    private let state: Locked<State>

    init(_ completion: @escaping BLECompletion<DeviceInformation>) {
        state = Locked(State(completion: completion))
    }

    /// Reads the remaining values.
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
                    self.state.withLock { $0.information.receive(bytes, of: first.uuid) }
                case .failure(let error):
                    guard error.kind == .refused || error.isStale else {
                        return self.end(.failure(error))
                    }
                }
                self.read(wanted.dropFirst(), on: link)
            })
    }

    /// Stores the read under way, or cancels it if the whole read is over.
    func keep(_ cancellable: Cancellable) {
        let isOver = state.withLock { state in
            if state.completion != nil { state.step = cancellable }
            return state.completion == nil
        }
        if isOver { cancellable.cancel() }
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
