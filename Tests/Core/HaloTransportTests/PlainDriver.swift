import HaloProtocol
import HaloTransport

/// A driver that completes nothing, has the default pairing, and calls a function in its `deinit`.
final class PlainDriver: LinkDriver {
    let identity = PeripheralIdentity("ring")
    private let ended: @Sendable () -> Void

    init(_ ended: @escaping @Sendable () -> Void = {}) { self.ended = ended }

    deinit { ended() }

    func discoverServices(
        _ completion: @escaping BLECompletion<[GATTService]>
    ) {}

    func read(
        _ attribute: AttributeID,
        _ completion: @escaping BLECompletion<[UInt8]>
    ) {}

    func write(
        _ value: [UInt8], to attribute: AttributeID, _ mode: WriteMode,
        _ completion: @escaping BLECompletion<Void>
    ) {}

    func setNotify(
        _ isOn: Bool, for attribute: AttributeID,
        _ completion: @escaping BLECompletion<Void>
    ) {}

    func maximumWriteLength(for mode: WriteMode) -> Int { 20 }

    func disconnect() {}
}
