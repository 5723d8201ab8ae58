import HaloDBus
import TestSupport
import Testing

@testable import HaloBlueZ

/// The doctor's text for each fault, compared as a whole.
@Suite(.computes) struct DoctorTextTests {
    private static let scenarios = Scenario.all(in: "Golden/BlueZ/Doctor.txt")

    /// The text of each fault; the first is of a computer without one.
    @Test(arguments: scenarios)
    func eachFaultHasThisText(_ scenario: Scenario) throws {
        let fault = DoctorFault.all.first { $0.name == scenario.name }
        var facts = BlueZFacts.healthy
        fault?.change(&facts)
        let findings = BlueZDoctor.diagnosis(of: facts).findings
        try scenario.expect(
            fault == nil
                ? findings.map(Self.text).joined(separator: "\n") : Self.difference(facts))
        #expect(findings.allSatisfy { $0.sentence.last == "." })
        let isProblem = findings.contains { $0.severity == .problem }
        #expect(BlueZDoctor.diagnosis(of: facts).isUsable == !isProblem)
    }

    @Test func eachFaultHasAText() {
        let names = ["healthy"] + DoctorFault.all.map(\.name)
        #expect(names.sorted() == Self.scenarios.map(\.name).sorted())
    }

    /// The findings that a healthy computer does not have, and the numbers of those that only a
    /// healthy one has.
    private static func difference(_ facts: BlueZFacts) -> String {
        let usual = BlueZDoctor.diagnosis(of: .healthy).findings.map(text)
        let said = BlueZDoctor.diagnosis(of: facts).findings.map(text)
        var lines = said.filter { !usual.contains($0) }
        let missing = usual.indices.filter { !said.contains(usual[$0]) }
        if !missing.isEmpty { lines.append("not: \(missing)") }
        return lines.joined(separator: "\n")
    }

    /// A finding in short lines.
    private static func text(_ finding: BlueZFinding) -> String {
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
