#if os(Linux)
public import HaloDBus
public import HaloTransport

/// Bluetooth on Linux: a backend over the daemon of BlueZ.
///
///     let ring = try await Ring.connect(over: try await BlueZTransport())
///
/// A device's identity is its address, in upper case. The daemon tells neither the bytes of
/// advertisements nor the strength of a connected device's signal, and of two advertisements that
/// say the same, heard equally strong, only the first: so ``features`` is empty.
///
/// When the daemon or the bus is gone, everything ends with an error that says so, and what is
/// asked for next looks for them again.
///
/// `Documentation/BlueZ.md` says, by symptom, what can go wrong on a computer and what helps.
public final class BlueZTransport: Sendable {
    let hub: BlueZHub

    /// Bluetooth as this computer has it.
    ///
    /// It throws if there is no daemon to ask, with ``BLEError/Kind/backend``, or if it may not
    /// be asked, with ``BLEError/Kind/unauthorized``; the error's details say what is missing.
    /// That there is no adapter, or that it is off, is told by ``adapterState``, which is known
    /// when this returns.
    public convenience init(_ options: BlueZOptions = BlueZOptions()) async throws(BLEError) {
        try await self.init(options, on: SystemTime())
    }

    /// Bluetooth as a daemon on a bus of this program has it: `FakeBlueZ`, in tests.
    ///
    ///     let fake = try await FakeBlueZ()
    ///     let ring = try await Ring.connect(over: try await BlueZTransport(on: fake.bus))
    ///
    /// The transport holds the bus, and not the daemon. ``BlueZOptions/bus`` means nothing here.
    public convenience init(
        on bus: PrivateBus, _ options: BlueZOptions = BlueZOptions()
    ) async throws(BLEError) {
        let hub = BlueZHub(options: options) { () throws(DBusError) in
            try DBusConnection(owning: try bus.socket(), timeout: BlueZHub.openingTimeout)
        }
        try await self.init(hub)
    }

    /// Bluetooth as this computer has it, on another time than the system's.
    package convenience init(
        _ options: BlueZOptions, on time: any TransportTime
    ) async throws(BLEError) {
        try await self.init(BlueZHub(options: options, time: time))
    }

    private init(_ hub: BlueZHub) async throws(BLEError) {
        self.hub = hub
        let time = hub.time
        let ready = Promise<Void>(for: .adapter, on: time)
        hub.update { session in
            session.whenUsable { session, result in
                let outcome = Self.outcome(result)
                session.perform { ready.resolve(outcome) }
            }
        }
        try await ready.value()
    }

    private static func outcome<Path>(_ result: Result<Path, Outage>) -> Result<Void, BLEError> {
        switch result {
        case .success: .success(())
        case .failure(let outage) where [.poweredOff, .unsupported].contains(outage.kind):
            .success(())
        case .failure(let outage): .failure(outage.error(.adapter))
        }
    }
}

extension BlueZTransport: BLETransport {
    public var time: any TransportTime { hub.time }

    public var features: TransportFeatures { .pairing }

    public var adapterState: AdapterState { hub.read(\.adapterState) }

    public func observeAdapter(_ change: @escaping @Sendable (AdapterState) -> Void) -> Registration
    {
        let number = hub.update { $0.observeAdapter(change) }
        return Registration { [hub] in hub.update { $0.unobserveAdapter(number) } }
    }

    /// Listens for devices.
    ///
    /// All scans of a transport share the daemon's one discovery. A device that was heard before
    /// is told when it is heard again; one that another scan, or another program's, has heard
    /// just now, and one that is connected, at once.
    public func startScan(
        _ filter: ScanFilter, _ report: @escaping @Sendable (Result<Discovery, BLEError>) -> Void
    ) -> Registration {
        let number = hub.update { $0.beginScan(filter, report) }
        return Registration { [hub] in hub.update { $0.endScan(number) } }
    }
}

extension BlueZTransport {
    /// Makes this computer a device that others find and connect to:
    ///
    ///     try await BlueZTransport().host(VirtualRing(.r02))
    ///
    /// It returns when the device is there, and the device stays until ``Hosted/remove()``, the
    /// end of the program, or an end for which ``Hosted/ended()`` has the reason. A daemon that is
    /// started again, or an adapter that is plugged in again, gets it again. A program that dies
    /// leaves nothing behind: the daemon notices.
    ///
    /// One central at a time is served. Of the adapter's other duties it takes no notice: a
    /// device to which this program connects meanwhile, over the same transport, is not taken for
    /// a central.
    ///
    /// What differs from a device of its own: the daemon answers for a device that does not within
    /// five seconds, and the link goes on. Of the errors of a refusal it passes on 02, 03, 06, 07,
    /// 08, 0D, FE and a service's own, 80 to 9F, and makes 0E of all others. Who subscribes
    /// without having asked for anything is told the length of packets only later. A write with a
    /// response, to a characteristic that can be written without one too, is confirmed by the
    /// daemon before the device has seen it.
    @discardableResult public func host<Device: GATTPeripheral>(
        _ device: Device, _ options: HostingOptions = HostingOptions()
    ) async throws(BLEError) -> Hosted<Device> { try await hub.host(device, options) }
}
#endif
