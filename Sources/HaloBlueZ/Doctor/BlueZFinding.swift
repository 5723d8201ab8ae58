#if os(Linux)
/// One thing that was looked at, and how it is.
public struct BlueZFinding: Hashable, Sendable, CustomStringConvertible {
    /// How much it matters; a list that can grow, and whose texts stay as they are.
    public struct Severity: Hashable, Sendable {
        /// The word for programs.
        public let rawValue: String

        /// It is as it should be.
        public static let good = Severity(rawValue: "good")
        /// It may matter, to some programs or at some time.
        public static let hint = Severity(rawValue: "hint")
        /// It prevents the use of Bluetooth.
        public static let problem = Severity(rawValue: "problem")
    }

    /// What was looked at; a list that can grow, and whose texts stay as they are.
    public struct Subject: Hashable, Sendable {
        /// The word for programs.
        public let rawValue: String

        /// The bus that the daemon is asked over.
        public static let bus = Subject(rawValue: "bus")
        /// What this program runs in.
        public static let surroundings = Subject(rawValue: "surroundings")
        /// Whether the kernel knows Bluetooth.
        public static let kernel = Subject(rawValue: "kernel")
        /// The daemon of BlueZ.
        public static let daemon = Subject(rawValue: "daemon")
        /// Whether it may be asked.
        public static let permission = Subject(rawValue: "permission")
        /// This computer's radio.
        public static let adapter = Subject(rawValue: "adapter")
        /// Switches that keep radios silent.
        public static let radioSwitch = Subject(rawValue: "rfkill")
        /// Whether devices can be connected to.
        public static let central = Subject(rawValue: "central")
        /// Whether this computer can be a device.
        public static let peripheral = Subject(rawValue: "peripheral")
        /// Whether others look for devices.
        public static let discovery = Subject(rawValue: "discovery")
        /// What is kept of devices' services.
        public static let cache = Subject(rawValue: "gatt-cache")
        /// Whether notifications may overtake each other.
        public static let eatt = Subject(rawValue: "eatt")
        /// The daemon's other settings.
        public static let settings = Subject(rawValue: "settings")
        /// What is switched on that may still change.
        public static let experiments = Subject(rawValue: "experimental")
    }

    /// What was looked at.
    public let subject: Subject
    /// How much it matters.
    public let severity: Severity
    /// How it is, in one sentence.
    public let sentence: String
    /// What shows that, if the sentence does not.
    public let evidence: String?
    /// A command that mends it, or that leads further, to be copied into a shell.
    public let command: String?

    /// The sentence, with what it is about.
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
    /// The word for programs.
    public var description: String { rawValue }
}

extension BlueZFinding.Subject: CustomStringConvertible {
    /// The word for programs.
    public var description: String { rawValue }
}

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
