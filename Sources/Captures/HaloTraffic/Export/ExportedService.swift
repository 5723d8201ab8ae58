import HaloProtocol

struct ExportedService: Hashable, Sendable {
    let uuid: BluetoothUUID
    let first: UInt16
    let last: UInt16
    let characteristics: [ExportedCharacteristic]

    /// The entry in the response to a search.
    var entry: [UInt8] {
        var bytes: [UInt8] = []
        bytes.putLittle(first)
        bytes.putLittle(last)
        bytes.putUUID(uuid)
        return bytes
    }
}
