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
}
#endif
