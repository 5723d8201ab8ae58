#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Time of the computer, from when it was made.
struct Stopwatch {
    private let begun = Self.nanoseconds()

    var milliseconds: Double { (Self.nanoseconds() - begun) / 1e6 }

    /// A time that only goes forward.
    static func nanoseconds() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
    }
}

/// The most memory that this process has had so far, in megabytes.
func peakMegabytes() -> Double {
    // RUSAGE_SELF, whose type differs between C libraries.
    let ourselves: Int32 = 0
    var usage = rusage()
    guard getrusage(ourselves, &usage) == 0 else { return .infinity }
    #if canImport(Darwin)
    return Double(usage.ru_maxrss) / 1_048_576
    #else
    return Double(usage.ru_maxrss) / 1024
    #endif
}
