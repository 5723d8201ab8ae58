#if os(Linux)
/// The result of one check.
public struct BlueZFinding: Hashable, Sendable, CustomStringConvertible {
    /// The severity. More values may be added; the existing raw values are stable.
    public struct Severity: Hashable, Sendable {
        /// The stable text, for programs.
        public let rawValue: String

        /// The check passed.
        public static let good = Severity(rawValue: "good")
        /// The result matters to some programs or in some cases.
        public static let hint = Severity(rawValue: "hint")
        /// Bluetooth cannot be used.
        public static let problem = Severity(rawValue: "problem")
    }

    /// The subject of a check. More values may be added; the existing raw values are stable.
    public struct Subject: Hashable, Sendable {
        /// The stable text, for programs.
        public let rawValue: String

        /// The D-Bus that the daemon is connected to.
        package static let bus = Subject(rawValue: "bus")
        /// The container or virtual machine of this program.
        package static let surroundings = Subject(rawValue: "surroundings")
        /// The kernel's support for Bluetooth.
        package static let kernel = Subject(rawValue: "kernel")
        /// BlueZ's daemon.
        package static let daemon = Subject(rawValue: "daemon")
        /// The permission to call the daemon.
        package static let permission = Subject(rawValue: "permission")
        /// The Bluetooth adapter.
        package static let adapter = Subject(rawValue: "adapter")
        /// Switches that block radios.
        package static let radioSwitch = Subject(rawValue: "rfkill")
        /// The adapter as a central.
        package static let central = Subject(rawValue: "central")
        /// The adapter as a peripheral.
        package static let peripheral = Subject(rawValue: "peripheral")
        /// Discovery by other programs.
        package static let discovery = Subject(rawValue: "discovery")
        /// The daemon's cache of services.
        package static let cache = Subject(rawValue: "gatt-cache")
        /// The order of notifications, which EATT can change.
        package static let eatt = Subject(rawValue: "eatt")
        /// The daemon's other settings.
        package static let settings = Subject(rawValue: "settings")
        /// Experimental features.
        package static let experiments = Subject(rawValue: "experimental")
    }

    /// The subject of the check.
    public let subject: Subject
    /// The severity of the result.
    public let severity: Severity
    /// The result in one sentence.
    public let sentence: String
    /// The evidence, if the sentence does not have it.
    public let evidence: String?
    /// A shell command that repairs the problem, or shows more of it.
    public let command: String?

    /// The severity, the subject and the sentence.
    public var description: String { "\(severity) (\(subject)): \(sentence)" }

    init(
        _ subject: Subject, _ severity: Severity, _ sentence: String, evidence: String? = nil,
        command: String? = nil
    ) {
        self.subject = subject
        self.severity = severity
        self.sentence = sentence
        self.evidence = evidence
        self.command = command
    }
}

extension BlueZFinding.Severity: CustomStringConvertible {
    /// The stable text, for programs.
    public var description: String { rawValue }
}

extension BlueZFinding.Subject: CustomStringConvertible {
    /// The stable text, for programs.
    public var description: String { rawValue }
}
#endif
