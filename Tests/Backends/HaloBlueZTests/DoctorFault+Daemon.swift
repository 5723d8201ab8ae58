#if os(Linux)
import HaloDBus

@testable import HaloBlueZ

extension DoctorFault {
    static let daemonFaults: [DoctorFault] = [
        DoctorFault(
            "not started", .daemon, .problem, "does not run",
            "sudo systemctl enable --now bluetooth"
        ) { BlueZFacts.stopped(&$0) },
        DoctorFault(
            "not started, OpenRC", .daemon, .problem, "does not run",
            "sudo rc-service bluetooth start"
        ) {
            BlueZFacts.stopped(&$0)
            $0.computer.serviceManager = .openRC
        },
        DoctorFault(
            "not started, by hand", .daemon, .problem, "does not run",
            "sudo /usr/libexec/bluetooth/bluetoothd &"
        ) {
            BlueZFacts.stopped(&$0)
            $0.computer.serviceManager = .none
        },
        DoctorFault(
            "not started without a radio", .daemon, .problem, "before there is an adapter", nil
        ) {
            BlueZFacts.stopped(&$0)
            $0.computer.controllers = nil
        },
        DoctorFault("not installed", .daemon, .problem, "not installed", "sudo apt install bluez") {
            BlueZFacts.stopped(&$0)
            $0.computer.daemonProgram = nil
        },
        DoctorFault(
            "hidden", .daemon, .problem, "not visible", "systemctl status bluetooth # outside"
        ) {
            BlueZFacts.stopped(&$0)
            $0.computer.container = .docker
        },
        DoctorFault(
            "another bus", .daemon, .problem, "no daemon on this bus",
            "unset DBUS_SYSTEM_BUS_ADDRESS"
        ) {
            BlueZFacts.stopped(&$0)
            $0.bus.source = .environment
        },
        DoctorFault(
            "hangs", .daemon, .problem, "does not answer", "sudo systemctl restart bluetooth"
        ) {
            $0.daemon.objects = nil
            $0.daemon.error = DBusError(.timedOut)
        },
        DoctorFault(
            "somebody else", .daemon, .problem, "as BlueZ does", "sudo systemctl restart bluetooth"
        ) {
            $0.daemon.objects = nil
            $0.daemon.error = DBusError(.unexpectedReply)
        },
        DoctorFault(
            "an empty daemon", .daemon, .problem, "none of BlueZ's",
            "sudo systemctl restart bluetooth"
        ) { $0.daemon.objects = DaemonObjects() },
        DoctorFault("an old daemon", .daemon, .hint, "BlueZ 5.50", "sudo apt install bluez") {
            BlueZFacts.change(&$0) { $0.modalias = "usb:v1D6Bp0246d0532" }
        },
        DoctorFault(
            "not in the group", .permission, .problem, "policy",
            "sudo usermod -aG bluetooth \"$USER\" # then log in again"
        ) {
            BlueZFacts.refused(&$0, "Rejected send message, 2 matched rules")
            $0.computer.isInGroup = false
        },
        DoctorFault(
            "root is in no group", .permission, .problem, "policy",
            "grep -rl org.bluez /etc/dbus-1/system.d /usr/share/dbus-1/system.d"
        ) {
            BlueZFacts.refused(&$0, "Rejected send message, 2 matched rules")
            ($0.computer.isInGroup, $0.computer.isRoot) = (false, true)
        },
        DoctorFault(
            "a policy", .permission, .problem, "policy",
            "grep -rl org.bluez /etc/dbus-1/system.d /usr/share/dbus-1/system.d"
        ) { BlueZFacts.refused(&$0, "Rejected send message, 2 matched rules") },
        DoctorFault(
            "SELinux", .permission, .problem, "policy", "sudo ausearch -m USER_AVC -ts recent"
        ) { BlueZFacts.refused(&$0, "An SELinux policy prevents this sender") },
        DoctorFault(
            "a snap", .permission, .problem, "policy", "sudo snap connect SNAP:bluez # outside"
        ) {
            BlueZFacts.refused(&$0, "An AppArmor policy prevents this sender")
            $0.computer.container = .snap
        },
    ]
}
#endif
