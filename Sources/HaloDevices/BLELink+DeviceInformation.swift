public import HaloProtocol
public import HaloTransport

extension BLELink {
    /// What the device says of itself in its Device Information service; nothing of what it does
    /// not say or refuses to.
    public nonisolated(nonsending) func deviceInformation() async throws(BLEError)
        -> DeviceInformation
    {
        if Task.isCancelled { throw BLEError(.cancelled, .read) }
        let information = Promise<DeviceInformation>(for: .read, on: time)
        let reading = submitDeviceInformation { information.resolve($0) }
        do throws(BLEError) {
            return try await information.value()
        } catch {
            reading.cancel()
            throw error
        }
    }

    /// The same, answered by a call: once, also when cancelled.
    @discardableResult
    package func submitDeviceInformation(
        _ completion: @escaping @Sendable (Result<DeviceInformation, BLEError>) -> Void
    ) -> Registration {
        let reading = DeviceInformationReading(completion)
        reading.keep(
            submitServices { [weak self] result in
                switch result {
                case .success(let services):
                    guard let self else { return reading.end(.failure(.gone)) }
                    reading.begin(services, on: self)
                case .failure(let error): reading.end(.failure(error))
                }
            })
        return Registration { reading.cancel() }
    }
}

extension BLEError {
    /// Nobody holds the link any more.
    fileprivate static var gone: BLEError {
        BLEError(.disconnected, .read, reason: DisconnectReason(.local))
    }
}

/// Values of one device that come one after another.
private final class DeviceInformationReading: Sendable {
    typealias Completion = @Sendable (Result<DeviceInformation, BLEError>) -> Void

    private struct State {
        var completion: Completion?
        var information = DeviceInformation()
        var missing = 0
        var registrations: [Registration] = []
    }

    private let state: Locked<State>

    init(_ completion: @escaping Completion) {
        state = Locked(State(completion: completion))
    }

    func begin(_ services: [GATTService], on link: BLELink) {
        let characteristics =
            services.filter { $0.uuid == StandardServices.deviceInformation }
            .flatMap(\.characteristics)
            .filter {
                $0.properties.contains(.read)
                    && DeviceInformation.characteristics.contains($0.uuid)
            }
        guard !characteristics.isEmpty else { return end(.success(DeviceInformation())) }
        state.withLock { $0.missing = characteristics.count }
        for characteristic in characteristics {
            keep(link.submitRead(characteristic) { self.take($0, of: characteristic.uuid) })
        }
    }

    /// Remembers what has to be cancelled when the reading is.
    func keep(_ registration: Registration) {
        let isOver = state.withLock { state in
            if state.completion != nil { state.registrations.append(registration) }
            return state.completion == nil
        }
        if isOver { registration.cancel() }
    }

    func cancel() {
        end(.failure(BLEError(.cancelled, .read)))
    }

    func end(_ result: Result<DeviceInformation, BLEError>) {
        let (completion, registrations) = state.withLock { state in
            defer {
                state.completion = nil
                state.registrations = []
            }
            return (state.completion, state.registrations)
        }
        guard let completion else { return }
        if case .failure = result { for registration in registrations { registration.cancel() } }
        completion(result)
    }

    private func take(_ result: Result<[UInt8], BLEError>, of uuid: BluetoothUUID) {
        if case .failure(let error) = result, error.kind != .refused {
            return end(.failure(error))
        }
        let whole: DeviceInformation? = state.withLock { state in
            if case .success(let bytes) = result { state.information.take(bytes, of: uuid) }
            state.missing -= 1
            return state.missing == 0 ? state.information : nil
        }
        if let whole { end(.success(whole)) }
    }
}
