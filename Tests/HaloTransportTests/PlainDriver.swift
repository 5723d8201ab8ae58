import HaloProtocol
import HaloTransport

/// A driver that answers nothing, pairs as most do, and has something done in its end.
final class PlainDriver: LinkDriver {
    let identity = PeripheralIdentity("ring")
    private let ended: @Sendable () -> Void

    init(_ ended: @escaping @Sendable () -> Void = {}) { self.ended = ended }

    deinit { ended() }

    func discoverServices(
        _ completion: @escaping @Sendable (Result<[GATTService], BLEError>) -> Void
    ) {}

    func read(
        _ attribute: AttributeID,
        _ completion: @escaping @Sendable (Result<[UInt8], BLEError>) -> Void
    ) {}

    func write(
        _ value: [UInt8], to attribute: AttributeID, _ mode: WriteMode,
        _ completion: @escaping @Sendable (Result<Void, BLEError>) -> Void
    ) {}

    func setNotify(
        _ isOn: Bool, for attribute: AttributeID,
        _ completion: @escaping @Sendable (Result<Void, BLEError>) -> Void
    ) {}

    func maximumWriteLength(_ mode: WriteMode) -> Int { 20 }

    func readRSSI(_ completion: @escaping @Sendable (Result<Int, BLEError>) -> Void) {}

    func disconnect() {}
}
