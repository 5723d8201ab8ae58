#if canImport(CoreBluetooth)
internal import CoreBluetooth
internal import Dispatch
internal import Foundation
public import HaloProtocol
public import HaloTransport

/// Bluetooth on Apple's systems: the backend over CoreBluetooth.
///
///     let bluetooth = CoreBluetoothTransport()
///     let ring = try await Ring.connect(over: bluetooth)
///
/// One transport is enough for an app: scans and links share it. The system asks the user for
/// permission when the transport is used for the first time, or when it is created for restoring.
public final class CoreBluetoothTransport: BLETransport {
    /// The phone's time.
    public let time: any TransportTime = SystemTime()
    /// The RSSI of connected devices, and each advertisement, which the system reports in the
    /// foreground only.
    public let features: TransportFeatures = [
        .connectedRSSI, .duplicateReports, .connectedDevices,
    ]

    private let restoreIdentifier: String?
    let showsPowerAlert: Bool
    private let board = Guarded(AdapterBoard())
    let queue = DispatchQueue(label: "HaloCoreBluetooth")
    private let central: Confined<CentralCore>
    private let hosted = Guarded<HostHandle?>(nil)
    /// `true` once there is a manager, and the number of the last scan or attempt.
    private let use = Guarded((hasBegun: false, last: UInt64(0)))

    /// Creates a transport.
    ///
    /// - Parameters:
    ///   - identifier: A name of this transport, unique in the app, for state restoration: the
    ///     system keeps links and attempts while the app is suspended or ended, and launches it
    ///     again for their events. Create such a transport while the app launches. The system ends
    ///     an app whose `UIBackgroundModes` do not have `bluetooth-central`. `nil` for none.
    ///   - showsPowerAlert: `true` if the system may show an alert when Bluetooth is off.
    public init(restoring identifier: String? = nil, showsPowerAlert: Bool = true) {
        restoreIdentifier = identifier
        self.showsPowerAlert = showsPowerAlert
        central = Confined(CentralCore(board), to: queue)
        central.run { [weak central] core in core.home = central }
        if identifier != nil { makeManager() }
    }

    deinit { central.run { $0.abandon() } }

    /// The current state of Bluetooth; unknown until the system has reported one. Reading it is a
    /// use of the transport: the system may ask the user for permission.
    public var adapterState: AdapterState {
        makeManager()
        return board.withLock { $0.state }
    }

    /// Calls a function at each change of ``adapterState``, until cancelled.
    public func observeAdapter(
        _ change: @escaping @Sendable (AdapterState) -> Void
    ) -> BLECancellable {
        let number = board.withLock { $0.add(change) }
        makeManager()
        return BLECancellable { [board] in board.withLock { $0.remove(number) } }
    }

    /// Listens for advertisements, until cancelled. In the background the system reports only
    /// devices with one of the filter's services.
    public func startScan(
        _ filter: ScanFilter, _ report: @escaping BLECompletion<Discovery>
    ) -> BLECancellable {
        let number = nextNumber()
        central.run { $0.scan(number, filter, report) }
        return BLECancellable { [weak central] in central?.run { $0.endScan(number) } }
    }

    /// Connects to a device that was discovered, now or earlier, or that the system knows.
    ///
    /// The attempt has no timeout: it waits until the device is in reach, also while the app is
    /// suspended.
    public func openLink(
        to identity: PeripheralIdentity, events: @escaping @Sendable (LinkEvent) -> Void,
        completion: @escaping BLECompletion<any LinkDriver>
    ) -> BLECancellable {
        let attempt = CentralCore.Attempt(
            number: nextNumber(), identity: identity, events: events, completion: completion)
        central.run { $0.open(attempt) }
        return BLECancellable { [weak central] in
            central?.run { $0.cancelAttempt(attempt.number) }
        }
    }

    /// Finds the devices with one of some services that the system is connected to, for this app,
    /// another one, or itself. Such a device does not advertise.
    public func retrieveConnected(
        _ services: [BluetoothUUID], _ completion: @escaping BLECompletion<[Discovery]>
    ) {
        makeManager()
        central.run { core in
            core.whenKnown { $0.retrieveConnected(services, completion) }
        }
    }

    /// The devices that the system has restored, and that the app has not connected to since. The
    /// call waits until the state of Bluetooth is known; a cancelled task gets none.
    ///
    /// Connect to those that the app still wants: a link that is there is used. Release the others
    /// with ``release(_:)``.
    public func restoredDevices() async -> [PeripheralIdentity] {
        makeManager()
        let reply = Reply<[PeripheralIdentity]>()
        central.run { core in core.whenKnown { reply.send($0.restoredIdentities) } }
        return await reply.value(ifCancelled: [])
    }

    /// Ends the link, or the attempt, of a device of ``restoredDevices()``.
    public func release(_ identity: PeripheralIdentity) {
        central.run { core in core.whenKnown { $0.release(identity) } }
    }

    /// Takes the one place for a hosted device; `false` if another one has it.
    func claim(_ handle: HostHandle) -> Bool {
        hosted.withLock { hosted in
            guard hosted?.hasEnded != false else { return false }
            hosted = handle
            return true
        }
    }

    private func nextNumber() -> UInt64 {
        makeManager()
        return use.withLock { use in
            use.last += 1
            return use.last
        }
    }

    private func makeManager() {
        let isFirst = use.withLock { use in
            defer { use.hasBegun = true }
            return !use.hasBegun
        }
        guard isFirst else { return }
        var options: [String: Any] = [CBCentralManagerOptionShowPowerAlertKey: showsPowerAlert]
        if let restoreIdentifier {
            options[CBCentralManagerOptionRestoreIdentifierKey] = restoreIdentifier
        }
        central.run(making: { core, queue in
            CBCentralManager(delegate: core, queue: queue, options: options)
        }) { core, manager in
            core.use(manager)
        }
    }
}
#endif
