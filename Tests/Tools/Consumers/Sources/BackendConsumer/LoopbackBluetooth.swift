import HaloTransport

/// A backend with one device, which runs in this process.
///
/// The device's host and the app's requests meet in a ``Loopback``, which is on one queue.
final class LoopbackBluetooth<Device: GATTPeripheral>: BLETransport {
    let time: any TransportTime = SystemTime()
    let features: TransportFeatures = []
    let adapterState = AdapterState.poweredOn

    private let loopback: Loopback
    private let host: PeripheralHost<Device>

    init(_ device: Device) {
        let loopback = Loopback()
        self.loopback = loopback
        host = PeripheralHost(device, on: time) { effect in loopback.perform(effect) }
        loopback.start(host)
    }

    /// Changes the device from outside.
    func modify<Result>(_ body: (inout Device) -> Result) -> Result { host.modify(body) }

    func observeAdapter(_ change: @escaping @Sendable (AdapterState) -> Void) -> BLECancellable {
        BLECancellable {}
    }

    func startScan(
        _ filter: ScanFilter, _ report: @escaping BLECompletion<Discovery>
    ) -> BLECancellable {
        let scan = Loopback.Scan(report)
        loopback.run { $0.begin(scan) }
        return BLECancellable { [loopback] in loopback.run { $0.end(scan) } }
    }

    func openLink(
        to identity: PeripheralIdentity, events: @escaping @Sendable (LinkEvent) -> Void,
        completion: @escaping BLECompletion<any LinkDriver>
    ) -> BLECancellable {
        let attempt = Loopback.Attempt(identity, events, completion)
        loopback.run { $0.begin(attempt) }
        return BLECancellable { [loopback] in loopback.run { $0.cancel(attempt) } }
    }
}
