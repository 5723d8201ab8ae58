#if canImport(CoreBluetooth)
internal import HaloProtocol
internal import HaloTransport

/// The app's end of a link: each call goes to the queue of the central.
///
/// The central, its manager and the link live at least as long as this object. When the object is
/// dropped, the link is closed.
final class CoreBluetoothLink: LinkDriver {
    let identity: PeripheralIdentity
    private let lengths: Guarded<PeripheralLink.Lengths>
    private let perform: @Sendable (Action) -> Void

    enum Action: Sendable {
        case request(LinkRequest)
        case disconnect
        case drop
    }

    init(
        _ identity: PeripheralIdentity, lengths: Guarded<PeripheralLink.Lengths>,
        perform: @escaping @Sendable (Action) -> Void
    ) {
        self.identity = identity
        self.lengths = lengths
        self.perform = perform
    }

    deinit { perform(.drop) }

    func discoverServices(_ completion: @escaping BLECompletion<[GATTService]>) {
        perform(.request(.discover(completion)))
    }

    func read(_ attribute: AttributeID, _ completion: @escaping BLECompletion<[UInt8]>) {
        perform(.request(.read(attribute, completion)))
    }

    func write(
        _ value: [UInt8], to attribute: AttributeID, _ mode: WriteMode,
        _ completion: @escaping BLECompletion<Void>
    ) {
        perform(.request(.write(value, attribute, mode, completion)))
    }

    func setNotify(
        _ isOn: Bool, for attribute: AttributeID, _ completion: @escaping BLECompletion<Void>
    ) {
        perform(.request(.setNotify(isOn, attribute, completion)))
    }

    func maximumWriteLength(for mode: WriteMode) -> Int {
        lengths.withLock { lengths in
            switch mode {
            case .withResponse: lengths.withResponse
            case .withoutResponse: lengths.withoutResponse
            }
        }
    }

    func readRSSI(_ completion: @escaping BLECompletion<Int>) {
        perform(.request(.readRSSI(completion)))
    }

    func disconnect() { perform(.disconnect) }
}
#endif
