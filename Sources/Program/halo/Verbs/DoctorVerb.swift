#if os(Linux)
import HaloBlueZ
#endif

struct DoctorVerb: Verb {
    private let bus: BusChoice

    static let syntax = VerbSyntax(
        "doctor", "reports faults of Bluetooth on this computer, and how to fix them",
        options: BusChoice.options,
        json: """
            one JSON object: type (doctor), usable, bus, daemon, adapter (texts or null), \
            findings. A finding has: subject, severity (good, hint, problem), sentence, evidence \
            and command (texts or null)
            """,
        examples: [
            "halo doctor",
            "halo doctor --json",
        ],
        """
        Examines everything that a program needs to use Bluetooth on Linux: the bus, BlueZ's
        daemon, permission, the adapter, its power and roles, the daemon's settings. Prints the
        state of each, and the command that fixes it. Changes and starts nothing. The exit status
        is 3 if something prevents the use of Bluetooth.
        """)

    init(_ arguments: ParsedArguments) throws(Failure) {
        bus = try BusChoice(arguments)
    }

    #if os(Linux)
    func run(_ console: inout Console) async throws(Failure) -> ExitStatus {
        let daemon = try await bus.open()
        let diagnosis = await BlueZDoctor.examine(daemon.options)
        if console.isJSON {
            console.write(type: "doctor", Self.members(diagnosis))
        } else {
            for line in Self.lines(diagnosis, console) { console.write(line + "\n") }
        }
        withExtendedLifetime(daemon) {}
        return diagnosis.isUsable ? .success : .unusable
    }

    /// The widest line, in characters; longer ones are hard to read.
    private static let widest = 96

    /// A line for each finding, its evidence and its command. A command is never wrapped.
    private static func lines(_ diagnosis: BlueZDiagnosis, _ console: Console) -> [String] {
        let style = console.style
        let width = min(console.width, widest)
        let column = (diagnosis.findings.map(\.subject.rawValue.count).max() ?? 0) + 4
        let margin = String(repeating: " ", count: column)
        // A narrow terminal wraps the lines itself.
        let room = max(24, width - column)
        var lines: [String] = []
        for finding in diagnosis.findings {
            let subject = finding.subject.rawValue
            let padding = String(repeating: " ", count: column - 2 - subject.count)
            var head = "\(mark(finding.severity, style)) \(subject)\(padding)"
            for line in wrapped(finding.sentence, room) {
                lines.append(head + line)
                head = margin
            }
            for line in wrapped(finding.evidence ?? "", room) {
                lines.append(margin + style.faint(line))
            }
            if let command = finding.command {
                lines.append(margin + style.bytes("$ \(command)"))
            }
        }
        lines.append("")
        lines += wrapped(summary(of: diagnosis), width).map(style.strong)
        if !diagnosis.isUsable {
            lines += wrapped("To test a program with a simulated ring, without Bluetooth:", width)
            lines.append(style.bytes("$ halo simulate ring --fake-bluez -- PROGRAM"))
        }
        return lines
    }

    private static func mark(
        _ severity: BlueZFinding.Severity, _ style: TerminalStyle
    ) -> String {
        switch severity {
        case .good: style.good("✓")
        case .problem: style.bad("✗")
        default: style.doubtful("!")
        }
    }

    private static func summary(of diagnosis: BlueZDiagnosis) -> String {
        let problems = diagnosis.findings.count { $0.severity == .problem }
        let hints = diagnosis.findings.count { $0.severity == .hint }
        let also = hints == 0 ? "." : ", \(TextLayout.count(hints, "hint"))."
        return problems == 0
            ? "Bluetooth can be used\(also)"
            : "Bluetooth cannot be used: \(TextLayout.count(problems, "problem"))\(also)"
    }

    private static func wrapped(_ text: String, _ width: Int) -> [String] {
        TextLayout.wrapped(text.split(separator: " "), separator: " ", width: width)
    }

    private static func members(_ diagnosis: BlueZDiagnosis) -> JSONObject {
        let findings = JSONObject.list(diagnosis.findings) { finding in
            [
                "subject": finding.subject.rawValue, "severity": finding.severity.rawValue,
                "sentence": finding.sentence, "evidence": finding.evidence,
                "command": finding.command,
            ]
        }
        return [
            "usable": diagnosis.isUsable, "bus": diagnosis.bus, "daemon": diagnosis.daemonVersion,
            "adapter": diagnosis.adapter, "findings": findings,
        ]
    }
    #else
    func run(_ console: inout Console) async throws(Failure) -> ExitStatus {
        throw Failure(
            .unusable, "it examines BlueZ, which runs on Linux only")
    }
    #endif
}
