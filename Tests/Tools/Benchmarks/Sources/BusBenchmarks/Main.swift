#if os(Linux)
import Glibc

/// The program `BusBenchmarks`: the cost of Bluetooth over the bus, compared with other clients of
/// the same daemon. Each side is a child process: this program with a role, or a peer.
@main struct Main {
    static func main() async {
        var arguments = Array(CommandLine.arguments.dropFirst())
        do {
            if let role = arguments.first.flatMap(Role.init) {
                arguments.removeFirst()
                try await role.run(arguments)
            } else {
                switch arguments {
                case []: if try Comparison().run() > 0 { exit(1) }
                case ["sync"]: if try SyncComparison().run() > 0 { exit(1) }
                default: throw BenchmarkFault("usage: BusBenchmarks [sync]")
                }
            }
        } catch {
            print("\(error)")
            exit(2)
        }
    }
}

/// The reason for a missing measurement.
struct BenchmarkFault: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}

/// Flushes the output.
func flushOutput() { fflush(nil) }

/// Microseconds.
enum Clock {
    static func now() -> Double { read(CLOCK_MONOTONIC) }
    /// The processor time of this program.
    static func cpu() -> Double { read(CLOCK_PROCESS_CPUTIME_ID) }
    /// The processor time of the child processes that have ended.
    static func cpuOfChildren() -> Double {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_CHILDREN.rawValue), &usage)
        return [usage.ru_utime, usage.ru_stime].reduce(0) {
            $0 + Double($1.tv_sec) * 1e6 + Double($1.tv_usec)
        }
    }

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
