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
    var usage = rusage()
    #if canImport(Glibc)
    guard getrusage(RUSAGE_SELF, &usage) == 0 else { return .infinity }
    return Double(usage.ru_maxrss) / 1024
    #else
    guard getrusage(RUSAGE_SELF, &usage) == 0 else { return .infinity }
    #if canImport(Musl)
    return Double(usage.ru_maxrss) / 1024
    #else
    return Double(usage.ru_maxrss) / 1_048_576
    #endif
    #endif
}
