/// A transport that logs all requests and events on the links of another transport. Scans are not
/// logged.
package struct TracedTransport<Inner: BLETransport>: ForwardingTransport {
    package let base: Inner
    private let observer: LinkObserver

    package init(_ base: Inner, _ observer: @escaping LinkObserver) {
        self.base = base
        self.observer = observer
    }

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
