#if os(Linux)
import HaloDBus
import Testing

@testable import HaloBlueZ

/// A fault of a computer, with the expected finding.
struct DoctorFault: Sendable, CustomTestStringConvertible {
    let name: String
    let subject: BlueZFinding.Subject
    let severity: BlueZFinding.Severity
    /// A part of the sentence, and the whole command; `nil` for no command.
    let words: String
    let command: String?
    let change: @Sendable (inout BlueZFacts) -> Void

    init(
        _ name: String, _ subject: BlueZFinding.Subject, _ severity: BlueZFinding.Severity,
        _ words: String, _ command: String?,
        _ change: @escaping @Sendable (inout BlueZFacts) -> Void
    ) {
        (self.name, self.subject, self.severity) = (name, subject, severity)
        (self.words, self.command, self.change) = (words, command, change)
    }

    var testDescription: String { name }

    static let all = busFaults + daemonFaults + adapterFaults + settingFaults
}

extension DBusError {
    /// The error of a bus that rejects the user.
    static let userRefused = DBusError(
        .notAuthenticated, details: DBusAuthenticationError(.rejected).description)
}

extension BlueZFacts {
    /// A Raspberry Pi without a problem.
    static var healthy: BlueZFacts {
        var facts = BlueZFacts()
        facts.bus.addresses = [DBusAddress(.path("/run/dbus/system_bus_socket"))]
        facts.bus.access = .usable
        facts.computer.controllers = ["hci0"]
        facts.computer.switches = [.init(name: "hci0")]
        facts.computer.settings = DaemonSettings("[General]\nDeviceID = false\n")
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

    static func unreached(
        _ facts: inout BlueZFacts, _ error: DBusError, _ access: LocalSystem.Access?
    ) {
        facts.bus.error = error
        facts.bus.access = access
        facts.daemon = DaemonFacts()
    }

    static func stopped(_ facts: inout BlueZFacts) {
        facts.daemon = DaemonFacts()
    }

    static func refused(_ facts: inout BlueZFacts, _ details: String) {
        facts.daemon.objects = nil
        facts.daemon.error = DBusError(
            .remote, name: DBusRefusal.accessDenied("").name, details: details)
    }

    static func change(
        _ facts: inout BlueZFacts, _ body: (inout BlueZAdapter) -> Void
    ) {
        guard var adapter = facts.daemon.objects?.adapters.first else { return }
        body(&adapter)
        facts.daemon.objects?.adapters = [adapter]
    }

    static let socket = "-v /run/dbus/system_bus_socket:/var/run/dbus/system_bus_socket"

}
#endif
