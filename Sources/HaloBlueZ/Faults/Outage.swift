#if os(Linux)
internal import BlueZVocabulary
internal import HaloDBus
internal import HaloTransport

/// Why Bluetooth cannot be used at all at this time, whatever is asked of it.
struct Outage: Hashable, Sendable {
    let kind: BLEError.Kind
    let details: String

    init(_ kind: BLEError.Kind, _ details: String) {
        self.kind = kind
        self.details = details
    }

    /// Why the bus, or the daemon on it, cannot be reached. Each cause has words of its own: what
    /// mends it differs (pitfall 18: bleak 2.0 tells the same ones apart).
    init(_ error: DBusError) {
        switch error.kind {
        case .unreachable:
            self.init(
                .backend,
                "the system's D-Bus cannot be reached: \(error.details ?? ""); "
                    + "'sudo systemctl start dbus' starts it, and a container needs its socket")
        case .notAuthenticated:
            self.init(.unauthorized, "D-Bus does not let this program in: \(error.details ?? "")")
        case .disconnected:
            self.init(.backend, "the connection to D-Bus has ended: \(error.details ?? "")")
        case .timedOut: self.init(.timedOut, "bluetoothd did not answer in time")
        case .remote: self.init(remote: error)
        default: self.init(.backend, error.description)
        }
    }

    private init(remote error: DBusError) {
        let name = error.name ?? ""
        let words = [error.name, error.details].compactMap { $0 }.joined(separator: ": ")
        switch name {
        case BusErrorName.accessDenied:
            self.init(.unauthorized, "D-Bus does not let this program use bluetoothd: \(words)")
        case BusErrorName.serviceUnknown, BusErrorName.nameHasNoOwner:
            self.init(
                .backend,
                "bluetoothd is not running: \(words); "
                    + "'sudo systemctl enable --now bluetooth' starts it")
        case BusErrorName.noReply:
            self.init(.backend, "bluetoothd has left without an answer: \(words)")
        case _ where name.hasPrefix(BusErrorName.spawn):
            self.init(.backend, "bluetoothd cannot be started: \(words)")
        default: self.init(.backend, words)
        }
    }

    /// The same, for what was asked for.
    func error(_ operation: BLEError.Operation) -> BLEError {
        BLEError(kind, operation, details: details)
    }
}
#endif
