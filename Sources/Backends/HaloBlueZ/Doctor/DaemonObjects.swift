#if os(Linux)
internal import BlueZVocabulary
internal import HaloDBus

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

    /// Returns the adapter that a new program gets; `nil` if none fits.
    func chosenAdapter(_ wanted: String?) -> BlueZAdapter? {
        BlueZAdapter.choice(of: adapters, named: wanted)
    }

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
