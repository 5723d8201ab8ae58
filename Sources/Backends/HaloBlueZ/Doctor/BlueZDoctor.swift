#if os(Linux)
internal import HaloDBus
internal import HaloProtocol

/// Diagnoses why Bluetooth does not work on this computer, and names the command that helps.
///
///     for finding in await BlueZDoctor.examine().findings {
///         print(finding, finding.command ?? "")
///     }
///
/// The checks only read: no daemon is started, nothing is powered on.
public struct BlueZDoctor {
    /// The default timeout for each reply of the bus and of the daemon.
    public static let defaultTimeout: Duration = .seconds(5)

    let facts: BlueZFacts
    private(set) var findings: [BlueZFinding] = []

    init(_ facts: BlueZFacts) { self.facts = facts }

    /// Runs all checks for a transport with these options.
    public static func examine(
        _ options: BlueZOptions = BlueZOptions(), timeout: Duration = defaultTimeout
    ) async -> BlueZDiagnosis {
        diagnosis(of: await BlueZFacts.collect(options, timeout: timeout))
    }

    static func diagnosis(of facts: BlueZFacts) -> BlueZDiagnosis {
        var doctor = BlueZDoctor(facts)
        doctor.checkBus()
        if facts.bus.isReached { doctor.checkDaemon() }
        if let objects = facts.daemon.objects {
            doctor.checkAdapters(objects)
            doctor.checkSettings(objects)
        }
        let addresses = facts.bus.addresses.map(\.description).joined(separator: ";")
        return BlueZDiagnosis(
            findings: doctor.findings,
            bus: addresses.isEmpty ? nil : PrintableText.escaped(addresses.utf8),
            daemonVersion: facts.daemon.objects?.version?.description,
            adapter: facts.daemon.objects?.chosenAdapter(facts.wantedAdapter)?.path.lastElement)
    }

    mutating func add(
        _ subject: BlueZFinding.Subject, _ severity: BlueZFinding.Severity, _ sentence: String,
        evidence: String? = nil, command: String? = nil
    ) {
        findings.append(
            BlueZFinding(
                subject: subject, severity: severity, sentence: sentence, evidence: evidence,
                command: command))
    }
}

extension DBusError {
    var isDenied: Bool { kind == .remote && name == DBusErrorName.accessDenied }

    var isUserRefused: Bool {
        kind == .notAuthenticated && details == DBusAuthenticationError.rejected.description
    }

    /// The first part of the bus's text, which names the policy; the rest describes the call.
    var policy: String? { details?.split(separator: ";").first.map(String.init) }
}

extension BlueZDoctor {
    /// The maximum number of bytes shown of a system text.
    private static let lengthLimit = 160
    /// The maximum number of bytes shown of a list of addresses.
    static let addressLimit = 600

    /// Quotes a text of the system: escaped, so that it cannot control a terminal, and cut.
    func quoted(_ text: String?, limit: Int = lengthLimit) -> String? {
        guard let text, !text.isEmpty else { return nil }
        let bytes = text.utf8
        let isLong = bytes.count > limit
        return PrintableText.quoted(bytes.prefix(limit)) + (isLong ? "…" : "")
    }

    /// Returns a command that needs root, with `sudo` for other users.
    func command(_ text: String) -> String { facts.computer.isRoot ? text : "sudo \(text)" }

    static func shellWord(_ path: String) -> String? {
        let isPlain = path.allSatisfy {
            $0.isASCII && ($0.isLetter || $0.isNumber || "/._-+:".contains($0))
        }
        return isPlain && path.first == "/" && path.utf8.count <= lengthLimit ? path : nil
    }
}
#endif
