/// The reason why a verb does not run with its arguments.
enum ArgumentError: Error {
    /// `--help` was met.
    case helpRequested
    /// The arguments are wrong, for this reason.
    case wrongUsage(String)
    /// A file that stands for missing arguments cannot be used.
    case failed(Failure)
}
