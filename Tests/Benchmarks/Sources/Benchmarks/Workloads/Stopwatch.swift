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
///
/// On Linux the process says it itself: what `getrusage` says includes the memory of the process
/// that started this one.
func peakMegabytes() -> Double {
    #if os(Linux)
    guard let file = fopen("/proc/self/status", "r") else { return .infinity }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 256)
    while fgets(&line, Int32(line.count), file) != nil {
        let text = String(
            decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        guard text.hasPrefix("VmHWM:") else { continue }
        let kilobytes = text.split { !("0"..."9").contains($0) }.first.flatMap { Double($0) }
        return kilobytes.map { $0 / 1024 } ?? .infinity
    }
    return .infinity
    #else
    var usage = rusage()
    guard getrusage(RUSAGE_SELF, &usage) == 0 else { return .infinity }
    return Double(usage.ru_maxrss) / 1_048_576
    #endif
}
