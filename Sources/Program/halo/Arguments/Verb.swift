import HaloDevices

/// A verb of the command line, with the options of one call.
///
/// A verb has a table of its options, and its work. ``start(_:_:)`` has what all verbs share:
/// `--help`, wrong usage, and the form of errors.
protocol Verb {
    static var syntax: VerbSyntax { get }

    /// Takes the values of the options; refuses combinations that make no sense.
    init(_ arguments: ParsedArguments) throws(Failure)

    func run(_ console: inout Console) async throws(Failure) -> ExitStatus
}

extension Verb {
    /// Parses the arguments, and runs the verb. A task that is cancelled runs none.
    static func start(_ arguments: [Argument], _ console: inout Console) async -> ExitStatus {
        // An error in the arguments is JSON as well, if JSON was asked for.
        console.isJSON =
            syntax.json != nil
            && arguments.prefix { $0 != "--" }.contains(Argument(stringLiteral: "--json"))
        let verb: Self
        do throws(Failure) {
            let parsed = try ParsedArguments(arguments, syntax.options)
            if parsed.has(CommonOptions.help) {
                console.write(syntax.help(console.helpWidth))
                return .success
            }
            let color = try parsed.value(of: CommonOptions.color) ?? .auto
            console.isQuiet = parsed.has(CommonOptions.quiet)
            console.replacesFiles = parsed.has(CommonOptions.force)
            console.setColor(color)
            if syntax.takesNoWords { _ = try parsed.words(atMost: 0) }
            verb = try Self(parsed)
        } catch {
            let advice = "'halo help \(syntax.name)' says more."
            return console.report(error.status == .wrongUsage ? error.advised(advice) : error)
        }
        do throws(Failure) {
            if Task.isCancelled { throw Failure(DeviceError(.cancelled)) }
            return try await verb.run(&console)
        } catch {
            return console.report(error)
        }
    }
}
