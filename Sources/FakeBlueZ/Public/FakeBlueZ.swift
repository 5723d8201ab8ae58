#if os(Linux)
public import HaloDBus
internal import HaloTransport

/// A daemon that looks like BlueZ's, on a bus of one's own: programs in any language find the
/// devices that are put within its reach.
///
///     let fake = try await FakeBlueZ()
///     let worn = fake.add(VirtualRing(.r02))
///     let ring = try await Ring.connect(over: try await BlueZTransport(on: fake.bus))
///
/// It says and does what BlueZ 5.66 was seen to say and do, and misbehaves as it is told by
/// ``quirks``. Devices run on the computer's time, each with one central at a time. Two daemons
/// do not meet. It ends when nobody holds it.
public final class FakeBlueZ: Sendable {
    /// The bus that it is on.
    public let bus: PrivateBus
    let shell: FakeShell

    /// A daemon with some adapters, `hci0` and so on, which are on.
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
            for number in daemon.airborne.keys.sorted() { daemon.leave(number) }
        }
        shell.end()
    }

    /// Lets programs connect to the bus, and gives the address that they need: what is to stand
    /// in `DBUS_SYSTEM_BUS_ADDRESS`. Only programs of this user, and root's, are let in unless it
    /// is said otherwise. Programs of Qt need `BLUETOOTH_FORCE_DBUS_LE_VERSION=5.66`, too: they
    /// start the program that has the daemon's name, which is yours, to ask for its version.
    public func listen(
        at place: DBusAddress.Socket? = nil, for access: PrivateBus.Access = .user
    ) throws(DBusError) -> DBusAddress {
        try bus.listen(at: place, for: access)
    }

    /// What it does badly. It can be changed at any time.
    public var quirks: FakeQuirks {
        get { shell.read { $0.quirks } }
        set { shell.update { $0.quirks = newValue } }
    }

    /// How long it takes for what it does from now on; what it is at already goes on as it began.
    package var timing: FakeTiming {
        get { shell.read { $0.timing } }
        set { shell.update { $0.timing = newValue } }
    }

    /// How often it has begun to connect to a device.
    package var attemptCount: Int { shell.read { $0.attemptCount } }

    /// How many values went nowhere because devices sent them faster than the bus took them: so
    /// many wait at most as ``FakeBlueZ/maximumBacklog``.
    public var lostValues: Int { shell.read { $0.lostValues } }

    /// How many values wait for the bus before further ones are lost.
    public static let maximumBacklog = FakeDaemon.maximumBacklog

    // MARK: - Misfortunes

    /// The daemon is gone at once, as after SIGKILL: its name and its objects, and whoever waits
    /// for an answer gets none. Devices stay within reach.
    public func kill() async { await shell.kill() }

    /// The daemon is there again, and knows no device yet; adapters are as they were.
    public func restart() async throws(DBusError) {
        await shell.kill()
        try await shell.start(on: try await bus.connect(), succeeds: true)
    }

    /// Plugs in an adapter, under the next number or a given one, and says its number.
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

    /// Blocks an adapter, as by a switch on the computer: it is off, and cannot be switched on.
    public func setBlocked(_ isBlocked: Bool, adapter number: Int = 0) {
        shell.update { $0.setBlocked(isBlocked, number) }
    }
}
#endif
