package import HaloProtocol

/// A transport around another one, which forwards all that it does not implement itself.
package protocol ForwardingTransport: BLETransport {
    associatedtype Inner: BLETransport
    var base: Inner { get }
}

extension ForwardingTransport {
    public var time: any TransportTime { base.time }

    public var features: TransportFeatures { base.features }

    public var adapterState: AdapterState { base.adapterState }

    public func observeAdapter(
        _ change: @escaping @Sendable (AdapterState) -> Void
    ) -> BLECancellable { base.observeAdapter(change) }

    public func startScan(
        _ filter: ScanFilter, _ report: @escaping BLECompletion<Discovery>
    ) -> BLECancellable { base.startScan(filter, report) }

    public func openLink(
        to identity: PeripheralIdentity, events: @escaping @Sendable (LinkEvent) -> Void,
        completion: @escaping BLECompletion<any LinkDriver>
    ) -> BLECancellable { base.openLink(to: identity, events: events, completion: completion) }

    /// Finds the devices that the base finds.
    public func retrieveConnected(
        _ services: [BluetoothUUID], _ completion: @escaping BLECompletion<[Discovery]>
    ) { base.retrieveConnected(services, completion) }
}
