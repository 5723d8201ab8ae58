#if os(Linux)
public import HaloDBus
internal import HaloTransport

/// A fake of BlueZ's daemon on a private bus: programs in any language find the devices that are
/// added to it.
///
///     let fake = try await FakeBlueZ()
///     let worn = fake.add(VirtualRing(.r02))
///     let ring = try await Ring.connect(over: try await BlueZTransport(on: fake.bus))
///
/// It behaves as BlueZ 5.66 was seen to, with the faults in ``quirks``. Devices run in real time,
/// each with one central at a time. The devices of one daemon are out of reach of another. The
/// daemon ends with its last reference.
public final class FakeBlueZ: Sendable {
    /// The bus of the daemon.
    public let bus: PrivateBus
    let shell: FakeShell

    /// Starts a daemon with adapters `hci0`, `hci1` …, which are on.
    public init(
        adapters: Int = 1, quirks: FakeQuirks = FakeQuirks(), timing: FakeTiming = FakeTiming(),
        on bus: PrivateBus? = nil
    ) async throws(DBusError) {
        if let bus { self.bus = bus } else { self.bus = try PrivateBus() }
        shell = FakeShell(quirks: quirks, timing: timing)
        shell.update { daemon in
            for number in 0..<max(adapters, 0) { daemon.addAdapter(number) }
        }
        try await shell.start(on: try await self.bus.connect())
    }

    deinit {
        shell.update { daemon in
            for number in daemon.peripherals.keys.sorted() { daemon.removePeripheral(number) }
        }
        shell.end()
    }

    /// Accepts connections of programs to the bus, and returns its address, the value for
    /// `DBUS_SYSTEM_BUS_ADDRESS`. By default only programs of this user and of root are accepted.
    ///
    /// Programs of Qt also need `BLUETOOTH_FORCE_DBUS_LE_VERSION=5.66`: otherwise they start the
    /// program that owns the daemon's name, which is yours, to find out its version.
    public func listen(
        at place: DBusAddress.Socket? = nil, for access: PrivateBus.Access = .user
    ) throws(DBusError) -> DBusAddress {
        try bus.listen(at: place, for: access)
    }

    /// The faults of the daemon, which can be changed at any time.
    public var quirks: FakeQuirks {
        get { shell.read { $0.quirks } }
        set { shell.update { $0.quirks = newValue } }
    }

    /// The delays, which apply to everything that starts from now on.
    package var timing: FakeTiming {
        get { shell.read { $0.timing } }
        set { shell.update { $0.timing = newValue } }
    }

    /// The number of connection attempts.
    package var attemptCount: Int { shell.read { $0.attemptCount } }

    /// The number of values that were dropped because devices sent them faster than the bus
    /// accepted them: at most ``FakeBlueZ/maximumBacklog`` values are queued.
    public var lostValues: Int { shell.read { $0.lostValues } }

    /// The maximum number of values queued for the bus; further ones are dropped.
    public static let maximumBacklog = FakeDaemon.maximumBacklog

    // MARK: - Faults

    /// Kills the daemon, as SIGKILL does: its name and objects are gone, and pending calls get no
    /// reply. Devices stay within reach.
    public func kill() async { await shell.kill() }

    /// Restarts the daemon, which knows no device yet; adapters are as they were.
    public func restart() async throws(DBusError) {
        await shell.kill()
        try await shell.start(on: try await bus.connect(), succeeds: true)
    }

    /// Plugs in an adapter, and returns its number: the given one or, for `nil`, the next one.
    @discardableResult
    public func addAdapter(_ number: Int? = nil) -> Int {
        shell.update { daemon in
            let number = number ?? (daemon.adapters.keys.max() ?? -1) + 1
            daemon.addAdapter(number)
            return number
        }
    }

    /// Pulls an adapter out.
    public func removeAdapter(_ number: Int = 0) {
        shell.update { $0.removeAdapter(number) }
    }

    /// Switches an adapter on or off.
    public func setPowered(_ isOn: Bool, adapter number: Int = 0) {
        shell.update { $0.setPowered(isOn, number) }
    }

    /// Blocks an adapter as rfkill does: it is off, and cannot be powered on.
    public func setBlocked(_ isBlocked: Bool, adapter number: Int = 0) {
        shell.update { $0.setBlocked(isBlocked, number) }
    }
}
#endif
