/// The command line: finds the verb and starts it.
@main
struct Halo {
    static func main() async {
        ProgramEnding.resetQuitSignal()
        #if os(Linux)
        ChildProcess.becomeCommand()
        #endif
        StandardDescriptors.occupy()
        // The verb has a task of its own, which signals cancel.
        let work = Task {
            var console = Console()
            let status =
                StandardDescriptors.leaveRoom
                ? await run(Argument.ofProgram, &console)
                : console.report(
                    Failure(
                        .unusable, "the limit on open files is too low",
                        advice: "'ulimit -n 256' raises it."))
            console.finish(with: status.code)
        }
        ProgramEnding.register { work.cancel() }
        await work.value
    }

    static func run(
        _ arguments: [Argument], _ console: inout Console
    ) async -> ExitStatus {
        switch arguments.first?.text {
        case nil:
            console.writeError(VerbList.manual.usage(console.helpWidth))
            return .wrongUsage
        case "help", "--help", "-h":
            if let status = refuse(arguments.dropFirst(2), &console) { return status }
            return help(arguments.dropFirst().first?.text, &console)
        case "version", "--version":
            if let status = refuse(arguments.dropFirst(), &console) { return status }
            console.write("halo \(VerbList.version)\n")
            return .success
        case let name?:
            guard let verb = verb(name, of: arguments, &console) else { return .wrongUsage }
            return await verb.start(Array(arguments.dropFirst()), &console)
        }
    }

    /// Reports arguments that are too many; `nil` if there are none.
    private static func refuse(
        _ arguments: ArraySlice<Argument>, _ console: inout Console
    ) -> ExitStatus? {
        guard let first = arguments.first else { return nil }
        return console.report(
            Failure(.wrongUsage, "unexpected argument '\(first.text)'"))
    }

    private static func help(_ subject: String?, _ console: inout Console) -> ExitStatus {
        switch subject {
        case nil, "help", "version": console.write(VerbList.manual.usage(console.helpWidth))
        case "options": console.write(Manual.sharedOptions(console.helpWidth))
        case "--man": console.write(VerbList.manual.page)
        case let name?:
            guard let verb = verb(name, of: [], &console) else { return .wrongUsage }
            console.write(verb.syntax.help(console.helpWidth))
        }
        return .success
    }

    /// The verb with a name; reports a name that no verb has.
    private static func verb(
        _ name: String, of arguments: [Argument], _ console: inout Console
    ) -> (any Verb.Type)? {
        if let verb = VerbList.all.first(where: { $0.syntax.name == name }) { return verb }
        let names = VerbList.all.map { $0.syntax.name } + VerbList.texts + ["options"]
        let elsewhere =
            VerbList.advice(onWord: name) ?? VerbList.advice(onOptionsBeforeVerb: arguments)
        let suggestion = elsewhere == nil ? Suggestion.text(for: name, among: names) : ""
        console.report(
            Failure(
                .wrongUsage, "unknown verb '\(name)'" + suggestion,
                advice: elsewhere ?? "'halo help' lists all verbs."))
        return nil
    }
}
