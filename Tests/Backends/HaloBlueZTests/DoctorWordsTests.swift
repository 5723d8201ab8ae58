#if os(Linux)
import HaloDBus
import Testing

@testable import HaloBlueZ

/// The doctor's text for each fault, compared as a whole.
@Suite struct DoctorWordsTests {
    @Test func aHealthyComputerHasThisText() {
        let findings = BlueZDoctor.diagnosis(of: .healthy).findings
        #expect(findings.map(Self.words).joined(separator: "\n") == Self.healthy)
    }

    @Test(arguments: DoctorFault.all + DoctorFault.variants)
    func eachFaultHasThisText(_ fault: DoctorFault) {
        var facts = BlueZFacts.healthy
        fault.change(&facts)
        let words = Self.words(facts)
        let written = (Self.faults + Self.variants).split(separator: "\n# ").first {
            $0.prefix { $0 != "\n" } == fault.name
        }
        let expected = written.map { $0.split(separator: "\n").dropFirst() } ?? []
        #expect(words == expected.joined(separator: "\n"), "\(words)")
    }

    /// A foreign text is cut to 160 bytes.
    @Test func longTextsAreCut() {
        for (length, end) in [(159, "\""), (160, "\""), (161, "\"…")] {
            var facts = BlueZFacts.healthy
            let text = String(repeating: "x", count: length)
            BlueZFacts.unreached(&facts, DBusError(.unreachable, details: text), .usable)
            let evidence = BlueZDoctor.diagnosis(of: facts).findings.first?.evidence
            #expect(evidence == "\"" + text.prefix(160) + end)
        }
    }

    /// The findings that a healthy computer does not have, and the numbers of those that only a
    /// healthy one has.
    static func words(_ facts: BlueZFacts) -> String {
        let usual = BlueZDoctor.diagnosis(of: .healthy).findings.map(words)
        let said = BlueZDoctor.diagnosis(of: facts).findings.map(words)
        var lines = said.filter { !usual.contains($0) }
        let missing = usual.indices.filter { !said.contains(usual[$0]) }
        if !missing.isEmpty { lines.append("not: \(missing)") }
        return lines.joined(separator: "\n")
    }

    /// A finding in short lines.
    private static func words(_ finding: BlueZFinding) -> String {
        var lines = [""]
        func add(_ text: String) {
            for word in text.split(separator: " ") {
                let last = lines[lines.count - 1]
                if last.utf8.count + word.utf8.count > 80 { lines.append("    ") }
                let isFirst = lines[lines.count - 1].allSatisfy { $0 == " " }
                lines[lines.count - 1] += (isFirst ? "" : " ") + word
            }
        }
        add(finding.description)
        for (mark, text) in [("  as is seen:", finding.evidence), ("  $", finding.command)] {
            guard let text else { continue }
            lines.append(mark)
            add(text)
        }
        return lines.joined(separator: "\n")
    }
}
#endif
