import HaloTransport

/// The app's end of the link: each request goes to the ``Loopback``'s queue.
final class LoopbackLink: LinkDriver {
    let identity = Loopback.identity
    private let loopback: Loopback

    init(_ loopback: Loopback) { self.loopback = loopback }

    private static func ended(_ operation: BLEError.Operation) -> BLEError {
        BLEError(.disconnected, operation, disconnectReason: DisconnectReason(.local))
    }

    func discoverServices(_ completion: @escaping BLECompletion<[GATTService]>) {
        loopback.run { [self] loopback in
            let services = loopback.services(for: self)
            completion(services.map { .success($0) } ?? .failure(Self.ended(.discover)))
        }
    }

    func read(_ attribute: AttributeID, _ completion: @escaping BLECompletion<[UInt8]>) {
        loopback.run { [self] loopback in
            loopback.request(
                from: self, .read, { .read(attribute, offset: 0, token: $0) }, completion)
        }
    }

    func write(
        _ value: [UInt8], to attribute: AttributeID, _ mode: WriteMode,
        _ completion: @escaping BLECompletion<Void>
    ) {
        loopback.run { [self] loopback in
            switch mode {
            case .withResponse:
                loopback.request(from: self, .write, { .write(attribute, value, token: $0) }) {
                    completion($0.map { _ in })
                }
            case .withoutResponse:
                let isSent = loopback.send(.write(attribute, value, token: nil), from: self)
                completion(isSent ? .success(()) : .failure(Self.ended(.write)))
            }
        }
    }

    func setNotify(
        _ isOn: Bool, for attribute: AttributeID, _ completion: @escaping BLECompletion<Void>
    ) {
        loopback.run { [self] loopback in
            let isSent = loopback.send(.subscription(attribute, isOn: isOn), from: self)
            completion(isSent ? .success(()) : .failure(Self.ended(.subscribe)))
        }
    }

    func maximumWriteLength(for mode: WriteMode) -> Int {
        mode == .withResponse ? Loopback.longestValue : Loopback.maximumLength
    }

    func disconnect() { loopback.run { [self] in $0.close(self) } }
}
