#if os(Linux)
internal import BlueZVocabulary
internal import HaloDBus
internal import HaloTransport

extension BLEError {
    /// Why the daemon does not take a device; `excess` says what of its advertisement does not
    /// fit.
    init(hosting error: DBusError, excess: String? = nil) {
        let words = [error.name, error.details].compactMap { $0 }.joined(separator: ": ")
        guard let kind = Self.kind(error, isTooLong: excess != nil) else {
            self = Outage(error).error(.host)
            return
        }
        self.init(kind, .host, details: excess.map { "\(words) (\($0))" } ?? words)
    }

    /// What the daemon's refusals mean when a device is registered; nothing for what they mean
    /// everywhere.
    private static func kind(_ error: DBusError, isTooLong: Bool) -> Kind? {
        switch error.name {
        case BlueZErrorName.invalidLength: .tooLong
        case BlueZErrorName.failed where isTooLong: .tooLong
        // More advertisements than the controller has room for.
        case BlueZErrorName.notPermitted: .overloaded
        case BlueZErrorName.notReady: .poweredOff
        case BlueZErrorName.notSupported, BusErrorName.unknownMethod,
            BusErrorName.unknownInterface, BusErrorName.unknownObject:
            .notSupportedHere
        default: nil
        }
    }
}
#endif
