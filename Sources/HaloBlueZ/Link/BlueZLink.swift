#if os(Linux)
internal import HaloProtocol
internal import HaloTransport

/// A link's end in the program: everything else is in the session.
final class BlueZLink: LinkDriver {
    let identity: PeripheralIdentity
    private let number: LinkNumber
    private let hub: BlueZHub

    init(_ number: LinkNumber, to identity: PeripheralIdentity, _ hub: BlueZHub) {
        self.number = number
        self.identity = identity
        self.hub = hub
    }

    func discoverServices(
        _ completion: @escaping @Sendable (Result<[GATTService], BLEError>) -> Void
    ) {
        hub.update { $0.discoverServices(on: number, completion) }
    }

    func read(
        _ attribute: AttributeID,
        _ completion: @escaping @Sendable (Result<[UInt8], BLEError>) -> Void
    ) {
        hub.update { $0.submit(.read(completion), for: attribute, on: number) }
    }

    func write(
        _ value: [UInt8], to attribute: AttributeID, _ mode: WriteMode,
        _ completion: @escaping @Sendable (Result<Void, BLEError>) -> Void
    ) {
        hub.update { $0.submit(.write(value, mode, completion), for: attribute, on: number) }
    }

    func setNotify(
        _ isOn: Bool, for attribute: AttributeID,
        _ completion: @escaping @Sendable (Result<Void, BLEError>) -> Void
    ) {
        hub.update { $0.submit(.notify(isOn, completion), for: attribute, on: number) }
    }

    /// The longest value of an attribute. With a response, the daemon writes in pieces what is
    /// longer than a packet, so that every link carries it.
    static let longestValue = 512

    /// The most bytes of one write. Where the session has ended the link and its user is still to
    /// hear so, no value is too long, and what is written fails with the link's end.
    func maximumWriteLength(_ mode: WriteMode) -> Int {
        switch mode {
        case .withResponse: Self.longestValue
        case .withoutResponse: hub.read { $0.links[number]?.maximumLength ?? Self.longestValue }
        }
    }

    /// The daemon tells how strong a device was heard, and not how strong its link is.
    func readRSSI(_ completion: @escaping @Sendable (Result<Int, BLEError>) -> Void) {
        completion(.failure(BLEError(.notSupportedHere, .readRSSI)))
    }

    func pair(_ completion: @escaping @Sendable (Result<Void, BLEError>) -> Void) {
        hub.update { $0.submit(.pair(completion), for: nil, on: number) }
    }

    func disconnect() {
        hub.update { $0.closeLink(number) }
    }
}
#endif
