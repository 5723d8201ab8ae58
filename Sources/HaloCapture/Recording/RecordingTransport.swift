public import HaloTransport

/// A transport that records what goes over its links as a capture, and is otherwise the one that
/// it is made of.
///
///     let recorder = CaptureRecorder()
///     let ring = try await Ring.connect(over: RecordingTransport(bluetooth, to: recorder))
///     …
///     try recorder.capture().write(to: "bug.halo")
///
/// Recorded are connections and their ends, what a device offers, the length of values,
/// subscriptions, and every value that is written, read or sent, at the time that the transport's
/// clock shows when the program asks for it or is told of it. Reading and writing of descriptors
/// is not. Nobody notices: calls and answers are the same, in the same order.
public struct RecordingTransport<Base: BLETransport>: BLETransport {
    private let base: TracedTransport<Base>
    private let recorder: CaptureRecorder

    /// A transport that is recorded.
    ///
    /// Several transports can have one recorder if their time is the same.
    public init(_ base: Base, to recorder: CaptureRecorder) {
        recorder.begin(at: base.time.now(), base.time.wallClock())
        self.base = TracedTransport(base) { recorder.record($0) }
        self.recorder = recorder
    }

    /// The time of the transport that it is made of.
    public var time: any TransportTime { base.time }

    /// What the transport that it is made of can do.
    public var features: TransportFeatures { base.features }

    /// Whether Bluetooth can be used.
    public var adapterState: AdapterState { base.adapterState }

    /// Tells of each change of ``adapterState``.
    public func observeAdapter(
        _ change: @escaping @Sendable (AdapterState) -> Void
    ) -> Registration { base.observeAdapter(change) }

    /// Listens for advertisements; recorded are those of devices that are connected to, if the
    /// recorder wants them.
    public func startScan(
        _ filter: ScanFilter, _ report: @escaping BLECompletion<Discovery>
    ) -> Registration {
        base.startScan(filter) { [recorder, time] result in
            if case .success(let discovery) = result { recorder.heard(discovery, at: time.now()) }
            report(result)
        }
    }

    /// Connects, and records what goes over the link.
    public func openLink(
        to identity: PeripheralIdentity, events: @escaping @Sendable (LinkEvent) -> Void,
        completion: @escaping BLECompletion<any LinkDriver>
    ) -> Registration { base.openLink(to: identity, events: events, completion: completion) }
}
