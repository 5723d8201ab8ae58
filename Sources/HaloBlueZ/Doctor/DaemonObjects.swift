#if os(Linux)
internal import BlueZVocabulary
internal import HaloDBus

/// What the daemon told about itself and its adapters.
struct DaemonObjects: Hashable, Sendable {
    /// The version of the daemon.
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
#endif
