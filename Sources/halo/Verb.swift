/// One verb of the command line.
protocol Verb: Sendable {
    /// What one types.
    static var name: String { get }
    /// What it does, in a few words.
    static var summary: String { get }
    /// How it is used, with every option.
    static var usage: String { get }
    /// Does it.
    static func run(_ arguments: [String], console: inout Console) async -> ExitStatus
}

/// How the program ends.
enum ExitStatus: Int32 {
    /// Everything was done.
    case success = 0
    /// It was done, and something was found wrong.
    case foundFault = 1
    /// It was asked in a way that it does not understand.
    case wrongUsage = 2
}
