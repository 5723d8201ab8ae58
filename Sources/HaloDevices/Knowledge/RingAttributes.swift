internal import HaloProtocol
internal import HaloTransport

/// The characteristics of a ring that a conversation needs.
struct RingAttributes: Hashable, Sendable {
    /// A characteristic that is written to, and the way in which it is.
    struct Target: Hashable, Sendable {
        let characteristic: GATTCharacteristic
        let mode: WriteMode
    }

    let uartWrite: Target
    let uartNotify: GATTCharacteristic
    /// The second service; nothing on a ring that lacks it.
    let bigDataWrite: Target?
    let bigDataNotify: GATTCharacteristic?
    /// What the Device Information service has.
    let information: [GATTCharacteristic]

    /// Finds them; a device without the first service is no ring.
    ///
    /// Frames are written with a response where the ring takes that, as the vendor's app does;
    /// records without.
    init(_ services: [GATTService]) throws(DeviceError) {
        let uart = Self.service(RingServices.uart, services)
        guard let write = Self.target(RingServices.uartWrite, uart, .withResponse),
            let notify = Self.source(RingServices.uartNotify, uart)
        else {
            throw DeviceError(
                .wrongDevice,
                bleError: BLEError(.wrongDevice, .discover, uuid: RingServices.uart))
        }
        uartWrite = write
        uartNotify = notify
        let bigData = Self.service(RingServices.bigData, services)
        bigDataWrite = Self.target(RingServices.bigDataWrite, bigData, .withoutResponse)
        bigDataNotify = Self.source(RingServices.bigDataNotify, bigData)
        information = Self.service(StandardServices.deviceInformation, services)
    }

    /// What belongs to a service; a device may list it more than once.
    private static func service(
        _ uuid: BluetoothUUID, _ services: [GATTService]
    ) -> [GATTCharacteristic] {
        services.filter { $0.uuid == uuid }.flatMap(\.characteristics)
    }

    private static func target(
        _ uuid: BluetoothUUID, _ characteristics: [GATTCharacteristic], _ wanted: WriteMode
    ) -> Target? {
        guard let found = characteristics.first(where: { $0.uuid == uuid }) else { return nil }
        let canRespond = found.properties.contains(.write)
        let canDoWithout = found.properties.contains(.writeWithoutResponse)
        guard canRespond || canDoWithout else { return nil }
        let mode: WriteMode =
            switch wanted {
            case .withResponse: canRespond ? .withResponse : .withoutResponse
            case .withoutResponse: canDoWithout ? .withoutResponse : .withResponse
            }
        return Target(characteristic: found, mode: mode)
    }

    private static func source(
        _ uuid: BluetoothUUID, _ characteristics: [GATTCharacteristic]
    ) -> GATTCharacteristic? {
        characteristics.first { $0.uuid == uuid && $0.properties.canSubscribe }
    }
}
