#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

/// The wall clock that a virtual air follows, with functions to wait and to start a task.
package struct VirtualPacing: Sendable {
    package var spawn: @Sendable (@escaping @Sendable () async -> Void) -> Void
    /// The elapsed time since an arbitrary origin.
    package var now: @Sendable () -> Duration
    /// Sleeps; for a pause of zero it lets the tasks that are ready run first.
    package var pause: @Sendable (Duration) async -> Void
    /// Whether another thread of the program computes, or would if it had a processor. `false` if
    /// the system does not say.
    package var othersCompute: @Sendable () -> Bool = { false }

    package static func system() -> VirtualPacing {
        let clock = ContinuousClock()
        let origin = clock.now
        return VirtualPacing(
            spawn: { body in Task { await body() } },
            now: { origin.duration(to: clock.now) },
            pause: { pause in
                if pause == .zero { return await Task.yield() }
                try? await clock.sleep(for: pause)
            },
            othersCompute: { isComputingBesideThisThread })
    }

    /// `true` if two threads of the program compute or wait for a processor, as Linux tells it;
    /// `false` elsewhere. This one is among them.
    private static var isComputingBesideThisThread: Bool {
        #if os(Linux)
        guard let folder = opendir("/proc/self/task") else { return false }
        defer { closedir(folder) }
        var count = 0
        while let entry = readdir(folder) {
            let number = withUnsafeBytes(of: entry.pointee.d_name) { name in
                String(decoding: name.prefix { $0 != 0 }, as: UTF8.self)
            }
            if isComputing(thread: number) { count += 1 }
            if count > 1 { return true }
        }
        return false
        #else
        return false
        #endif
    }

    #if os(Linux)
    /// Reads the state of a thread: a letter behind its name, which ends with a parenthesis.
    private static func isComputing(thread: String) -> Bool {
        let file = open("/proc/self/task/\(thread)/stat", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return false }
        defer { close(file) }
        return withUnsafeTemporaryAllocation(byteCount: 128, alignment: 1) { buffer in
            let bytes = buffer.prefix(max(read(file, buffer.baseAddress, 128), 0))
            guard let end = bytes.lastIndex(of: UInt8(ascii: ")")) else { return false }
            return bytes.dropFirst(end + 2).first == UInt8(ascii: "R")
        }
    }
    #endif
}
