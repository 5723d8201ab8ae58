#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The program: `Benchmarks [--json] [FILTER]` runs all rows, or those whose name contains FILTER.
@main struct Main {
    static func main() async {
        var arguments = Array(CommandLine.arguments.dropFirst())
        if ImportPass.runIfAsked(arguments) { return }
        if await HealthPass.runIfAsked(arguments) { return }
        let isJSON = arguments.contains("--json")
        arguments.removeAll { $0 == "--json" }
        guard arguments.count <= 1, arguments.first?.hasPrefix("-") != true else {
            stop("usage: Benchmarks [--json] [FILTER]")
        }
        let rows = Row.all.filter { row in arguments.allSatisfy { row.name.contains($0) } }
        let workloads = Workload.all.filter { workload in
            arguments.allSatisfy { workload.name.contains($0) }
        }
        guard !rows.isEmpty || !workloads.isEmpty else { stop("no row has such a name") }
        if !rows.isEmpty, let fault = Bench.fault() { stop(fault) }
        let cores = Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))
        var report: any Report = isJSON ? JSONReport(cores: cores) : TableReport(cores: cores)
        var missed: [String] = []
        for row in rows {
            let bench = Bench(row)
            if let disagreement = bench.disagreement() { stop("\(row.name): \(disagreement)") }
            let measurement = bench.measureUntilWithinLimits()
            report.add(row, measurement)
            missed += row.limits.missed(by: measurement).map { "\(row.name): \($0)" }
        }
        if !workloads.isEmpty { report.beginFigures() }
        for workload in workloads {
            do {
                for figure in try await workload.measureUntilWithinLimits() {
                    report.add(figure)
                    if figure.isMissed { missed.append("\(figure.name): \(decimal(figure.value))") }
                }
            } catch {
                stop("\(workload.name): \(error)")
            }
        }
        report.end(missed: missed)
        if !missed.isEmpty { exit(1) }
    }

    private static func stop(_ message: String) -> Never {
        print(message)
        exit(2)
    }
}
