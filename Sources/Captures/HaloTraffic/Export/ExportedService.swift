import HaloProtocol

/// A service with its handles.
struct ExportedService: Hashable, Sendable {
    let uuid: BluetoothUUID
    let first: UInt16
    let last: UInt16
    let characteristics: [ExportedCharacteristic]
}
