#if os(Linux)
#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

extension SystemSocket {
    /// Microseconds of a clock that nobody sets.
    static func now() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000
    }

    /// Waits for so many microseconds, or less.
    static func sleep(_ microseconds: Int64) {
        var time = timespec()
        time.tv_sec = numericCast(max(0, microseconds) / 1_000_000)
        time.tv_nsec = numericCast(max(0, microseconds) % 1_000_000 * 1000)
        nanosleep(&time, nil)
    }

    static func environment(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }
    }

    static var userID: UInt32 { geteuid() }

    static var processID: UInt32 { UInt32(clamping: getpid()) }

    /// What this computer calls itself: 32 hexadecimal digits.
    static let machineID: String? = {
        for path in ["/etc/machine-id", "/var/lib/dbus/machine-id"] {
            let descriptor = open(path, O_RDONLY | O_CLOEXEC)
            guard descriptor != -1 else { continue }
            defer { close(descriptor) }
            var digits = room(32)
            guard systemRead(descriptor, &digits, digits.count) == digits.count else { continue }
            return String(decoding: digits, as: UTF8.self)
        }
        return nil
    }()
}

private func systemRead(_ descriptor: Int32, _ bytes: inout [UInt8], _ count: Int) -> Int {
    read(descriptor, &bytes, count)
}
#endif
