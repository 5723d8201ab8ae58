public import HaloProtocol
public import HaloTransport

/// A transport that records the traffic of its links as a capture, and otherwise forwards to its
/// base.
///
///     let recorder = CaptureRecorder()
///     let ring = try await Ring.connect(over: RecordingTransport(bluetooth, to: recorder))
///     …
///     try recorder.capture().write(to: "bug.halo")
///
/// The recording has connections and their ends, services, the maximum length of values,
/// subscriptions, and every value that is written, read or notified, with the time of the call or
/// callback by the transport's clock. Calls and callbacks are the same as those of the base, in the
/// same order.
public struct RecordingTransport<Base: BLETransport>: ForwardingTransport {
    package let base: TracedTransport<Base>
    private let recorder: CaptureRecorder

    /// Creates a transport that records the links of another one.
    ///
    /// Several transports can share one recorder if their time is the same.
    public init(_ base: Base, to recorder: CaptureRecorder) {
        recorder.setOrigin(at: base.time.now(), base.time.wallClock())
        self.base = TracedTransport(base) { recorder.record($0) }
        self.recorder = recorder
    }

    /// Scans for advertisements. Those of devices with recorded connections are recorded too, if
    /// the recorder's options allow it.
    public func startScan(
        _ filter: ScanFilter, _ report: @escaping BLECompletion<Discovery>
    ) -> BLECancellable {
        base.startScan(filter) { [recorder, time] result in
            if case .success(let discovery) = result { recorder.heard(discovery, at: time.now()) }
            report(result)
        }
    }

    /// Finds the devices that the base finds. A recording has their names.
    public func retrieveConnected(
        _ services: [BluetoothUUID], _ completion: @escaping BLECompletion<[Discovery]>
    ) {
        base.retrieveConnected(services) { [recorder, time] result in
            if case .success(let found) = result {
                for discovery in found { recorder.heard(discovery, at: time.now()) }
            }
            completion(result)
        }
    }
}
