#if os(Linux)
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

    init(_ facts: BlueZFacts) {
        self.facts = facts
    }

    /// Looks at everything that a transport with these options needs.
    public static func examine(
        _ options: BlueZOptions = BlueZOptions(), timeout: Duration = defaultTimeout
    ) async -> BlueZDiagnosis {
        diagnosis(of: await BlueZFacts.gathered(options, timeout: timeout))
    }

    /// What follows from facts.
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
            BlueZFinding(
                subject, severity, sentence, evidence: evidence, command: command))
    }
}
#endif
