#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Tells whether two names mean one file.
enum FileIdentity {
    /// Refuses to write a file over the one that it is made of.
    static func check(_ output: String, isNot input: String) throws(UsageError) {
        guard !isSame(input, output) else {
            throw UsageError(reason: "a file is not written over the one that it is made of")
        }
    }

    /// Whether two names mean one file, however they are written, and also through links.
    static func isSame(_ first: String, _ second: String) -> Bool {
        if first == second { return true }
        var (one, other) = (stat(), stat())
        guard stat(first, &one) == 0, stat(second, &other) == 0 else { return false }
        return one.st_dev == other.st_dev && one.st_ino == other.st_ino
    }
}
