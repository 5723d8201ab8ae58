internal import HaloProtocol

#if canImport(Darwin)
internal import Darwin
#elseif canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Android)
internal import Android
#endif

/// Asks the C library what time it is here.
enum SystemWallClock {
    /// What the computer's clock shows; in UTC, if the library cannot tell what is shown here.
    static func read() -> WallClock {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        return at(now.tv_sec)
    }

    /// What the computer's clock shows so many seconds after 1970 began in UTC; it stays at the
    /// ends of what a ring's clock can show.
    static func at(_ secondsSince1970: time_t) -> WallClock {
        var seconds = secondsSince1970
        var fields = tm()
        let offset = localtime_r(&seconds, &fields) == nil ? 0 : Int(fields.tm_gmtoff)
        let (local, overflow) = Int(seconds).addingReportingOverflow(offset)
        return WallClock(
            local: CivilDateTime(
                secondsSince1970: UInt32(clamping: overflow ? Int(seconds) : local)),
            secondsFromUTC: offset)
    }
}
