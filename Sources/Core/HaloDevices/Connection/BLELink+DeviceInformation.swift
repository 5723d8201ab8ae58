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
    ) -> BLECancellable {
        let loop = time.loop
        return loop.run {
            let reading = DeviceInformationReading(completion)
            reading.step = submitServices { [weak self] result in
                switch result {
                case .success(let services):
                    let all = services.filter { $0.uuid == StandardServices.deviceInformation }
                        .flatMap(\.characteristics)
                        .filter { $0.properties.contains(.read) && wanted.contains($0.uuid) }
                    reading.read(all[...], on: self)
                case .failure(let error):
                    let isCancelled = error.kind == .cancelled
                    completion(.failure(isCancelled ? BLEError(.cancelled, .read) : error))
                }
            }
            return BLECancellable { loop.run { reading.cancel() } }
        }
    }
}

/// A read of several values, one after the other, so that a slow device has one request at a time.
/// Values that the device refuses, or no longer has, are left out. Used in turns of the loop.
private final class DeviceInformationReading: @unchecked Sendable {
    private let completion: BLECompletion<DeviceInformation>
    private var information = DeviceInformation()
    private var isCancelled = false
    var step: BLECancellable?

    init(_ completion: @escaping BLECompletion<DeviceInformation>) {
        self.completion = completion
    }

    func read(_ wanted: ArraySlice<GATTCharacteristic>, on link: BLELink?) {
        guard let first = wanted.first else { return completion(.success(information)) }
        guard let link, !isCancelled else {
            let reason = isCancelled ? nil : DisconnectReason(.local)
            let kind: BLEError.Kind = isCancelled ? .cancelled : .disconnected
            return completion(.failure(BLEError(kind, .read, disconnectReason: reason)))
        }
        step = link.submitRead(first) { [weak link] result in
            switch result {
            case .success(let bytes): self.information.receive(bytes, of: first.uuid)
            case .failure(let error):
                guard error.kind == .refused || error.isStale else {
                    return self.completion(.failure(error))
                }
            }
            self.read(wanted.dropFirst(), on: link)
        }
    }

    /// Cancels the step under way; its end is that of the whole read.
    func cancel() {
        isCancelled = true
        step?.cancel()
    }
}
