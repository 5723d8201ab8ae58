#if os(Linux)
internal import HaloDBus

extension BlueZSession {
    /// Whether a device's link is one that this program has, or is about to have, as a central.
    func isCentral(of device: DBusObjectPath) -> Bool {
        if links.byDevice[device] != nil { return true }
        guard let address = mirror.devices[device]?.address else { return false }
        return links.courses.values.contains { $0.address == address.uppercased() }
    }
}
#endif
