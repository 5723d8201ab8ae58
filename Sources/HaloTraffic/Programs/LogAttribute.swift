import HaloProtocol

/// An attribute of a device, as a log names it without its UUID.
struct LogAttribute: Hashable, Sendable {
    /// The name of the device in a path of BlueZ; empty if the log is about one device.
    var device: ContiguousArray<UInt8> = []
    /// The handle of the value.
    var handle: UInt16

    init(handle: UInt16) {
        self.handle = handle
    }

    /// Reads the characteristic at a path of BlueZ: `…/dev_C0_A1_62_1B_93_45/service000f/char0010`.
    /// Returns `nil` without one, and for a descriptor.
    ///
    /// The number in a path is the handle of the declaration; the value has the next one.
    init?(path cursor: TextCursor) {
        var cursor = cursor
        if cursor.skip(past: "/dev_") {
            device = ContiguousArray(cursor.rest.prefix { $0 != UInt8(ascii: "/") }.prefix(64))
        }
        guard cursor.skip(past: "/char"), let number = cursor.hexadecimal(), number.digits == 4,
            !cursor.starts(with: "/desc"), number.value < 0xFFFF
        else { return nil }
        handle = UInt16(truncatingIfNeeded: number.value) + 1
    }
}

/// The UUIDs of attributes, by the lines of a log that have both.
struct LogAttributeNames: Sendable {
    private var uuids: [LogAttribute: BluetoothUUID] = [:]

    /// The maximum number of remembered attributes.
    private static let most = 512

    mutating func note(_ uuid: BluetoothUUID, of attribute: LogAttribute) {
        if uuids.count < Self.most || uuids[attribute] != nil { uuids[attribute] = uuid }
    }

    /// Forgets all names, as another device begins.
    mutating func removeAll() { uuids.removeAll() }

    /// The characteristic of a value: its UUID if that is known, else its handle.
    func target(_ attribute: LogAttribute) -> LogValue.Target {
        uuids[attribute].map { .uuid($0) } ?? .handle(attribute.handle)
    }
}
