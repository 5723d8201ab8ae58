#if os(Linux)
internal import BlueZVocabulary
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
    enum Source: Sendable { case option, environment, usualPlace }

    var source = Source.usualPlace
    var addresses: [DBusAddress] = []
    /// Whether the file of its socket is there, if it is a file.
    var access: LocalSystem.Access?
    var error: DBusError?

    var isReached: Bool { error == nil }

    var path: String? {
        for address in addresses { if case .path(let path)? = address.socket { return path } }
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
    var arguments: [String] = []
    /// What it told; nothing if it was not asked, or did not tell.
    var objects: DaemonObjects?
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
    enum ServiceManager: Sendable { case systemd, openRC, none }

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
    var isWSL = false
    var sockets = LocalSystem.SocketKind.available
    /// The controllers that the kernel has; nothing if it has no place for any.
    var controllers: [String]?
    var switches: [RadioSwitch] = []
    var settings = DaemonSettings()
    /// Where the daemon's program lies, if it is installed.
    var daemonProgram: String?
    var serviceManager = ServiceManager.none
    var installCommand: String?
}

/// What the daemon told about itself and its adapters.
struct DaemonObjects: Hashable, Sendable {
    struct Version: Hashable, Comparable, CustomStringConvertible, Sendable {
        let major: UInt8
        let minor: UInt8

        static func < (one: Version, other: Version) -> Bool {
            (one.major, one.minor) < (other.major, other.minor)
        }

        var description: String { "\(major).\(minor)" }

        /// From this one on a characteristic tells its MTU.
        static let tellsMTU = Version(major: 5, minor: 62)
        /// From this one on EATT is off unless it is asked for (bluez ab3ff0d2).
        static let disablesEATT = Version(major: 5, minor: 67)
    }

    /// The adapters, `hci2` before `hci10`.
    var adapters: [BlueZAdapter] = []
    /// Whether it has what BlueZ always has, where it always is.
    var hasAgentManager = false

    /// The version, read from what an adapter says that it is: unless `DeviceID` is set, that is
    /// the Linux Foundation's number for BlueZ with the version behind it, `d0542` for 5.66.
    var version: Version? {
        for case let modalias? in adapters.map(\.modalias) {
            let words = modalias.split(separator: "d", maxSplits: 1)
            guard words.count == 2, words[0].uppercased() == "USB:V1D6BP0246",
                words[1].utf8.count == 4,
                words[1].allSatisfy(\.isHexDigit), let number = UInt16(words[1], radix: 16)
            else { continue }
            return Version(
                major: UInt8(truncatingIfNeeded: number >> 8),
                minor: UInt8(truncatingIfNeeded: number))
        }
        return nil
    }

    /// The adapter that a program gets that begins now.
    func chosenAdapter(_ wanted: String?) -> BlueZAdapter? {
        let chosen = AdapterCandidate.choice(of: adapters.map(\.candidate), named: wanted)
        return adapters.first { $0.path == chosen }
    }

    /// Reads what the daemon answered when it was asked for its objects; nothing if that was no
    /// such answer.
    init?(_ answer: DBusValue?) {
        var mirror = BlueZMirror()
        guard let answer, let entries = answer.entries,
            entries.allSatisfy({ $0.key.objectPath != nil }), mirror.load(answer)
        else { return nil }
        hasAgentManager = entries.contains { $0.value[AgentManager1.interfaceName] != nil }
        adapters = mirror.adapters.values.sorted { $0.path.comesBefore($1.path) }
    }

    init() {}
}

/// The daemon's settings: `main.conf`, as far as it was read.
///
/// A file of groups in brackets and `key = value` below them; a line that begins with `#` says
/// nothing. What is not set has a default that depends on the version.
struct DaemonSettings: Hashable, Sendable {
    static let usualPath = "/etc/bluetooth/main.conf"

    var path = usualPath
    var access = LocalSystem.Access.missing
    private(set) var groups: Set<String> = []
    private var values: [String: String] = [:]

    init() {}

    init(_ text: String, path: String = usualPath) {
        self.path = path
        access = .usable
        var group = ""
        for line in text.split(whereSeparator: \.isNewline) {
            let line = Self.trimmed(line)
            if line.first == "[", line.last == "]" {
                group = String(line.dropFirst().dropLast())
                groups.insert(group)
            } else if line.first != "#", let equals = line.firstIndex(of: "=") {
                let key = Self.trimmed(line[..<equals])
                values["\(group)/\(key)"] = String(Self.trimmed(line[line.index(after: equals)...]))
            }
        }
    }

    subscript(group: String, key: String) -> String? { values["\(group)/\(key)"] }

    func flag(_ group: String, _ key: String) -> Bool? {
        switch self[group, key] {
        case "true", "1": true
        case "false", "0": false
        default: nil
        }
    }

    private static func trimmed(_ text: Substring) -> Substring {
        var text = text.drop { $0 == " " || $0 == "\t" }
        while let last = text.last, last == " " || last == "\t" { text.removeLast() }
        return text
    }
}
#endif
