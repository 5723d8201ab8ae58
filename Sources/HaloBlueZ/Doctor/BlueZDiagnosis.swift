#if os(Linux)
/// How Bluetooth is on this computer, for a program that wants to use it.
///
/// All text in it is safe for a terminal: what the daemon, files and variables say stands quoted.
public struct BlueZDiagnosis: Hashable, Sendable {
    /// What was looked at, in the order in which one thing needs the other.
    public let findings: [BlueZFinding]
    /// Where the bus was looked for, as a list of addresses.
    public let bus: String?
    /// The daemon's version, as `5.66`, if it lets it be known.
    public let daemonVersion: String?
    /// The adapter that a program gets, by its name on the bus (`hci0`), if there is one.
    public let adapter: String?

    /// Whether nothing was found that prevents the use of Bluetooth.
    public var isUsable: Bool { !findings.contains { $0.severity == .problem } }
}
#endif
