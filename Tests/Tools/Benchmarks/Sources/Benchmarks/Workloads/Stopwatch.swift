#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The time of the computer since the stopwatch was created.
struct Stopwatch {
    private let begun = Self.nanoseconds()

    var milliseconds: Double { (Self.nanoseconds() - begun) / 1e6 }

    /// The monotonic time.
    static func nanoseconds() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
    }
}

/// The peak memory of a process in megabytes: of this one, or of one with a number.
///
/// On Linux it is read from `/proc`: the figure of `getrusage` includes the memory of the process
/// that started this one.
func peakMegabytes(of process: String = "self") -> Double {
    #if os(Linux)
    guard let file = fopen("/proc/\(process)/status", "r") else { return .infinity }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 256)
    while fgets(&line, Int32(line.count), file) != nil {
        let text = String(
            decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        guard text.hasPrefix("VmHWM:") else { continue }
        let kilobytes = text.split { !("0"..."9").contains($0) }.first.flatMap { Double($0) }
        return kilobytes.map { $0 / 1024 } ?? .infinity
    }
    // A process that is ending has no memory any more.
    return process == "self" ? .infinity : 0
    #else
    var usage = rusage()
    guard getrusage(RUSAGE_SELF, &usage) == 0 else { return .infinity }
    return Double(usage.ru_maxrss) / 1_048_576
    #endif
}
