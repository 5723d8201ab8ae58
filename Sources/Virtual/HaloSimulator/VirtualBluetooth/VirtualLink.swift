internal import HaloTransport

/// A central's end of a link through a virtual air.
final class VirtualLink: LinkDriver {
    let identity: PeripheralIdentity
    private let number: AirLinkNumber
    private let world: VirtualWorld

    init(_ number: AirLinkNumber, _ world: VirtualWorld) {
        identity = number.device.identity
        self.number = number
        self.world = world
    }

    func discoverServices(
        _ completion: @escaping @Sendable (Result<[GATTService], BLEError>) -> Void
    ) {
        world.ask(.services(completion)) { $0.ask(.discover, on: number, tag: $1) }
    }

    func read(
        _ attribute: AttributeID,
        _ completion: @escaping @Sendable (Result<[UInt8], BLEError>) -> Void
    ) {
        world.ask(.value(completion)) { $0.ask(.read(attribute), on: number, tag: $1) }
    }

    func write(
        _ value: [UInt8], to attribute: AttributeID, _ mode: WriteMode,
        _ completion: @escaping @Sendable (Result<Void, BLEError>) -> Void
    ) {
        let kind: AirOperation.Kind =
            switch mode {
            case .withResponse: .write(attribute, value)
            case .withoutResponse: .command(attribute, value)
            }
        world.ask(.done(completion)) { $0.ask(kind, on: number, tag: $1) }
    }

    func setNotify(
        _ isOn: Bool, for attribute: AttributeID,
        _ completion: @escaping @Sendable (Result<Void, BLEError>) -> Void
    ) {
        world.ask(.done(completion)) {
            $0.ask(.subscribe(attribute, isOn: isOn), on: number, tag: $1)
        }
    }

    func maximumWriteLength(for mode: WriteMode) -> Int {
        world.read { $0.air.maximumWriteLength(mode, on: number) }
    }

    func readRSSI(_ completion: @escaping @Sendable (Result<Int, BLEError>) -> Void) {
        world.ask(.rssi(completion)) { $0.readRSSI(on: number, tag: $1) }
    }

    func disconnect() {
        world.change { $0.air.disconnect(number) }
    }
}
