import HaloCapture
import HaloSimulator

#if os(Linux)
import FakeBlueZ
import HaloBlueZ
import HaloDBus
#endif

/// The daemon that a verb uses, and the adapter: `--adapter`, `--bus` and `--fake-bluez`.
struct BusChoice: Hashable, Sendable {
    private var adapter: String?
    private var bus: String?
    /// `true` for a fake of the daemon, in this program.
    let isFake: Bool

    private static let adapterOption = Option.text(
        "adapter", "NAME",
        "the adapter, by name (hci0) or address; by default, the one that programs get")
    private static let busOption = Option.text(
        "bus", "ADDRESS",
        """
        the bus of BlueZ's daemon, like unix:path=/run/dbus/system_bus_socket; by default, \
        DBUS_SYSTEM_BUS_ADDRESS, or else the standard address
        """)
    private static let fakeOption = Flag(
        "fake-bluez", "a fake of BlueZ's daemon with virtual devices, on a private bus")

    static let options: [any VerbOption] = [adapterOption, busOption, fakeOption]

    init(_ arguments: ParsedArguments) throws(Failure) {
        adapter = try arguments.value(of: Self.adapterOption)
        bus = try arguments.value(of: Self.busOption)
        isFake = arguments.has(Self.fakeOption)
        if isFake, bus != nil {
            throw .wrongUsage("--bus cannot be used with --fake-bluez, which has its own bus")
        }
        #if os(Linux)
        _ = try options()
        #endif
    }

    var isGiven: Bool { isFake || adapter != nil || bus != nil }

    #if os(Linux)
    private func options() throws(Failure) -> BlueZOptions {
        var options = BlueZOptions(adapter: adapter)
        guard let bus else { return options }
        _ = try mapError({ (error: DBusWireError) -> Failure in
            .wrongUsage(
                "--bus takes the address of a bus, like unix:path=FILE, not '\(bus)': \(error)")
        }) { () throws(DBusWireError) in try DBusAddress.list(bus) }
        options.bus = bus
        return options
    }

    /// A daemon, and a fake one as long as this value lives.
    struct Daemon: Sendable {
        let options: BlueZOptions
        fileprivate let fake: FakeBlueZ?

        var isFake: Bool { fake != nil }
    }

    /// - Parameter isForOthers: `true` if other programs connect to a device of this one. They use
    ///   the first adapter, as by default: a fake daemon has a second one, for this program.
    func open(
        with choice: VirtualChoice? = nil, isForOthers: Bool = false
    ) async throws(Failure) -> Daemon {
        do {
            var options = try options()
            guard isFake else { return Daemon(options: options, fake: nil) }
            let fake = try await FakeBlueZ(adapters: isForOthers ? 2 : 1, timing: .realistic)
            if isForOthers { options.adapter = options.adapter ?? "hci1" }
            for device in (choice ?? VirtualChoice()).devices { Self.add(device, to: fake) }
            options.bus = try fake.listen()
            return Daemon(options: options, fake: fake)
        } catch {
            throw Failure(.unusable, "the fake of BlueZ's daemon cannot be started: \(error)")
        }
    }

    private static func add(_ device: some ControlledDevice, to fake: FakeBlueZ) {
        _ = fake.add(device)
    }
    #endif
}
