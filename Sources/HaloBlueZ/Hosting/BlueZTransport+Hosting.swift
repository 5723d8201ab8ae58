#if os(Linux)
internal import HaloDBus
public import HaloTransport

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
    @discardableResult
    public func host<Device: GATTPeripheral>(
        _ device: Device, _ options: HostingOptions = HostingOptions()
    ) async throws(BLEError) -> Hosted<Device> {
        let adapter = try await usableAdapter()
        guard let connection = hub.connection() else {
            throw BLEError(.backend, .host, details: "the connection to D-Bus has ended")
        }
        let wish = HostedAdapterWish(
            path: adapter, name: hub.options.adapter, powersOn: hub.options.powersOn)
        return try await Self.host(device, options, wish, on: connection, time: hub.time) {
            [weak hub] path in hub?.read { $0.isCentral(of: path) } ?? false
        }
    }

    /// The adapter, as soon as it can be used.
    private func usableAdapter() async throws(BLEError) -> DBusObjectPath {
        let usable = Promise<DBusObjectPath>(for: .host, on: hub.time)
        hub.update { session in
            session.whenUsable { session, result in
                let outcome = result.mapError { $0.error(.host) }
                session.perform { usable.resolve(outcome) }
            }
        }
        return try await usable.value()
    }

    /// Hosts a device over any connection.
    static func host<Device: GATTPeripheral>(
        _ device: Device, _ options: HostingOptions, _ wish: HostedAdapterWish,
        on connection: DBusConnection, time: any TransportTime,
        isOurs: @escaping @Sendable (DBusObjectPath) -> Bool = { _ in false }
    ) async throws(BLEError) -> Hosted<Device> {
        let session = HostSession(options, wish, at: HostedPlace.next())
        let host = BlueZHost(on: connection, session, time: time, isOurs: isOurs)
        let peripheral = PeripheralHost(device, on: time) { [weak host] in host?.carryOut($0) }
        try await host.begin(peripheral)
        return Hosted(peripheral, host)
    }
}
#endif
