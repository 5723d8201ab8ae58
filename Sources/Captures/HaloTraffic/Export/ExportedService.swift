import HaloProtocol

struct ExportedService: Hashable, Sendable {
    let uuid: BluetoothUUID
    let first: UInt16
    let last: UInt16
    let characteristics: [ExportedCharacteristic]

    /// The entry in the response to a search.
    var entry: [UInt8] { .little(first) + .little(last) + .uuid(uuid) }
}
