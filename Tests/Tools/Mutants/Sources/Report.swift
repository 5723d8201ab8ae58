/// The results of the mutants of one target.
struct Score {
    let target: String
    var found = 0
    var survivors: [(Mutant, Verdict)] = []
    var equivalent = 0
    var dropped = 0

    /// The number of tested mutants.
    var tried: Int { found + survivors.count }
    var percent: Double { tried == 0 ? 100 : 100 * Double(found) / Double(tried) }

    mutating func add(_ mutant: Mutant, _ verdict: Verdict) {
        if case .found = verdict { found += 1 } else { survivors.append((mutant, verdict)) }
    }
}

/// Prints the scores as a table, and the survivors with their positions.
struct Report {
    let scores: [Score]

    var total: Score {
        var total = Score(target: "all")
        for score in scores {
            total.found += score.found
            total.survivors += score.survivors
            total.equivalent += score.equivalent
            total.dropped += score.dropped
        }
        return total
    }

    func print() {
        for score in scores where !score.survivors.isEmpty {
            say("\nNot noticed in \(score.target):")
            let inOrder = score.survivors.sorted {
                ($0.0.path, $0.0.line) < ($1.0.path, $1.0.line)
            }
            for (mutant, verdict) in inOrder {
                let reach = if case .notReached = verdict { ", where no test comes by" } else { "" }
                say("\(mutant.path):\(mutant.line): \(mutant.kind.rawValue)\(reach)")
                say("    \(mutant.key)")
            }
        }
        say(
            "\n" + Self.row("target", "tried", "found", "not", "equivalent", "no build", "score"))
        for score in scores + [total] {
            say(
                Self.row(
                    score.target, "\(score.tried)", "\(score.found)", "\(score.survivors.count)",
                    "\(score.equivalent)", "\(score.dropped)", Self.words(score.percent)))
        }
    }

    private static func words(_ percent: Double) -> String {
        let tenths = Int(percent * 10)
        return "\(tenths / 10).\(tenths % 10) %"
    }

    private static func row(_ cells: String...) -> String {
        var row = cells[0] + String(repeating: " ", count: max(1, 22 - cells[0].count))
        for cell in cells.dropFirst() {
            row += String(repeating: " ", count: max(1, 12 - cell.count)) + cell
        }
        return row
    }
}
