#if os(Linux)
public import HaloDBus
public import HaloProtocol
public import HaloTransport

/// Bluetooth on Linux: a backend over BlueZ's daemon.
///
///     let ring = try await Ring.connect(over: try await BlueZTransport())
///
/// A device's identity is its address, in upper case. The daemon gives neither the bytes of
/// advertisements nor the RSSI of connections, and drops repeated advertisements of the same
/// strength: so ``features`` has only pairing.
///
/// When the daemon or the bus is gone, everything ends with an error that says so, and the next
/// request connects again.
///
/// `Documentation/BluetoothOnLinux.md` lists the possible problems by symptom, with their remedies.
public final class BlueZTransport: Sendable, BLETransport {
    let hub: BlueZHub

    /// Creates a transport over this computer's Bluetooth.
    ///
    /// It throws ``/HaloTransport/BLEError/Kind/backend`` without a daemon, or
    /// ``/HaloTransport/BLEError/Kind/unauthorized`` if the daemon may not be used; the error's
    /// details name the cause. A missing or powered-off adapter is no error, but a value of
    /// ``adapterState``, which is known when this returns.
    public convenience init(_ options: BlueZOptions = BlueZOptions()) async throws(BLEError) {
        try await self.init(options, on: SystemTime())
    }

    /// Creates a transport over a daemon on a private bus: `FakeBlueZ`, in tests.
    ///
    ///     let fake = try await FakeBlueZ()
    ///     let ring = try await Ring.connect(over: try await BlueZTransport(on: fake.bus))
    ///
    /// The transport holds the bus, and not the daemon. ``BlueZOptions/bus`` is ignored here.
    public convenience init(
        on bus: PrivateBus, _ options: BlueZOptions = BlueZOptions()
    ) async throws(BLEError) {
        let hub = BlueZHub(options: options) { loop throws(DBusError) in
            try DBusConnection(
                owning: try bus.socket(), in: loop, timeout: BlueZHub.openingTimeout)
        }
        try await self.init(hub)
    }

    package convenience init(
        _ options: BlueZOptions, on time: any TransportTime
    ) async throws(BLEError) {
        try await self.init(BlueZHub(options: options, time: time))
    }

    private init(_ hub: BlueZHub) async throws(BLEError) {
        self.hub = hub
        let time = hub.time
        let ready = Promise<Void, BLEError>(for: .adapter, on: time)
        try await ready.value {
            hub.update { session in
                session.whenUsable { session, result in
                    let failure = result.failure.flatMap { outage in
                        [.bluetoothOff, .noBluetooth].contains(outage.kind) ? nil : outage
                    }
                    session.callBack {
                        ready.resolve(failure.map { .failure($0.error(.adapter)) } ?? .success(()))
                    }
                }
            }
            return nil
        }
    }

    public var time: any TransportTime { hub.time }

    public var features: TransportFeatures { [.pairing, .connectedDevices] }

    public var adapterState: AdapterState { hub.read(\.adapterState) }

    public func observeAdapter(_ change: @escaping @Sendable (AdapterState) -> Void)
        -> BLECancellable
    {
        let number = hub.update { $0.observeAdapter(change) }
        return BLECancellable { [hub] in hub.update { $0.unobserveAdapter(number) } }
    }

    /// Scans for devices.
    ///
    /// All scans of a transport share the daemon's one discovery. A known device is reported when
    /// it is received again. A device that another scan, or another program's, has just received is
    /// reported at once, and so is a connected one.
    public func startScan(
        _ filter: ScanFilter, _ report: @escaping @Sendable (Result<Discovery, BLEError>) -> Void
    ) -> BLECancellable {
        let number = hub.update { $0.beginScan(filter, report) }
        return BLECancellable { [hub] in hub.update { $0.endScan(number) } }
    }

    /// Finds the devices that other programs are connected to, and those whose link was left over.
    /// There are none if ``BlueZOptions/adoptsConnected`` is `false`: then their links cannot be
    /// used.
    public func retrieveConnected(
        _ services: [BluetoothUUID],
        _ completion: @escaping @Sendable (Result<[Discovery], BLEError>) -> Void
    ) { hub.update { $0.retrieveConnected(services, completion) } }

    /// Makes this computer a peripheral:
    ///
    ///     try await BlueZTransport().host(VirtualRing(.r02))
    ///
    /// It returns when the device is registered, and the device stays until
    /// ``/HaloTransport/Hosted/remove()``, the end of the program, or an end for which
    /// ``/HaloTransport/Hosted/waitUntilEnded()`` has the reason. After a restart of the daemon, or
    /// with an adapter that is plugged in again, it is registered again.
    /// A program that crashes leaves nothing behind: the daemon cleans up.
    ///
    /// One central at a time is served. A device to which this program connects over the same
    /// transport is not taken for a central.
    ///
    /// The differences to a device of its own: the daemon answers for a device that does not within
    /// five seconds, and the link goes on. Of the ATT errors it passes on 02, 03, 06, 07, 08, 0D,
    /// FE and a service's own, 80 to 9F, and turns all others into 0E. A central that only
    /// subscribes gets the length of packets later. A write with response, to a characteristic that
    /// can be written without response too, is confirmed by the daemon before the device gets it.
    @discardableResult public func host<Device: GATTPeripheral>(
        _ device: Device, _ options: HostingOptions = HostingOptions()
    ) async throws(BLEError) -> Hosted<Device> { try await hub.host(device, options) }
}
#endif
