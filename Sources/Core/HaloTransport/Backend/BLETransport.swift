public import HaloProtocol

/// Bluetooth Low Energy from the side of a central: the requirements of a backend.
///
/// A backend implements the state of the adapter, scanning, connecting and the time. Extensions and
/// ``BLELink`` build all other functions on these. Functions return at once, and call back from any
/// thread. `Documentation/BackendsAndHosts.md` maps each requirement to CoreBluetooth and to BlueZ.
public protocol BLETransport: Sendable {
    /// The time of the devices: real or virtual.
    var time: any TransportTime { get }

    /// The abilities of this backend beyond those that all backends have.
    var features: TransportFeatures { get }

    /// The current state of the computer's Bluetooth.
    var adapterState: AdapterState { get }

    /// Calls a function at each change of ``adapterState``, until cancelled.
    func observeAdapter(_ change: @escaping @Sendable (AdapterState) -> Void) -> BLECancellable

    /// Listens for advertisements, until cancelled.
    ///
    /// A backend may filter, or report every advertisement: the layer above drops those that do not
    /// match. A scan that fails reports the error once, as its last report.
    func startScan(
        _ filter: ScanFilter, _ report: @escaping BLECompletion<Discovery>
    ) -> BLECancellable

    /// Connects to a device that was discovered, now or earlier.
    ///
    /// The completion is called once, also when the attempt is cancelled, and then with
    /// ``BLEError/Kind/cancelled``. After a cancelled attempt there is no link. Events begin after
    /// the completion has been called with the link. A second link to the same device is refused
    /// with ``BLEError/Kind/alreadyConnected``.
    func openLink(
        to identity: PeripheralIdentity,
        events: @escaping @Sendable (LinkEvent) -> Void,
        completion: @escaping BLECompletion<any LinkDriver>
    ) -> BLECancellable

    /// Finds the devices with one of some services that the system is connected to, except over
    /// this transport. Such a device does not advertise, so a scan does not discover it.
    ///
    /// The completion is called once. A discovery has those of the services that the device is
    /// known to have. Without ``TransportFeatures/connectedDevices`` there are none.
    func retrieveConnected(
        _ services: [BluetoothUUID], _ completion: @escaping BLECompletion<[Discovery]>)
}

extension BLETransport {
    /// Finds none: most backends have the adapter to themselves.
    public func retrieveConnected(
        _ services: [BluetoothUUID], _ completion: @escaping BLECompletion<[Discovery]>
    ) { completion(.success([])) }
}
