#if os(Linux)
internal import BlueZVocabulary
internal import HaloDBus

/// The doctor's input as plain values; ``BlueZDoctor`` evaluates them.
struct BlueZFacts: Sendable {
    var computer = ComputerFacts()
    var bus = BusFacts()
    var daemon = DaemonFacts()
    /// The requested adapter, as in ``BlueZOptions/adapter``.
    var wantedAdapter: String?
}

/// The bus: its addresses, and the error of the connection.
struct BusFacts: Sendable {
    /// The source of the bus's address.
    enum Source: Sendable { case option, environment, usualPlace }

    var source = Source.usualPlace
    var addresses: [DBusAddress] = []
    /// The access to the socket's file, if it is a file.
    var access: LocalSystem.Access?
    var error: DBusError?

    var isReached: Bool { error == nil }

    var path: String? {
        for address in addresses { if case .path(let path)? = address.socket { return path } }
        return nil
    }
}

/// Facts about the daemon, from the bus and from the daemon itself.
struct DaemonFacts: Sendable {
    /// `true` if the daemon's name has an owner.
    var isRunning = false
    /// `true` if the bus can start the daemon.
    var isActivatable = false
    /// `true` if the daemon's process is visible on this computer: only then its settings can be
    /// read.
    var isLocal = false
    var arguments: [String] = []
    /// The daemon's objects; `nil` if they were not requested, or no reply came.
    var objects: DaemonObjects?
    var error: DBusError?
}

/// The facts of this computer.
struct ComputerFacts: Sendable {
    /// A kind of container or sandbox.
    enum Container: String, Sendable {
        case docker = "Docker"
        case podman = "Podman"
        case flatpak = "Flatpak"
        case snap = "Snap"
        case other = "a container"
    }

    /// The program that starts services.
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
    /// The path of the daemon's program, if it is installed.
    var daemonProgram: String?
    var serviceManager = ServiceManager.none
    var installCommand: String?
}

/// The daemon's objects, reduced to the parts that the doctor needs.
struct DaemonObjects: Hashable, Sendable {
    struct Version: Hashable, Comparable, CustomStringConvertible, Sendable {
        let major: UInt8
        let minor: UInt8

        static func < (one: Version, other: Version) -> Bool {
            (one.major, one.minor) < (other.major, other.minor)
        }

        var description: String { "\(major).\(minor)" }

        /// The first version whose characteristics have `MTU`.
        static let tellsMTU = Version(major: 5, minor: 62)
        /// The first version with EATT off by default (bluez ab3ff0d2).
        static let disablesEATT = Version(major: 5, minor: 67)
    }

    /// The adapters, `hci2` before `hci10`.
    var adapters: [BlueZAdapter] = []
    /// `true` if the daemon has the agent manager, as every BlueZ has.
    var hasAgentManager = false

    /// The version, from an adapter's modalias: unless `DeviceID` is set, this is the Linux
    /// Foundation's number for BlueZ and the version, `d0542` for 5.66.
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

    /// Returns the adapter that a new program gets; `nil` if there is none, or none is called
    /// `wanted`.
    func chosenAdapter(_ wanted: String?) -> BlueZAdapter? {
        let chosen = AdapterCandidate.choice(of: adapters.map(\.candidate), named: wanted)
        return adapters.first { $0.path == chosen }
    }

    /// Decodes the reply to `GetManagedObjects`; `nil` if it has another form.
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

/// The daemon's settings: `main.conf`, as far as it could be read.
///
/// Groups stand in brackets, `key = value` lines below them; `#` begins a comment. The defaults
/// depend on the version.
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
