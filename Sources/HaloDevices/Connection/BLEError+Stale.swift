internal import HaloTransport

extension BLEError {
    /// `true` if the device's services are no longer those that were found; that they have changed
    /// may be told a little later.
    var isStale: Bool { kind == .noSuchAttribute || attError == .invalidHandle }
}
