import HaloProtocol
import HaloSimulator

/// `halo simulate`: an app, a link and a ring that do not exist, and everything that goes wrong.
enum SimulateVerb: Verb {
    static let name = "simulate"
    static let summary = "is a device for other programs, or checks the rules with virtual ones"

    static var usage: String {
        """
        usage: halo simulate [--seed S] [--only-faults LIST] [--json]
               halo simulate --sweep N [--seed S] [--json]
               halo simulate ring|strap …

        The last one is a device that other programs meet: 'halo simulate ring --help' says more.

        Makes up, from a number, an app that asks and a ring that answers, with what can go wrong
        between them, and lets them run on virtual time. Checked are rules that hold in every run:
        each request ends once; an answer is what the ring holds, or there is none; nothing is
        lost or done twice; nothing waits without an end. The same number is the same run.

          --seed S            the number; 1 if left out
          --sweep N           as many runs, one for each number from S on, until a rule is broken:
                              then the fewest faults that still break one are looked for
          --only-faults LIST  of the faults of the run let only these happen: their numbers, as
                              in 3,17, or none
          --json              one JSON object a line: for one run its seed, status (kept, broken),
                              violations, faults, requests, digest and trace; for a sweep its
                              runs and their rate, and for a broken run also reproduce

        Exit status: 0 if every rule was kept, 1 if one was broken, 2 for wrong usage.

        """
    }

    static func run(_ arguments: [String], console: inout Console) async -> ExitStatus {
        if SimulatedDeviceOptions.areMeant(by: arguments) {
            return await SimulatedDevice.run(arguments, console: &console)
        }
        let options: SimulateOptions
        do throws(UsageError) {
            options = try SimulateOptions(arguments)
        } catch {
            console.complain(
                """
                halo simulate: \(console.safe(error.reason))
                usage: halo simulate [--sweep N] [--seed S] [--only-faults LIST] [--json]
                'halo help simulate' says more.
                """)
            return .wrongUsage
        }
        if options.wantsHelp {
            console.write(usage)
            return .success
        }
        let printer = SimulationPrinter(
            isJSON: options.isJSON, style: TerminalStyle(isOn: console.usesColour))
        if let count = options.sweep {
            return sweep(count, from: options.seed, printer, &console)
        }
        var simulation = Simulation<RingSession>(
            seed: options.seed, onlyFaults: options.onlyFaults)
        simulation.isTraced = true
        let report = simulation.run()
        console.write(printer.text(of: report))
        return report.violations.isEmpty ? .success : .foundFault
    }

    private static func sweep(
        _ count: Int, from seed: UInt64, _ printer: SimulationPrinter, _ console: inout Console
    ) -> ExitStatus {
        let clock = ContinuousClock()
        let begun = clock.now
        var sweep = Sweep<RingSession>(from: seed)
        let failure = sweep.run(count)
        console.write(printer.text(of: sweep, from: seed, in: clock.now - begun, failure))
        return failure == nil ? .success : .foundFault
    }
}
