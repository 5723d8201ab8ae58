/// A verb of the command line, with the options of one call.
///
/// A verb has a table of its options, and its work. ``start(_:_:)`` has what all verbs share:
/// `--help`, wrong usage, and the form of errors.
protocol Verb: Sendable {
    static var syntax: VerbSyntax { get }

    /// Takes the values of the options; refuses combinations that make no sense.
    init(_ arguments: ParsedArguments) throws(ArgumentError)

    /// Does the work. A ``Failure`` that is thrown is reported.
    func run(_ console: inout Console) async throws(Failure) -> ExitStatus
}

extension Verb {
    /// Runs the verb with its arguments, or prints its help text, or refuses wrong usage.
    static func start(_ arguments: [Argument], _ console: inout Console) async -> ExitStatus {
        // An error in the arguments is JSON as well, if JSON was asked for.
        console.isJSON =
            syntax.json != nil
            && arguments.prefix { $0 != "--" }.contains(Argument(stringLiteral: "--json"))
        do throws(ArgumentError) {
            let parsed = try ParsedArguments(arguments, syntax.options)
            let color = try parsed.value(of: CommonOptions.color) ?? .auto
            console.isQuiet = parsed.has(CommonOptions.quiet)
            console.setColor(color)
            let verb = try Self(parsed)
            do throws(Failure) {
                return try await verb.run(&console)
            } catch {
                return console.report(error)
            }
        } catch {
            switch error {
            case .helpRequested:
                console.write(syntax.help(console.helpWidth))
                return .success
            case .wrongUsage(let reason):
                let advice = "'halo help \(syntax.name)' says more."
                return console.report(Failure(.wrongUsage, reason, advice: advice))
            case .failed(let failure): return console.report(failure)
            }
        }
    }
}
