/// A backend to which many values come together.
package protocol BatchingTransport: BLETransport {
    /// Connects to a device, as ``BLETransport/openLink(to:events:completion:)`` does.
    func openLink(
        to identity: PeripheralIdentity, receiver: LinkReceiver,
        completion: @escaping @Sendable (Result<any LinkDriver, BLEError>) -> Void
    ) -> Registration
}
