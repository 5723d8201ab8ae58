#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

enum TerminalEnvironment {
    static let (input, output, error) = (STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO)

    /// An environment variable; empty if it is not set.
    static func variable(_ name: String) -> String {
        getenv(name).map { String(cString: $0) } ?? ""
    }

    /// The kind of the terminal; empty if it is unknown.
    static var term: String { variable("TERM") }

    static var locale: String {
        ["LC_ALL", "LC_CTYPE", "LANG"].map(variable).first { $0 != "" } ?? ""
    }

    static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }

    /// `true` for a terminal that can show colours and pictures.
    static func understandsSequences(_ descriptor: Int32) -> Bool {
        isTerminal(descriptor) && understandsSequences(term: term)
    }

    static func isSameTerminal(_ first: Int32, _ second: Int32) -> Bool {
        var (one, other) = (stat(), stat())
        return fstat(first, &one) == 0 && fstat(second, &other) == 0
            && one.st_rdev == other.st_rdev
    }

    static func understandsSequences(term: String) -> Bool {
        !["", "dumb", "unknown"].contains(term)
    }
}
