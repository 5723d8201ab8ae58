#if os(Linux)
import HaloDBus
import HaloProtocol

@testable import HaloBlueZ

extension DoctorFault {
    static let busFaults: [DoctorFault] = [
        DoctorFault(
            "no socket, systemd", .bus, .problem, "usual place", "sudo systemctl start dbus"
        ) { BlueZFacts.unreached(&$0, DBusError(.unreachable), .missing) },
        DoctorFault(
            "no socket, root", .bus, .problem, "usual place",
            "sh -c 'mkdir -p /run/dbus && dbus-daemon --system --fork'"
        ) {
            BlueZFacts.unreached(&$0, DBusError(.unreachable), .missing)
            $0.computer.serviceManager = .none
            $0.computer.isRoot = true
        },
        DoctorFault(
            "no socket in Docker", .bus, .problem, "usual place",
            "docker run \(BlueZFacts.socket) --security-opt apparmor=unconfined IMAGE # outside"
        ) {
            BlueZFacts.unreached(&$0, DBusError(.unreachable), .missing)
            $0.computer.container = .docker
        },
        DoctorFault(
            "a variable that leads nowhere", .bus, .problem, "no bus at",
            "unset DBUS_SYSTEM_BUS_ADDRESS"
        ) {
            BlueZFacts.unreached(&$0, DBusError(.unreachable), .missing)
            $0.bus.source = .environment
        },
        DoctorFault(
            "a variable that is no address", .bus, .problem, "not a valid D-Bus address",
            "unset DBUS_SYSTEM_BUS_ADDRESS"
        ) {
            BlueZFacts.unreached(&$0, DBusError(.unreachable, details: "no transport"), nil)
            $0.bus.source = .environment
            $0.bus.addresses = []
        },
        DoctorFault(
            "an address of another computer", .bus, .problem, "cannot use the address",
            "unset DBUS_SYSTEM_BUS_ADDRESS"
        ) {
            BlueZFacts.unreached(&$0, DBusError(.unreachable), nil)
            $0.bus.source = .environment
            $0.bus.addresses = (try? DBusAddress.list("tcp:host=example.org,port=1")) ?? []
        },
        DoctorFault(
            "one of two addresses", .bus, .problem,
            "\(PrintableText.quoted("unix:abstract=one;unix:path=/two".utf8))", nil
        ) {
            BlueZFacts.unreached(&$0, DBusError(.unreachable, details: "refused"), .usable)
            $0.bus.source = .environment
            $0.bus.addresses =
                (try? DBusAddress.list("unix:abstract=one;unix:path=/two")) ?? []
        },
        DoctorFault(
            "a socket of others", .bus, .problem, "may not be used",
            "ls -l /run/dbus/system_bus_socket"
        ) { BlueZFacts.unreached(&$0, DBusError(.unreachable), .forbidden) },
        DoctorFault(
            "a bus that has died", .bus, .problem, "No program listens", "sudo systemctl start dbus"
        ) {
            BlueZFacts.unreached(
                &$0, DBusError(.unreachable, details: "Connection refused"), .usable)
        },
        DoctorFault(
            "a bus that says nothing", .bus, .problem, "does not answer as a bus",
            "sudo systemctl start dbus"
        ) { BlueZFacts.unreached(&$0, DBusError(.timedOut), .usable) },
        DoctorFault("no bus at all", .bus, .problem, "is no bus", "sudo systemctl start dbus") {
            BlueZFacts.unreached(&$0, DBusError(.malformed), .usable)
        },
        DoctorFault(
            "something that is not D-Bus", .bus, .problem, "is no bus", "sudo systemctl start dbus"
        ) { BlueZFacts.unreached(&$0, DBusError(.notAuthenticated), .usable) },
        DoctorFault(
            "users of a namespace", .bus, .problem, "rejects this program's user",
            "podman run --userns=keep-id \(BlueZFacts.socket) IMAGE # outside"
        ) {
            BlueZFacts.unreached(&$0, .userRefused, .usable)
            $0.computer.container = .podman
        },
        DoctorFault(
            "AppArmor at the door", .bus, .problem, "denies its first call",
            "docker run \(BlueZFacts.socket) --security-opt apparmor=unconfined IMAGE # outside"
        ) {
            let error = DBusError(
                .remote, name: DBusRefusal.accessDenied("").name,
                details: "An AppArmor policy prevents this sender")
            BlueZFacts.unreached(&$0, error, .usable)
            $0.computer.container = .docker
        },
        DoctorFault("no module", .kernel, .problem, "no Bluetooth", "sudo modprobe bluetooth") {
            BlueZFacts.unreached(&$0, DBusError(.unreachable), .missing)
            $0.computer.sockets = .unknown
        },
        DoctorFault("a container's kernel", .kernel, .hint, "containers", nil) {
            BlueZFacts.unreached(&$0, DBusError(.unreachable), .missing)
            $0.computer.container = .docker
            $0.computer.sockets = .unknown
        },
        DoctorFault("Linux in Windows", .surroundings, .hint, "WSL", "usbipd list") {
            BlueZFacts.unreached(&$0, DBusError(.unreachable), .missing)
            $0.computer.isWSL = true
        },
        DoctorFault(
            "a Flatpak", .bus, .problem, "usual place",
            "flatpak override --user --system-talk-name=org.bluez APP # outside"
        ) {
            BlueZFacts.unreached(&$0, DBusError(.unreachable), .missing)
            $0.computer.container = .flatpak
        },
    ]
}
#endif
