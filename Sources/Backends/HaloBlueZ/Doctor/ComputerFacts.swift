#if os(Linux)
struct ComputerFacts: Sendable {
    enum Container: String, Sendable {
        case docker = "Docker"
        case podman = "Podman"
        case flatpak = "Flatpak"
        case snap = "Snap"
        case other = "a container"
    }

    enum ServiceManager: Sendable { case systemd, openRC, none }

    /// One of the kernel's rfkill switches.
    struct RadioSwitch: Hashable, Sendable {
        var name: String
        /// `true` if a program has blocked the radio.
        var isSoft = false
        /// `true` if a hardware switch has blocked the radio.
        var isHard = false
    }

    var isRoot = false
    /// `true` if the program is in the group `bluetooth`, or `nil` if there is no such group.
    var isInGroup: Bool?
    var container: Container?
    var containerEvidence: String?
    var isWSL = false
    var sockets = LocalSystem.SocketKind.available
    /// The kernel's controllers, or `nil` if the kernel has no Bluetooth.
    var controllers: [String]?
    var switches: [RadioSwitch] = []
    var settings = DaemonSettings()
    var daemonProgram: String?
    var serviceManager = ServiceManager.none
    var installCommand: String?

    /// The group whose members may use Bluetooth, on distributions that demand it.
    private static let groupName = "bluetooth"
    private static let radioType = "bluetooth"
    private static let programs = [
        "/usr/libexec/bluetooth/bluetoothd", "/usr/lib/bluetooth/bluetoothd",
        "/usr/sbin/bluetoothd", "/usr/local/libexec/bluetooth/bluetoothd",
    ]
    /// The commands that install the daemon, by `ID` or `ID_LIKE` of the distribution.
    private static let installers = [
        ("debian", "apt install bluez"), ("ubuntu", "apt install bluez"),
        ("fedora", "dnf install bluez"), ("rhel", "dnf install bluez"),
        ("arch", "pacman -S bluez bluez-utils"), ("alpine", "apk add bluez"),
        ("suse", "zypper install bluez"), ("opensuse", "zypper install bluez"),
    ]

    /// Collects the facts of this computer, or in tests those of a copy of its files.
    static func collect(
        settingsPath: String, root: String = "",
        variables: (String) -> String? = LocalSystem.environment
    ) -> ComputerFacts {
        var facts = ComputerFacts()
        facts.isRoot = LocalSystem.userID == 0
        facts.isInGroup = isInGroup(root)
        (facts.container, facts.containerEvidence) = container(root, variables) ?? (nil, nil)
        let kernel = LocalSystem.content(root + "/proc/sys/kernel/osrelease") ?? ""
        facts.isWSL = kernel.lowercased().contains("microsoft")
        facts.sockets = LocalSystem.bluetoothSockets
        // A controller's link has an entry of its own, `hci0:64`.
        facts.controllers = LocalSystem.names(in: root + "/sys/class/bluetooth")?.filter {
            $0.hasPrefix("hci") && !$0.contains(":")
        }
        facts.switches = switches(root)
        facts.settings.path = settingsPath
        facts.settings.access = LocalSystem.access(root + settingsPath)
        if let text = LocalSystem.content(root + settingsPath) {
            facts.settings = DaemonSettings(text, path: settingsPath)
        }
        facts.daemonProgram = programs.first { LocalSystem.access(root + $0) != .missing }
        if LocalSystem.access(root + "/run/systemd/system") != .missing {
            facts.serviceManager = .systemd
        } else if LocalSystem.access(root + "/run/openrc") != .missing {
            facts.serviceManager = .openRC
        }
        let system = distributionNames(in: LocalSystem.content(root + "/etc/os-release") ?? "")
        facts.installCommand = installers.first { system.contains($0.0) }?.1
        return facts
    }

    private static func container(
        _ root: String, _ variables: (String) -> String?
    ) -> (Container, String)? {
        if let name = variables("SNAP_NAME") { return (.snap, "SNAP_NAME=\(name)") }
        let files: [(String, Container)] = [
            ("/.flatpak-info", .flatpak), ("/run/.containerenv", .podman), ("/.dockerenv", .docker),
        ]
        for (path, container) in files where LocalSystem.access(root + path) != .missing {
            let mounts = LocalSystem.content(root + "/proc/self/mountinfo") ?? ""
            if container == .docker, !isDockerMount(mounts) { continue }
            return (container, path)
        }
        // systemd, LXC and others set this variable for the programs that they start.
        let told = variables("container") ?? LocalSystem.content(root + "/run/systemd/container")
        guard let told, !told.isEmpty else { return nil }
        return (.other, "container=\(told)")
    }

    /// `true` if the mounts are a Docker container's: `/.dockerenv` alone is also on computers
    /// whose disk was made from an image.
    static func isDockerMount(_ mounts: String) -> Bool {
        mounts.split(separator: "\n").contains { line in
            let fields = line.split(separator: " ")
            guard fields.count > 4 else { return false }
            return line.contains("/docker/containers/")
                || fields[4] == "/" && line.contains(" - overlay ")
        }
    }

    private static func isInGroup(_ root: String) -> Bool? {
        for line in (LocalSystem.content(root + "/etc/group") ?? "").split(separator: "\n") {
            let fields = line.split(separator: ":", omittingEmptySubsequences: false)
            guard fields.count >= 3, fields[0] == groupName, let number = UInt32(fields[2]) else {
                continue
            }
            return LocalSystem.groupIDs.contains(number)
        }
        return nil
    }

    private static func switches(_ root: String) -> [RadioSwitch] {
        let folder = root + "/sys/class/rfkill"
        func value(_ name: String, _ key: String) -> String {
            let text = LocalSystem.content("\(folder)/\(name)/\(key)") ?? ""
            return String(text.prefix { !$0.isNewline })
        }
        return (LocalSystem.names(in: folder) ?? []).filter { value($0, "type") == radioType }
            .map { name in
                RadioSwitch(
                    name: value(name, "name"), isSoft: value(name, "soft") == "1",
                    isHard: value(name, "hard") == "1")
            }
    }

    /// Returns the values of `ID` and `ID_LIKE` in a file of shell assignments.
    private static func distributionNames(in release: String) -> Set<String> {
        var words: Set<String> = []
        for line in release.split(separator: "\n") {
            let pair = line.split(separator: "=", maxSplits: 1)
            guard pair.count == 2, pair[0] == "ID" || pair[0] == "ID_LIKE" else { continue }
            for word in pair[1].split(whereSeparator: { " \"'".contains($0) }) {
                words.insert(word.split(separator: "-").first.map(String.init) ?? "")
            }
        }
        return words
    }
}
#endif
