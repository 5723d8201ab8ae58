#if os(Linux)
internal import BlueZVocabulary
internal import HaloDBus
internal import HaloProtocol

/// Finds out why Bluetooth does not work on this computer, and what would mend it.
///
///     for finding in await BlueZDoctor.examine().findings {
///         print(finding, finding.command ?? "")
///     }
///
/// Everything is looked at and nothing changed: no daemon is started, nothing is switched on.
public struct BlueZDoctor {
    /// How long the bus and the daemon have for each answer, unless it is said otherwise.
    public static let defaultTimeout: Duration = .seconds(5)

    let facts: BlueZFacts
    private(set) var findings: [BlueZFinding] = []

    init(_ facts: BlueZFacts) { self.facts = facts }

    /// Looks at everything that a transport with these options needs.
    public static func examine(
        _ options: BlueZOptions = BlueZOptions(), timeout: Duration = defaultTimeout
    ) async -> BlueZDiagnosis {
        diagnosis(of: await BlueZFacts.gathered(options, timeout: timeout))
    }

    static func diagnosis(of facts: BlueZFacts) -> BlueZDiagnosis {
        var doctor = BlueZDoctor(facts)
        doctor.lookAtBus()
        if facts.bus.isReached { doctor.lookAtDaemon() }
        if let objects = facts.daemon.objects {
            doctor.lookAtAdapters(objects)
            doctor.lookAtSettings(objects)
        }
        let addresses = facts.bus.addresses.map(\.description).joined(separator: ";")
        return BlueZDiagnosis(
            findings: doctor.findings,
            bus: addresses.isEmpty ? nil : PrintableText.escaped(addresses.utf8),
            daemonVersion: facts.daemon.objects?.version?.description,
            adapter: facts.daemon.objects?.chosenAdapter(facts.wantedAdapter)?.path.lastElement)
    }

    mutating func find(
        _ subject: BlueZFinding.Subject, _ severity: BlueZFinding.Severity, _ sentence: String,
        evidence: String? = nil, command: String? = nil
    ) {
        findings.append(
            BlueZFinding(subject, severity, sentence, evidence: evidence, command: command))
    }
}

extension DBusError {
    var isDenied: Bool { kind == .remote && name == BusErrorName.accessDenied }

    /// Whether the bus does not let the program's user in.
    var isUserRefused: Bool {
        kind == .notAuthenticated && details == DBusAuthenticationError(.rejected).description
    }

    /// Which policy says no: what the bus says first. Behind it stands the whole call.
    var policy: String? { details?.split(separator: ";").first.map(String.init) }
}

extension BlueZDoctor {
    /// As much of a foreign text as is shown.
    private static let lengthLimit = 160
    /// As much of a list of addresses.
    static let addressLimit = 600

    /// Text of somebody else: between quotes, without anything that could steer a terminal, and no
    /// longer than a line or two.
    func said(_ text: String?, limit: Int = lengthLimit) -> String? {
        guard let text, !text.isEmpty else { return nil }
        let bytes = text.utf8
        let isLong = bytes.count > limit
        return PrintableText.quoted(bytes.prefix(limit)) + (isLong ? "…" : "")
    }

    /// A command that only root may run.
    func command(_ text: String) -> String { facts.computer.isRoot ? text : "sudo \(text)" }

    /// A path, if a shell takes it for what it is.
    static func shellWord(_ path: String) -> String? {
        let isPlain = path.allSatisfy {
            $0.isASCII && ($0.isLetter || $0.isNumber || "/._-+:".contains($0))
        }
        return isPlain && path.first == "/" && path.utf8.count <= lengthLimit ? path : nil
    }
}
#endif
