#if os(Linux)
import Glibc

/// `BusBenchmarks`: what Bluetooth over the bus costs, beside other people's clients of the same
/// daemon. Each side is a program of its own, which this one starts: itself with a role, or a
/// peer.
@main struct Main {
    static func main() async {
        var arguments = Array(CommandLine.arguments.dropFirst())
        do {
            if let role = arguments.first.flatMap(Role.init) {
                arguments.removeFirst()
                try await role.run(arguments)
            } else {
                guard arguments.isEmpty else { throw BenchmarkFault("usage: BusBenchmarks") }
                if try Comparison().run() > 0 { exit(1) }
            }
        } catch {
            print("\(error)")
            exit(2)
        }
    }
}

/// Why nothing was measured.
struct BenchmarkFault: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}

/// Lets whoever reads our output have it.
func flushOutput() { fflush(nil) }

/// Microseconds.
enum Clock {
    static func now() -> Double { read(CLOCK_MONOTONIC) }
    /// What this program has had of the processor.
    static func cpu() -> Double { read(CLOCK_PROCESS_CPUTIME_ID) }

    private static func read(_ clock: clockid_t) -> Double {
        var time = timespec()
        clock_gettime(clock, &time)
        return Double(time.tv_sec) * 1e6 + Double(time.tv_nsec) / 1000
    }
}
#else
@main struct Main {
    static func main() { print("There is no such bus here.") }
}
#endif
