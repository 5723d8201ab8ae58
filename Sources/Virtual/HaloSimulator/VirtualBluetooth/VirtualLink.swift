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
        world.ask(completion, \.services) { $0.ask(.discover, on: number, tag: $1) }
    }

    func read(
        _ attribute: AttributeID,
        _ completion: @escaping @Sendable (Result<[UInt8], BLEError>) -> Void
    ) {
        world.ask(completion, \.value) { $0.ask(.read(attribute), on: number, tag: $1) }
    }

    func write(
        _ value: [UInt8], to attribute: AttributeID, _ mode: WriteMode,
        _ completion: @escaping @Sendable (Result<Void, BLEError>) -> Void
    ) {
        switch mode {
        case .withResponse: ask(.write(attribute, value), completion)
        case .withoutResponse: ask(.command(attribute, value), completion)
        }
    }

    func setNotify(
        _ isOn: Bool, for attribute: AttributeID,
        _ completion: @escaping @Sendable (Result<Void, BLEError>) -> Void
    ) {
        ask(.subscribe(attribute, isOn: isOn), completion)
    }

    private func ask(
        _ operation: AirOperation.Kind,
        _ completion: @escaping @Sendable (Result<Void, BLEError>) -> Void
    ) {
        world.ask(completion, \.done) { $0.ask(operation, on: number, tag: $1) }
    }

    func maximumWriteLength(for mode: WriteMode) -> Int {
        world.read { $0.air.maximumWriteLength(mode, on: number) }
    }

    func readRSSI(_ completion: @escaping @Sendable (Result<Int, BLEError>) -> Void) {
        world.ask(completion, \.rssi) { $0.readRSSI(on: number, tag: $1) }
    }

    func disconnect() {
        world.state.run { $0.air.disconnect(number) }
    }
}

extension AirOutput {
    fileprivate var services: [GATTService]? {
        if case .services(let services, _) = self { services } else { nil }
    }
    fileprivate var value: [UInt8]? { if case .value(let value, _) = self { value } else { nil } }
    fileprivate var done: Void? { if case .done = self { () } else { nil } }
    fileprivate var rssi: Int? { if case .rssi(let rssi, _) = self { rssi } else { nil } }
}
