#if os(Linux)
internal import HaloDBus
internal import HaloTransport

struct Outage: Hashable, Sendable {
    let kind: BLEError.Kind
    let details: String

    init(_ kind: BLEError.Kind, _ details: String) {
        self.kind = kind
        self.details = details
    }

    /// The reason why the bus or the daemon cannot be reached. Each cause has a text of its own,
    /// because the remedies differ (pitfall 18: bleak 2.0 distinguishes the same ones).
    init(_ error: DBusError) {
        switch error.kind {
        case .unreachable:
            self.init(
                .backend,
                "the system's D-Bus cannot be reached: \(error.details ?? ""); "
                    + "it does not run, or this container lacks its socket")
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
        let (name, words) = (error.name ?? "", error.words)
        switch name {
        case DBusErrorName.accessDenied:
            self.init(.unauthorized, "D-Bus does not let this program use bluetoothd: \(words)")
        case DBusErrorName.serviceUnknown, DBusErrorName.nameHasNoOwner:
            self.init(
                .backend,
                "bluetoothd is not running: \(words); "
                    + "'sudo systemctl enable --now bluetooth' starts it")
        case DBusErrorName.noReply:
            self.init(.backend, "bluetoothd quit without an answer: \(words)")
        case _ where name.hasPrefix(DBusErrorName.spawnPrefix):
            self.init(.backend, "bluetoothd cannot be started: \(words)")
        default: self.init(.backend, words)
        }
    }

    func error(_ operation: BLEError.Operation) -> BLEError {
        BLEError(kind, operation, details: details)
    }
}
#endif
