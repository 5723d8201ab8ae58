#if os(Linux)
internal import HaloDBus

/// The options of ``BlueZTransport``.
public struct BlueZOptions: Hashable, Sendable {
    /// The adapter: its name on the bus (`hci0`) or its address. `nil` chooses the first adapter
    /// that is powered, or else the first one.
    public var adapter: String?
    /// The address of the bus, such as `unix:path=/run/dbus/system_bus_socket`, or several, joined
    /// by semicolons; `nil` for the system's bus: `DBUS_SYSTEM_BUS_ADDRESS`, or else the standard
    /// address.
    public var bus: String?
    /// `true` to power on an adapter that is off, if that is permitted.
    public var powersOn: Bool
    /// The time within which values are coalesced: one delivery of many costs a fraction of many
    /// deliveries. The default of 7.5 ms is the shortest connection interval; zero delays no value.
    ///
    /// A value after a pause is not delayed. No value is delayed while an operation waits for its
    /// reply, or right after it.
    public var coalescingInterval: Duration
    /// The way to pair with a device that demands pairing; `nil` never pairs.
    public var pairing: BlueZPairing?
    /// `true` to share an existing link. Otherwise, connecting to a device that is already
    /// connected to this computer is refused.
    ///
    /// Disconnecting leaves a shared link open if another program is subscribed on it, and closes
    /// one that a killed program has left over.
    public var adoptsConnected: Bool

    /// Creates options; by default: the first adapter, no pairing.
    public init(
        adapter: String? = nil, bus: String? = nil, powersOn: Bool = false,
        coalescingInterval: Duration = .microseconds(7500),
        pairing: BlueZPairing? = nil, adoptsConnected: Bool = true
    ) {
        self.adapter = adapter
        self.bus = bus
        self.powersOn = powersOn
        self.coalescingInterval = coalescingInterval
        self.pairing = pairing
        self.adoptsConnected = adoptsConnected
    }

    func busAddresses() throws(DBusError) -> [DBusAddress] {
        guard let bus else { return try DBusAddress.systemBus() }
        do throws(DBusWireError) { return try DBusAddress.list(bus) } catch {
            throw DBusError(.invalidAddress, details: "BlueZOptions.bus is '\(bus)': \(error)")
        }
    }
}
#endif
