#if os(Linux)
import Testing
@Suite struct ZZGenerate {
    @Test func zz() {
        for row in LinkMachineTable.rows {
            let left = String(row.split(separator: " -> ")[0])
            print("ROW \(left) -> \(LinkMachineTable.played(left) ?? "???")")
        }
        for state in MachineBench.states.keys.sorted() {
            for (word, input) in MachineBench.inputs {
                guard var bench = MachineBench.reaching(state) else {
                    print("NOSTATE \(state)"); break
                }
                let before = bench.machine
                let effects = bench.take(bench.addressed(input))
                if LinkMachineTable.known(in: state).contains(word) { continue }
                if !effects.isEmpty || bench.machine != before {
                    print(
                        "PAIR \(state) + \(word) -> \(LinkMachineTable.played("\(state) + \(word)") ?? "???")"
                    )
                }
            }
        }
    }
}
#endif
