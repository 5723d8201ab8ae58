package import HaloProtocol

/// A transport that logs all requests and events on the links of another transport.
package struct TracedTransport<Base: BLETransport>: BLETransport {
    private let base: Base
    private let observer: LinkObserver

    /// Creates a transport that logs the links of another one.
    package init(_ base: Base, _ observer: @escaping LinkObserver) {
        self.base = base
        self.observer = observer
    }

    /// The time of the other transport.
    package var time: any TransportTime { base.time }

    /// The features of the other transport.
    package var features: TransportFeatures { base.features }

    /// The current state of the computer's Bluetooth.
    package var adapterState: AdapterState { base.adapterState }

    /// Calls a function at each change of ``adapterState``.
    package func observeAdapter(
        _ change: @escaping @Sendable (AdapterState) -> Void
    ) -> BLECancellable { base.observeAdapter(change) }

    /// Listens for advertisements; scans are not logged.
    package func startScan(
        _ filter: ScanFilter, _ report: @escaping BLECompletion<Discovery>
    ) -> BLECancellable { base.startScan(filter, report) }

    /// Finds the devices that the other transport finds.
    package func retrieveConnected(
        _ services: [BluetoothUUID], _ completion: @escaping BLECompletion<[Discovery]>
    ) { base.retrieveConnected(services, completion) }

    /// Connects, and logs the link.
    package func openLink(
        to identity: PeripheralIdentity, events: @escaping @Sendable (LinkEvent) -> Void,
        completion: @escaping BLECompletion<any LinkDriver>
    ) -> BLECancellable {
        let tracer = LinkTracer(identity, on: base.time, observer)
        let reply = tracer.request(
            .connect,
            describing: { driver, trace in
                trace.maximumWriteLength = driver.maximumWriteLength(for: .withoutResponse)
            }, then: completion)
        return base.openLink(to: identity) { event in
            tracer.received(event)
            events(event)
        } completion: { result in
            if case .success(let driver) = result { tracer.opened(driver) }
            reply(result.map { TracedDriver($0, tracer) })
        }
    }
}
