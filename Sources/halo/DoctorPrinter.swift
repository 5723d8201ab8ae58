#if os(Linux)
import HaloBlueZ

/// What the doctor found, for people or for programs.
struct DoctorPrinter {
    let width: Int
    let style: TerminalStyle

    /// How wide the texts are at most: longer lines are hard to read.
    private static let widest = 96

    init(width: Int, style: TerminalStyle) {
        self.width = width
        self.style = style
    }

    /// Each finding with its mark; a command stands on a line of its own, and is never broken.
    func lines(of diagnosis: BlueZDiagnosis) -> [String] {
        let column = (diagnosis.findings.map(\.subject.rawValue.count).max() ?? 0) + 4
        let margin = String(repeating: " ", count: column)
        // Where there is no room beside the subject, texts stand as if there were some.
        let room = max(24, min(width, Self.widest) - column)
        var lines: [String] = []
        for finding in diagnosis.findings {
            let subject = finding.subject.rawValue
            let padding = String(repeating: " ", count: column - 2 - subject.count)
            var head = "\(mark(finding.severity)) \(subject)\(padding)"
            for line in Self.wrapped(finding.sentence, room) {
                lines.append(head + line)
                head = margin
            }
            for line in Self.wrapped(finding.evidence ?? "", room) {
                lines.append(margin + style.faint(line))
            }
            if let command = finding.command {
                lines.append(margin + style.bytes("$ \(command)"))
            }
        }
        lines.append("")
        lines += Self.wrapped(summary(of: diagnosis), min(width, Self.widest)).map(style.strong)
        if !diagnosis.isUsable {
            lines += Self.wrapped(
                "Without any Bluetooth, programs meet a ring in this way:",
                min(width, Self.widest))
            lines.append(style.bytes("$ halo simulate ring --fake-bluez -- PROGRAM"))
        }
        return lines
    }

    /// The same as one object.
    static func value(of diagnosis: BlueZDiagnosis) -> JSONText.Value {
        .object([
            ("usable", .boolean(diagnosis.isUsable)), ("bus", text(diagnosis.bus)),
            ("daemon", text(diagnosis.daemonVersion)), ("adapter", text(diagnosis.adapter)),
            (
                "findings",
                .array(
                    diagnosis.findings.map { finding in
                        .object([
                            ("subject", .string(finding.subject.rawValue)),
                            ("severity", .string(finding.severity.rawValue)),
                            ("sentence", .string(finding.sentence)),
                            ("evidence", text(finding.evidence)),
                            ("command", text(finding.command)),
                        ])
                    })
            ),
        ])
    }

    private static func text(_ text: String?) -> JSONText.Value {
        text.map { .string($0) } ?? .null
    }

    private func mark(_ severity: BlueZFinding.Severity) -> String {
        switch severity {
        case .good: style.good("✓")
        case .problem: style.bad("✗")
        default: style.doubtful("!")
        }
    }

    private func summary(of diagnosis: BlueZDiagnosis) -> String {
        let problems = diagnosis.findings.count { $0.severity == .problem }
        let hints = diagnosis.findings.count { $0.severity == .hint }
        let also = hints == 0 ? "" : ", \(hints) \(hints == 1 ? "hint" : "hints")"
        guard problems > 0 else { return "Bluetooth can be used\(also)." }
        return "Bluetooth cannot be used: \(problems) \(problems == 1 ? "problem" : "problems")"
            + "\(also)."
    }

    /// The words on lines of so many characters; a word that is longer, an address for example,
    /// has a line of its own and stays whole, so that it can be copied.
    static func wrapped(_ text: String, _ room: Int) -> [String] {
        var lines: [String] = []
        var line = ""
        for word in text.split(separator: " ") {
            if !line.isEmpty, line.count + 1 + word.count > room {
                lines.append(line)
                line = ""
            }
            line += line.isEmpty ? String(word) : " \(word)"
        }
        return line.isEmpty ? lines : lines + [line]
    }
}
#endif
