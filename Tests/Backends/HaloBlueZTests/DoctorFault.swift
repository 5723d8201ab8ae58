import HaloDBus
import HaloProtocol

@testable import HaloBlueZ

/// A fault of a computer, whose findings have a recorded text.
struct DoctorFault: Sendable {
    let name: String
    let change: @Sendable (inout BlueZFacts) -> Void

    private init(_ name: String, _ change: @escaping @Sendable (inout BlueZFacts) -> Void) {
        (self.name, self.change) = (name, change)
    }

    static let all = busFaults + daemonFaults + adapterFaults + settingFaults + variants

    private static let busFaults: [DoctorFault] = [
        DoctorFault("no socket, systemd") { $0.setUnreached(DBusError(.unreachable), .missing) },
        DoctorFault("no socket, root") {
            $0.setUnreached(DBusError(.unreachable), .missing)
            $0.computer.serviceManager = .none
            $0.computer.isRoot = true
        },
        DoctorFault("no socket in Docker") {
            $0.setUnreached(DBusError(.unreachable), .missing)
            $0.computer.container = .docker
        },
        DoctorFault("a variable that leads nowhere") {
            $0.setUnreached(DBusError(.unreachable), .missing)
            $0.bus.source = .environment
        },
        DoctorFault("a variable that is no address") {
            $0.setUnreached(DBusError(.unreachable, details: "no transport"), nil)
            $0.bus.source = .environment
            $0.bus.addresses = []
        },
        DoctorFault("an address of another computer") {
            $0.setUnreached(DBusError(.unreachable), nil)
            $0.bus.source = .environment
            $0.bus.addresses = (try? DBusAddress.list("tcp:host=example.org,port=1")) ?? []
        },
        DoctorFault("one of two addresses") {
            $0.setUnreached(DBusError(.unreachable, details: "refused"), .usable)
            $0.bus.source = .environment
            $0.bus.addresses =
                (try? DBusAddress.list("unix:abstract=one;unix:path=/two")) ?? []
        },
        DoctorFault("a socket of others") { $0.setUnreached(DBusError(.unreachable), .forbidden) },
        DoctorFault("a bus that has died") {
            $0.setUnreached(DBusError(.unreachable, details: "Connection refused"), .usable)
        },
        DoctorFault("a bus that says nothing") { $0.setUnreached(DBusError(.timedOut), .usable) },
        DoctorFault("no bus at all") { $0.setUnreached(DBusError(.malformed), .usable) },
        DoctorFault("something that is not D-Bus") {
            $0.setUnreached(DBusError(.notAuthenticated), .usable)
        },
        DoctorFault("users of a namespace") {
            $0.setUnreached(.userRefused, .usable)
            $0.computer.container = .podman
        },
        DoctorFault("AppArmor at the door") {
            let error = DBusError(
                .remote, name: DBusRefusal.accessDenied("").name,
                details: "An AppArmor policy prevents this sender")
            $0.setUnreached(error, .usable)
            $0.computer.container = .docker
        },
        DoctorFault("no module") {
            $0.setUnreached(DBusError(.unreachable), .missing)
            $0.computer.sockets = .unknown
        },
        DoctorFault("a container's kernel") {
            $0.setUnreached(DBusError(.unreachable), .missing)
            $0.computer.container = .docker
            $0.computer.sockets = .unknown
        },
        DoctorFault("Linux in Windows") {
            $0.setUnreached(DBusError(.unreachable), .missing)
            $0.computer.isWSL = true
        },
        DoctorFault("a Flatpak") {
            $0.setUnreached(DBusError(.unreachable), .missing)
            $0.computer.container = .flatpak
        },
    ]

    private static let daemonFaults: [DoctorFault] = [
        DoctorFault("not started") { $0.daemon = DaemonFacts() },
        DoctorFault("not started, OpenRC") {
            $0.daemon = DaemonFacts()
            $0.computer.serviceManager = .openRC
        },
        DoctorFault("not started, by hand") {
            $0.daemon = DaemonFacts()
            $0.computer.serviceManager = .none
        },
        DoctorFault("not started without a radio") {
            $0.daemon = DaemonFacts()
            $0.computer.controllers = nil
        },
        DoctorFault("not installed") {
            $0.daemon = DaemonFacts()
            $0.computer.daemonProgram = nil
        },
        DoctorFault("hidden") {
            $0.daemon = DaemonFacts()
            $0.computer.container = .docker
        },
        DoctorFault("another bus") {
            $0.daemon = DaemonFacts()
            $0.bus.source = .environment
        },
        DoctorFault("hangs") {
            $0.daemon.objects = nil
            $0.daemon.error = DBusError(.timedOut)
        },
        DoctorFault("somebody else") {
            $0.daemon.objects = nil
            $0.daemon.error = DBusError(.unexpectedReply)
        },
        DoctorFault("an empty daemon") { $0.daemon.objects = DaemonObjects() },
        DoctorFault("an old daemon") { $0.changeAdapter { $0.modalias = "usb:v1D6Bp0246d0532" } },
        DoctorFault("not in the group") {
            $0.setRefused("Rejected send message, 2 matched rules")
            $0.computer.isInGroup = false
        },
        DoctorFault("root is in no group") {
            $0.setRefused("Rejected send message, 2 matched rules")
            ($0.computer.isInGroup, $0.computer.isRoot) = (false, true)
        },
        DoctorFault("a policy") { $0.setRefused("Rejected send message, 2 matched rules") },
        DoctorFault("SELinux") { $0.setRefused("An SELinux policy prevents this sender") },
        DoctorFault("a snap") {
            $0.setRefused("An AppArmor policy prevents this sender")
            $0.computer.container = .snap
        },
    ]

    private static let adapterFaults: [DoctorFault] = [
        DoctorFault("no adapter") {
            $0.daemon.objects?.adapters = []
            $0.computer.controllers = []
        },
        DoctorFault("an adapter that the daemon missed") { $0.daemon.objects?.adapters = [] },
        DoctorFault("another one is wanted") { $0.wantedAdapter = "hci7" },
        DoctorFault("off") { $0.changeAdapter { $0.isPowered = false } },
        DoctorFault("all off") { facts in
            facts.changeAdapter { $0.isPowered = false }
            var other = BlueZFacts.adapter("hci1")
            other.isPowered = false
            facts.daemon.objects?.adapters.append(other)
            facts.wantedAdapter = "hci1"
        },
        DoctorFault("soft blocked") {
            $0.changeAdapter { $0.isPowered = false }
            $0.computer.switches = [.init(name: "hci0", isSoft: true)]
        },
        DoctorFault("another one is soft blocked") {
            $0.changeAdapter { $0.isPowered = false }
            $0.computer.switches = [
                .init(name: "hci1", isSoft: true), .init(name: "ideapad_bluetooth"),
            ]
        },
        DoctorFault("blocked, as the daemon says") {
            $0.changeAdapter { ($0.isPowered, $0.isBlocked) = (false, true) }
            $0.computer.switches = []
        },
        DoctorFault("hard blocked") {
            $0.changeAdapter { $0.isPowered = false }
            $0.computer.switches = [
                .init(name: "ideapad_bluetooth", isHard: true), .init(name: "hci0", isSoft: true),
            ]
        },
        DoctorFault("says nothing of power") { $0.changeAdapter { $0.isPowered = nil } },
        DoctorFault("only the older Bluetooth") { $0.changeAdapter { $0.roles = [] } },
        DoctorFault("no device") { $0.changeAdapter { $0.roles = ["central"] } },
        DoctorFault("no advertising") { $0.changeAdapter { $0.hasAdvertisingManager = false } },
        DoctorFault("all advertisements taken") {
            $0.changeAdapter { ($0.advertisementCount, $0.freeAdvertisements) = (5, 0) }
        },
        DoctorFault("others look") { $0.changeAdapter { $0.isDiscovering = true } },
    ]

    private static let settingFaults: [DoctorFault] = [
        DoctorFault("a daemon elsewhere") { $0.daemon.isLocal = false },
        DoctorFault("secret settings") {
            $0.computer.settings = DaemonSettings()
            $0.computer.settings.access = .forbidden
        },
        DoctorFault("an unknown cache") { $0.set("[GATT]\nCache=sometimes") },
        DoctorFault("EATT by default") { $0.changeAdapter { $0.modalias = "usb:v1D6Bp0246d0542" } },
        DoctorFault("EATT of who knows which version") { $0.changeAdapter { $0.modalias = nil } },
        DoctorFault("EATT on purpose") { $0.set("[GATT]\n Channels = 5 ") },
        DoctorFault("two services of information") { $0.set("[General]\n#DeviceID = false") },
        DoctorFault("off after the start") { $0.set("[Policy]\nAutoEnable=false") },
        DoctorFault("experiments") { $0.daemon.arguments = ["-E"] },
    ]

    /// Computers that differ from the usual one without a fault.
    private static let variants: [DoctorFault] = [
        DoctorFault("one advertisement") { facts in
            facts.changeAdapter { $0.freeAdvertisements = 1 }
        },
        DoctorFault("no word of advertisements") { facts in
            facts.changeAdapter {
                $0.freeAdvertisements = nil
                $0.advertisementCount = nil
            }
        },
        DoctorFault("no word of roles") { facts in facts.changeAdapter { $0.roles = nil } },
        DoctorFault("both roles") { facts in
            facts.changeAdapter { $0.roles = ["central-peripheral"] }
        },
        DoctorFault("the older Bluetooth by setting") { facts in
            facts.changeAdapter { $0.roles = [] }
            facts.set("[General]\nControllerMode = bredr\nDeviceID=false")
        },
        DoctorFault("neither manager") { facts in
            facts.changeAdapter {
                $0.hasGattManager = false
                $0.hasAdvertisingManager = false
            }
        },
        DoctorFault("5.61") { facts in
            facts.changeAdapter { $0.modalias = "usb:v1D6Bp0246d053D" }
        },
        DoctorFault("5.62") { facts in
            facts.changeAdapter { $0.modalias = "usb:v1D6Bp0246d053E" }
        },
        DoctorFault("5.67") { facts in
            facts.changeAdapter { $0.modalias = "usb:v1D6Bp0246d0543" }
        },
        DoctorFault("one experiment of the kernel") { facts in
            facts.changeAdapter { $0.experiments = ["one"] }
        },
        DoctorFault("experiments by setting") { facts in
            facts.changeAdapter { $0.experiments = ["one", "two"] }
            facts.set("[General]\nExperimental = true\nDeviceID=false")
        },
        DoctorFault("experiments by a long word") { facts in
            facts.daemon.arguments = ["bluetoothd", "--experimental"]
        },
        DoctorFault("no cache") { facts in
            facts.set("[General]\nDeviceID=false\n[GATT]\nCache = no")
        },
        DoctorFault("a cache of bonds") { facts in
            facts.set("[General]\nDeviceID=false\n[GATT]\nCache = yes")
        },
        DoctorFault("one channel") { facts in
            facts.set("[General]\nDeviceID=false\n[GATT]\nChannels = 1")
        },
        DoctorFault("two channels") { facts in
            facts.set("[General]\nDeviceID=false\n[GATT]\nChannels = 2")
        },
        DoctorFault("no number of channels") { facts in
            facts.set("[General]\nDeviceID=false\n[GATT]\nChannels = x")
        },
        DoctorFault("root") { facts in facts.computer.isRoot = true },
        DoctorFault("a device of its own name") { facts in
            facts.set("[General]\nDeviceID = usb:1234:5678:abcd")
        },
        DoctorFault("on by itself") { facts in
            facts.set("[General]\nDeviceID=false\n[Policy]\nAutoEnable=true")
        },
        DoctorFault("two adapters, the second is named") { facts in
            facts.daemon.objects?.adapters = [
                BlueZFacts.adapter("hci0"), BlueZFacts.adapter("hci1"),
            ]
            facts.wantedAdapter = "hci1"
        },
        DoctorFault("two adapters, another is named") { facts in
            facts.daemon.objects?.adapters = [
                BlueZFacts.adapter("hci0"), BlueZFacts.adapter("hci1"),
            ]
            facts.wantedAdapter = "hci2"
        },
        DoctorFault("an adapter without an address") { facts in
            facts.changeAdapter { $0.address = nil }
        },
    ]
}

extension DBusError {
    /// The error of a bus that rejects the user.
    static let userRefused = DBusError(
        .notAuthenticated, details: DBusAuthenticationError.rejected.description)
}

extension BlueZFacts {
    /// A Raspberry Pi without a problem.
    static var healthy: BlueZFacts {
        var facts = BlueZFacts()
        facts.bus.addresses = [DBusAddress(.path("/run/dbus/system_bus_socket"))]
        facts.bus.access = .usable
        facts.computer.controllers = ["hci0"]
        facts.computer.switches = [.init(name: "hci0")]
        facts.set("[General]\nDeviceID = false\n")
        facts.computer.daemonProgram = "/usr/libexec/bluetooth/bluetoothd"
        facts.computer.serviceManager = .systemd
        facts.computer.installCommand = "apt install bluez"
        facts.daemon.isRunning = true
        facts.daemon.isLocal = true
        var objects = DaemonObjects()
        objects.hasAgentManager = true
        objects.adapters = [adapter("hci0")]
        facts.daemon.objects = objects
        return facts
    }

    static func adapter(_ name: String) -> BlueZAdapter {
        guard let path = try? DBusObjectPath("/org/bluez/\(name)") else {
            return BlueZAdapter(.root)
        }
        var adapter = BlueZAdapter(path)
        adapter.address = "00:AA:01:00:00:00"
        adapter.isPowered = true
        adapter.isDiscovering = false
        adapter.roles = ["central", "peripheral"]
        adapter.modalias = "usb:v1D6Bp0246d0547"
        adapter.hasGattManager = true
        adapter.hasAdvertisingManager = true
        adapter.advertisementCount = 0
        adapter.freeAdvertisements = 5
        return adapter
    }

    mutating func setUnreached(_ error: DBusError, _ access: LocalSystem.Access?) {
        (bus.error, bus.access, daemon) = (error, access, DaemonFacts())
    }

    mutating func setRefused(_ details: String) {
        daemon.objects = nil
        daemon.error = DBusError(
            .remote, name: DBusRefusal.accessDenied("").name, details: details)
    }

    mutating func changeAdapter(_ body: (inout BlueZAdapter) -> Void) {
        guard var adapter = daemon.objects?.adapters.first else { return }
        body(&adapter)
        daemon.objects?.adapters = [adapter]
    }

    mutating func set(_ settings: String) { computer.settings = DaemonSettings(settings) }
}
