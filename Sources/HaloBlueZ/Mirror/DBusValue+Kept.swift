#if os(Linux)
internal import HaloDBus
internal import HaloProtocol

extension DBusValue {
    /// Text that is kept: longer than any name in Bluetooth is none.
    var keptText: String? {
        string.flatMap { $0.utf8.count <= 512 ? $0 : nil }
    }

    /// A path that is kept.
    var keptPath: DBusObjectPath? {
        objectPath.flatMap { $0.isKept ? $0 : nil }
    }

    /// A UUID, as the daemon writes them.
    var keptUUID: BluetoothUUID? {
        keptText.flatMap { try? BluetoothUUID(parsing: $0) }
    }
}

extension DBusObjectPath {
    /// Whether it is short enough to be kept.
    var isKept: Bool { text.utf8.count <= BlueZMirror.maximumPathLength }
}
#endif
