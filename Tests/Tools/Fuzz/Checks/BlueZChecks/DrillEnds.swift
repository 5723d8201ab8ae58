#if os(Linux)
@testable import HaloBlueZ
@testable import HaloTransport

/// A driver that is not used.
final class DrillDriver: LinkDriver {
    typealias Completion<Value> = @Sendable (Result<Value, BLEError>) -> Void
    let identity = PeripheralIdentity("")

    func discoverServices(_ completion: @escaping Completion<[GATTService]>) {}
    func read(_ attribute: AttributeID, _ completion: @escaping Completion<[UInt8]>) {}
    func write(
        _ value: [UInt8], to attribute: AttributeID, _ mode: WriteMode,
        _ completion: @escaping Completion<Void>
    ) {}
    func setNotify(
        _ isOn: Bool, for attribute: AttributeID, _ completion: @escaping Completion<Void>
    ) {}
    func maximumWriteLength(for mode: WriteMode) -> Int { 0 }
    func readRSSI(_ completion: @escaping Completion<Int>) {}
    func disconnect() {}
}
#endif
