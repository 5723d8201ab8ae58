#if canImport(CoreBluetooth) && !os(tvOS) && !os(watchOS) && !os(visionOS)
internal import CoreBluetooth
internal import HaloProtocol
public import HaloTransport

extension CoreBluetoothTransport {
    /// Makes this phone or Mac a device:
    ///
    ///     let ring = try await bluetooth.host(VirtualRing(.r02))
    ///     print(ring.notes)
    ///
    /// The call returns when the services are published, and the device stays until
    /// `Hosted.remove()`, or an end for which `Hosted.waitUntilEnded()` has the error. While
    /// Bluetooth is off the device pauses. A transport hosts one device at a time.
    ///
    /// The system sets limits. What a device wants and the system does not do is in
    /// `Hosted.notes`: only a name and services are advertised; there is no interval; descriptors
    /// are texts and formats with a constant value; links cannot be closed. Centrals see the
    /// services and the name of the phone, too. An app with AccessorySetupKit in its `Info.plist`
    /// cannot host.
    @discardableResult public func host<Device: GATTPeripheral>(
        _ device: Device
    ) async throws(BLEError) -> Hosted<Device> {
        let place = HostPlace()
        let handle = HostHandle { place.run { $0.end(nil) } }
        guard claim(handle) else {
            throw BLEError(
                .notSupported, .host, details: "this phone can be one device at a time")
        }
        let peripheral = PeripheralHost(device, on: time) { effect in
            place.run { $0.perform(effect) }
        }
        let result: Result<Void, BLEError> = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let core = Confined(
                    HostCore(
                        peripheral, start: { peripheral.start() }, handle: handle,
                        ready: { continuation.resume(returning: $0) },
                        whenEnded: { place.put(nil) }),
                    to: queue)
                place.put(core)
                core.run { [weak core] in $0.home = core }
                let options = [CBPeripheralManagerOptionShowPowerAlertKey: showsPowerAlert]
                core.run(making: { core, queue in
                    CBPeripheralManager(delegate: core, queue: queue, options: options)
                }) { $0.use($1) }
                if Task.isCancelled { place.run { $0.end(BLEError(.cancelled, .host)) } }
            }
        } onCancel: {
            place.run { $0.end(BLEError(.cancelled, .host)) }
        }
        try result.get()
        return Hosted(peripheral, handle)
    }
}

/// The place of a hosted device's core: the device's effects and the app's handle find it here, and
/// retain it until the end.
private final class HostPlace: Sendable {
    private let core = Guarded<Confined<HostCore>?>(nil)

    func put(_ core: Confined<HostCore>?) { self.core.withLock { $0 = core } }

    func run(_ body: @escaping @Sendable (HostCore) -> Void) {
        core.withLock { $0 }?.run(body)
    }
}
#endif
