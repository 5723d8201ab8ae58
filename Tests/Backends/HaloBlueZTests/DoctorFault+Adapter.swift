#if os(Linux)
import HaloDBus

@testable import HaloBlueZ

extension DoctorFault {
    static let adapterFaults: [DoctorFault] = [
        DoctorFault(
            "no adapter", .adapter, .problem, "no adapter",
            "sudo dmesg | grep -iE 'bluetooth|firmware'"
        ) {
            $0.daemon.objects?.adapters = []
            $0.computer.controllers = []
        },
        DoctorFault(
            "an adapter that the daemon missed", .adapter, .problem, "does not know it",
            "sudo systemctl restart bluetooth"
        ) { $0.daemon.objects?.adapters = [] },
        DoctorFault(
            "another one is wanted", .adapter, .problem, "no adapter \"hci7\", only hci0",
            "halo doctor --adapter hci0"
        ) { $0.wantedAdapter = "hci7" },
        DoctorFault("off", .adapter, .problem, "hci0 is off", "bluetoothctl power on") {
            BlueZFacts.change(&$0) { $0.isPowered = false }
        },
        DoctorFault(
            "all off", .adapter, .problem, "hci1 is off",
            "busctl set-property org.bluez /org/bluez/hci1 org.bluez.Adapter1 Powered b true"
        ) { facts in
            BlueZFacts.change(&facts) { $0.isPowered = false }
            var other = BlueZFacts.adapter("hci1")
            other.isPowered = false
            facts.daemon.objects?.adapters.append(other)
            facts.wantedAdapter = "hci1"
        },
        DoctorFault(
            "soft blocked", .radioSwitch, .problem, "rfkill blocks the radio",
            "sudo rfkill unblock bluetooth"
        ) {
            BlueZFacts.change(&$0) { $0.isPowered = false }
            $0.computer.switches = [.init(name: "hci0", isSoft: true)]
        },
        DoctorFault(
            "another one is soft blocked", .adapter, .problem, "hci0 is off",
            "bluetoothctl power on"
        ) {
            BlueZFacts.change(&$0) { $0.isPowered = false }
            $0.computer.switches = [
                .init(name: "hci1", isSoft: true), .init(name: "ideapad_bluetooth"),
            ]
        },
        DoctorFault(
            "blocked, as the daemon says", .radioSwitch, .problem, "rfkill blocks the radio",
            "sudo rfkill unblock bluetooth"
        ) {
            BlueZFacts.change(&$0) { ($0.isPowered, $0.isBlocked) = (false, true) }
            $0.computer.switches = []
        },
        DoctorFault("hard blocked", .radioSwitch, .problem, "hardware switch or key", "rfkill list")
        {
            BlueZFacts.change(&$0) { $0.isPowered = false }
            $0.computer.switches = [
                .init(name: "ideapad_bluetooth", isHard: true), .init(name: "hci0", isSoft: true),
            ]
        },
        DoctorFault(
            "says nothing of power", .adapter, .problem, "does not say",
            "sudo systemctl restart bluetooth"
        ) { BlueZFacts.change(&$0) { $0.isPowered = nil } },
        DoctorFault("only the older Bluetooth", .central, .problem, "cannot connect", nil) {
            BlueZFacts.change(&$0) { $0.roles = [] }
        },
        DoctorFault("no device", .peripheral, .hint, "cannot be a device itself", nil) {
            BlueZFacts.change(&$0) { $0.roles = ["central"] }
        },
        DoctorFault("no advertising", .peripheral, .hint, "cannot be a device itself", nil) {
            BlueZFacts.change(&$0) { $0.hasAdvertisingManager = false }
        },
        DoctorFault(
            "all advertisements taken", .peripheral, .hint, "have all its advertisements",
            "sudo systemctl restart bluetooth"
        ) { BlueZFacts.change(&$0) { ($0.advertisementCount, $0.freeAdvertisements) = (5, 0) } },
        DoctorFault("others look", .discovery, .hint, "Another program scans", nil) {
            BlueZFacts.change(&$0) { $0.isDiscovering = true }
        },
    ]

    private static let writes = "sudo sed -i"
    private static let restarts = "/etc/bluetooth/main.conf && sudo systemctl restart bluetooth"

    static let settingFaults: [DoctorFault] = [
        DoctorFault("a daemon elsewhere", .settings, .hint, "cannot see", nil) {
            $0.daemon.isLocal = false
        },
        DoctorFault(
            "secret settings", .settings, .hint, "may not be read",
            "sudo cat /etc/bluetooth/main.conf"
        ) {
            $0.computer.settings = DaemonSettings()
            $0.computer.settings.access = .forbidden
        },
        DoctorFault(
            "an unknown cache", .cache, .hint, "does not know",
            "\(writes) 's/^ *Cache *=.*/Cache = always/' \(restarts)"
        ) { $0.computer.settings = DaemonSettings("[GATT]\nCache=sometimes") },
        DoctorFault(
            "EATT by default", .eatt, .hint, "up to 3 channels",
            "printf '[GATT]\\nChannels = 1\\n' | sudo tee -a \(restarts)"
        ) { BlueZFacts.change(&$0) { $0.modalias = "usb:v1D6Bp0246d0542" } },
        DoctorFault(
            "EATT of who knows which version", .eatt, .hint, "version, which is unknown",
            "printf '[GATT]\\nChannels = 1\\n' | sudo tee -a \(restarts)"
        ) { BlueZFacts.change(&$0) { $0.modalias = nil } },
        DoctorFault(
            "EATT on purpose", .eatt, .hint, "up to 5 channels",
            "\(writes) 's/^ *Channels *=.*/Channels = 1/' \(restarts)"
        ) { $0.computer.settings = DaemonSettings("[GATT]\n Channels = 5 ") },
        DoctorFault(
            "two services of information", .settings, .hint, "two Device Information services",
            "\(writes) '/^\\[General\\]/a DeviceID = false' \(restarts)"
        ) { $0.computer.settings = DaemonSettings("[General]\n#DeviceID = false") },
        DoctorFault(
            "off after the start", .settings, .hint, "stay off",
            "\(writes) 's/^ *AutoEnable *=.*/AutoEnable = true/' \(restarts)"
        ) { $0.computer.settings = DaemonSettings("[Policy]\nAutoEnable=false") },
        DoctorFault("experiments", .experiments, .hint, "features are on", nil) {
            $0.daemon.arguments = ["-E"]
        },
    ]
}
#endif
