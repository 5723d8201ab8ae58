import Foundation
import HaloProtocol
import HaloTransport

/// A transport with one device, which sends a number of values as fast as they are accepted.
final class FloodRadio: BLETransport {
    static let identity = PeripheralIdentity("flood")
    static let service = BluetoothUUID(0x180D)
    static let characteristic = BluetoothUUID(0x2A37)
    static let value: [UInt8] = [0x16, 72, 0x20, 0x03, 0x21, 0x03]

    let time: any TransportTime = SystemTime()
    let features: TransportFeatures = []
    let adapterState = AdapterState.poweredOn
    private let count: Int

    init(count: Int) { self.count = count }

    func observeAdapter(_ change: @escaping @Sendable (AdapterState) -> Void) -> BLECancellable {
        BLECancellable {}
    }

    func startScan(
        _ filter: ScanFilter, _ report: @escaping BLECompletion<Discovery>
    ) -> BLECancellable {
        report(
            .success(
                Discovery(Self.identity, services: [Self.service], rssi: -50, isConnectable: true)))
        return BLECancellable {}
    }

    func openLink(
        to identity: PeripheralIdentity, events: @escaping @Sendable (LinkEvent) -> Void,
        completion: @escaping BLECompletion<any LinkDriver>
    ) -> BLECancellable {
        completion(.success(FloodLink(count: count, events)))
        return BLECancellable {}
    }
}

/// The link of a ``FloodRadio``.
final class FloodLink: LinkDriver {
    private static let id = AttributeID(1)

    let identity = FloodRadio.identity
    private let count: Int
    private let events: @Sendable (LinkEvent) -> Void

    init(count: Int, _ events: @escaping @Sendable (LinkEvent) -> Void) {
        self.count = count
        self.events = events
    }

    func discoverServices(_ completion: @escaping BLECompletion<[GATTService]>) {
        let characteristic = GATTCharacteristic(Self.id, FloodRadio.characteristic, .notify)
        completion(
            .success([GATTService(FloodRadio.service, characteristics: [characteristic])]))
    }

    func read(_ attribute: AttributeID, _ completion: @escaping BLECompletion<[UInt8]>) {
        completion(.success(FloodRadio.value))
    }

    func write(
        _ value: [UInt8], to attribute: AttributeID, _ mode: WriteMode,
        _ completion: @escaping BLECompletion<Void>
    ) { completion(.success(())) }

    func setNotify(
        _ isOn: Bool, for attribute: AttributeID, _ completion: @escaping BLECompletion<Void>
    ) {
        completion(.success(()))
        guard isOn else { return }
        Thread { [events, count] in
            for _ in 0..<count { events(.value(Self.id, FloodRadio.value)) }
        }.start()
    }

    func maximumWriteLength(for mode: WriteMode) -> Int { mode == .withResponse ? 512 : 182 }

    func readRSSI(_ completion: @escaping BLECompletion<Int>) { completion(.success(-50)) }

    func disconnect() { events(.disconnected(DisconnectReason(.local))) }
}
