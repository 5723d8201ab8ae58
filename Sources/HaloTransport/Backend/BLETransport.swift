/// Bluetooth as a program meets it: what a backend implements.
///
/// It is little: the state of the adapter, scanning, connecting, and the time. What an app uses
/// is built on it once, in extensions and in ``BLELink``. Functions return at once, and call back
/// from any thread. `Documentation/Transport.md` maps each requirement to CoreBluetooth and to
/// BlueZ.
public protocol BLETransport: Sendable {
    /// The time that passes where the devices are.
    var time: any TransportTime { get }

    /// What this backend can do beyond what all can.
    var features: TransportFeatures { get }

    /// Whether Bluetooth can be used.
    var adapterState: AdapterState { get }

    /// Tells of each change of ``adapterState``, until cancelled.
    func observeAdapter(
        _ change: @escaping @Sendable (AdapterState) -> Void
    ) -> Registration

    /// Listens for advertisements, until cancelled.
    ///
    /// A backend may filter itself, or tell everything: what does not match is dropped above. A
    /// scan that cannot go on says so once, and tells nothing more.
    func startScan(
        _ filter: ScanFilter,
        _ report: @escaping @Sendable (Result<Discovery, BLEError>) -> Void
    ) -> Registration

    /// Connects to a device that was seen, or is known from earlier.
    ///
    /// The completion is called once, also when the attempt is cancelled, and then with
    /// ``BLEError/Kind/cancelled``. After a cancelled attempt there is no link. No event comes
    /// before the completion has been called with the link. A device to which there is a link
    /// already is refused with ``BLEError/Kind/alreadyConnected``.
    func openLink(
        to identity: PeripheralIdentity,
        events: @escaping @Sendable (LinkEvent) -> Void,
        completion: @escaping @Sendable (Result<any LinkDriver, BLEError>) -> Void
    ) -> Registration
}
