#if os(Linux)
internal import HaloDBus

/// What was gathered for the doctor, as plain values: what they mean is decided elsewhere.
struct BlueZFacts: Sendable {
    var computer = ComputerFacts()
    var bus = BusFacts()
    var daemon = DaemonFacts()
    /// Which adapter is wanted, as in ``BlueZOptions/adapter``.
    var wantedAdapter: String?
}

/// How far the bus was reached.
struct BusFacts: Sendable {
    /// Who said where it is.
    enum Source: Sendable {
        case option, environment, usualPlace
    }

    var source = Source.usualPlace
    /// Where it was looked for.
    var addresses: [DBusAddress] = []
    /// Whether the file of its socket is there, if it is a file.
    var access: LocalSystem.Access?
    /// Why it was not reached, if it was not.
    var error: DBusError?

    var isReached: Bool { error == nil }

    /// The file of the socket, if it is one.
    var path: String? {
        for address in addresses {
            if case .path(let path)? = address.socket { return path }
        }
        return nil
    }
}

/// What the bus says about the daemon, and the daemon about itself.
struct DaemonFacts: Sendable {
    /// Whether somebody owns the daemon's name.
    var isRunning = false
    /// Whether the bus would start it.
    var isActivatable = false
    /// Whether its process is one of this computer's, as seen from here: only then its settings
    /// lie here.
    var isLocal = false
    /// How it was started, if that can be seen.
    var arguments: [String] = []
    /// What it told; nothing if it was not asked, or did not tell.
    var objects: DaemonObjects?
    /// Why it did not tell.
    var error: DBusError?
}

/// This computer, as far as it matters.
struct ComputerFacts: Sendable {
    /// What keeps a program apart from the rest of the computer.
    enum Container: String, Sendable {
        case docker = "Docker"
        case podman = "Podman"
        case flatpak = "Flatpak"
        case snap = "Snap"
        case other = "a container"
    }

    /// Who starts services.
    enum ServiceManager: Sendable {
        case systemd, openRC, none
    }

    /// A switch of the kernel that keeps a radio silent.
    struct RadioSwitch: Hashable, Sendable {
        var name: String
        /// Whether a program has switched the radio off.
        var isSoft = false
        /// Whether a switch that can be touched has.
        var isHard = false
    }

    var isRoot = false
    /// Whether the program acts for the group `bluetooth`; nothing if there is no such group.
    var isInGroup: Bool?
    var container: Container?
    var containerEvidence: String?
    /// Whether this is Linux within Windows.
    var isWSL = false
    var sockets = LocalSystem.SocketKind.available
    /// The controllers that the kernel has; nothing if it has no place for any.
    var controllers: [String]?
    var switches: [RadioSwitch] = []
    var settings = DaemonSettings()
    /// Where the daemon's program lies, if it is installed.
    var daemonProgram: String?
    var serviceManager = ServiceManager.none
    /// What installs the daemon here.
    var installCommand: String?
}
#endif
