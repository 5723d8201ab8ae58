#if os(Linux)
/// The doctor's results for this computer.
///
/// All text is safe for a terminal: text from the daemon, files and variables is quoted.
public struct BlueZDiagnosis: Hashable, Sendable {
    /// The results, in the order of dependency.
    public let findings: [BlueZFinding]
    /// The addresses of the bus that were tried.
    public let bus: String?
    /// The daemon's version, such as `5.66`, if it is known.
    public let daemonVersion: String?
    /// The name of the adapter that a program gets, such as `hci0`.
    public let adapter: String?

    /// `true` if no result is a problem.
    public var isUsable: Bool { !findings.contains { $0.severity == .problem } }
}
#endif
