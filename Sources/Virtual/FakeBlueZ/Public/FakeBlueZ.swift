#if os(Linux)
public import HaloDBus
public import HaloTransport

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
    ) async throws(BLEError) {
        self.bus = try Self.onBus { () throws(DBusError) in
            if let bus { bus } else { try PrivateBus() }
        }
        shell = FakeShell(quirks: quirks, timing: timing)
        shell.update { daemon in
            for number in 0..<max(adapters, 0) { daemon.addAdapter(number) }
        }
        try await shell.start(on: self.bus)
    }

    deinit {
        shell.time.loop.later { [shell] in
            shell.end()
            // The end drops what the daemon has not done yet, so the devices stop after it.
            shell.update { daemon in
                for number in daemon.peripherals.keys.sorted() { daemon.removePeripheral(number) }
            }
        }
    }

    private static func onBus<Value>(
        _ work: () throws(DBusError) -> Value
    ) throws(BLEError) -> Value {
        do throws(DBusError) { return try work() } catch { throw BLEError(bus: error) }
    }

    /// Accepts connections of programs to the bus, and returns its address, the value for
    /// `DBUS_SYSTEM_BUS_ADDRESS`. By default only programs of this user and of root are accepted.
    ///
    /// Programs of Qt also need `BLUETOOTH_FORCE_DBUS_LE_VERSION=5.66`: otherwise they start the
    /// program that owns the daemon's name, which is yours, to find out its version.
    ///
    /// - Parameters:
    ///   - file: The path of the socket, which is removed when the daemon ends; by default the
    ///     socket has an abstract name, and no file.
    ///   - forEveryone: `true` to accept programs of every user of this computer, and of containers
    ///     that share the file.
    public func listen(
        at file: String? = nil, forEveryone: Bool = false
    ) throws(BLEError) -> String {
        try Self.onBus { () throws(DBusError) in
            try bus.listen(at: file.map { .path($0) }, for: forEveryone ? .everyone : .user)
        }.description
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

    package var attemptCount: Int { shell.read { $0.attemptCount } }

    /// The number of values that were dropped because devices sent them faster than the bus
    /// accepted them: at most 65,536 values are queued.
    public var lostValues: Int { shell.read { $0.lostValues } }

    // MARK: - Faults

    /// Kills the daemon, as SIGKILL does: its name and objects are gone, and pending calls get no
    /// reply. Devices stay within reach.
    public func kill() async { await shell.kill() }

    /// Restarts the daemon, which knows no device yet; adapters are as they were.
    public func restart() async throws(BLEError) {
        await shell.kill()
        try await shell.start(on: bus, succeeds: true)
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

extension BLEError {
    init(bus error: DBusError) {
        self.init(.backend, .adapter, details: error.description)
    }
}
#endif
