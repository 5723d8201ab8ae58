import HaloSimulator

#if os(Linux)
import HaloBlueZ
import HaloDBus
#endif

/// A verb of the command line, with the options of one call.
///
/// A verb has its options and its work. ``start(_:_:)`` has what all verbs share: `--help`, and
/// the answer to wrong usage.
protocol Verb: Sendable {
    /// The word on the command line.
    static var name: String { get }
    /// One line for the list of verbs.
    static var summary: String { get }
    /// The forms of the command line, a line each.
    static var synopsis: String { get }
    /// The help text below the synopsis.
    static var details: String { get }
    /// The command that prints the help text.
    static var helpCommand: String { get }

    /// The verb that these arguments mean, if it shares its name with others.
    static func variant(for arguments: [Argument]) -> any Verb.Type

    /// Reads the options to their end.
    init(_ arguments: inout ArgumentReader) throws(ArgumentError)

    /// Does the work.
    func run(_ console: inout Console) async -> ExitStatus
}

extension Verb {
    static var helpCommand: String { "halo help \(name)" }

    /// The synopsis and the details.
    static var usage: String { "usage: \(synopsis)\n\n\(details)\n" }

    static func variant(for arguments: [Argument]) -> any Verb.Type { Self.self }

    /// Reads the options and runs the verb, or prints its help text, or refuses wrong usage.
    static func start(_ arguments: [Argument], _ console: inout Console) async -> ExitStatus {
        console.verb = name
        do throws(ArgumentError) {
            var reader = ArgumentReader(arguments)
            return try await Self(&reader).run(&console)
        } catch {
            switch error {
            case .helpRequested:
                console.write(usage)
                return .success
            case .wrongUsage(let reason):
                console.report(reason)
                console.writeError("usage: \(synopsis)\n'\(helpCommand)' says more.")
                return .wrongUsage
            }
        }
    }
}

/// The reason why a verb does not run with its arguments.
enum ArgumentError: Error {
    /// `--help` was met.
    case helpRequested
    /// The arguments are wrong, for this reason.
    case wrongUsage(String)

    /// There is no such option.
    static func unknown(_ argument: String) -> ArgumentError {
        .wrongUsage("there is no option '\(argument)'")
    }
}

extension RingProfile {
    /// The models as options name them.
    static let modelNames = all.map { $0.model.lowercased() }

    /// The profile of a model, in upper or lower case.
    static func named(_ model: String) -> RingProfile? {
        all.first { $0.model.lowercased() == model.lowercased() }
    }
}

#if os(Linux)
extension BlueZOptions {
    /// The options for an adapter and the address of a bus.
    init(adapter: String?, busAddress: String?) throws(ArgumentError) {
        self.init(adapter: adapter)
        guard let busAddress else { return }
        bus = try mapError({ (error: DBusAddressError) -> ArgumentError in
            .wrongUsage(
                "--bus takes the address of a bus, as unix:path=FILE, not '\(busAddress)': \(error)"
            )
        }) { () throws(DBusAddressError) in try DBusAddress.list(busAddress) }
    }
}
#endif
