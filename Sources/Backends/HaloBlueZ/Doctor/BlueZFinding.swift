#if os(Linux)
/// The result of one check.
public struct BlueZFinding: Hashable, Sendable, CustomStringConvertible {
    /// The severity. More values may be added; the existing raw values are stable.
    public struct Severity: Hashable, Sendable, CustomStringConvertible {
        /// The stable text, for programs.
        public let rawValue: String

        /// The check passed.
        public static let good = Severity(rawValue: "good")
        /// The result matters to some programs or in some cases.
        public static let hint = Severity(rawValue: "hint")
        /// Bluetooth cannot be used.
        public static let problem = Severity(rawValue: "problem")

        /// The stable text, for programs.
        public var description: String { rawValue }
    }

    /// The subject of a check. More values may be added; the existing raw values are stable.
    public struct Subject: Hashable, Sendable, CustomStringConvertible {
        /// The stable text, for programs.
        public let rawValue: String

        /// The D-Bus that the daemon is connected to.
        public static let bus = Subject(rawValue: "bus")
        /// The container or virtual machine of this program.
        public static let surroundings = Subject(rawValue: "surroundings")
        /// The kernel's support for Bluetooth.
        public static let kernel = Subject(rawValue: "kernel")
        /// BlueZ's daemon.
        public static let daemon = Subject(rawValue: "daemon")
        /// The permission to call the daemon.
        public static let permission = Subject(rawValue: "permission")
        /// The Bluetooth adapter.
        public static let adapter = Subject(rawValue: "adapter")
        /// Switches that block radios.
        public static let radioSwitch = Subject(rawValue: "rfkill")
        /// The adapter as a central.
        public static let central = Subject(rawValue: "central")
        /// The adapter as a peripheral.
        public static let peripheral = Subject(rawValue: "peripheral")
        /// Discovery by other programs.
        public static let discovery = Subject(rawValue: "discovery")
        /// The daemon's cache of services.
        public static let cache = Subject(rawValue: "gatt-cache")
        /// The order of notifications, which EATT can change.
        public static let eatt = Subject(rawValue: "eatt")
        /// The daemon's other settings.
        public static let settings = Subject(rawValue: "settings")
        /// Experimental features.
        public static let experiments = Subject(rawValue: "experimental")

        /// The stable text, for programs.
        public var description: String { rawValue }
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
}
#endif
