/// The command line: finds the verb and starts it.
@main
struct Halo {
    private static let version = "0.1.0"

    private static var verbs: [any Verb.Type] {
        [
            ImportVerb.self, DecodeVerb.self, ReplayVerb.self, ScrubVerb.self, ExportVerb.self,
            RecordVerb.self, PacketsVerb.self, DemoVerb.self, SimulateVerb.self,
            DoctorVerb.self,
        ]
    }

    static func main() async {
        StandardDescriptors.occupy()
        var console = Console()
        let status = await run(Argument.ofProgram, &console)
        console.finish(with: status.rawValue)
    }

    private static func run(
        _ arguments: [Argument], _ console: inout Console
    ) async -> ExitStatus {
        switch arguments.first?.text {
        case nil:
            console.writeError(usage)
            return .wrongUsage
        case "help", "--help", "-h":
            guard arguments.count > 1 else {
                console.write(usage)
                return .success
            }
            guard let verb = verb(arguments[1].text, &console) else { return .wrongUsage }
            console.write(verb.usage)
            return .success
        case "version", "--version":
            console.write("halo \(version)\n")
            return .success
        case let name?:
            guard let verb = verb(name, &console) else { return .wrongUsage }
            let rest = Array(arguments.dropFirst())
            return await verb.variant(for: rest).start(rest, &console)
        }
    }

    /// The verb with a name; reports a name that no verb has.
    private static func verb(_ name: String, _ console: inout Console) -> (any Verb.Type)? {
        let verb = verbs.first { $0.name == name }
        if verb == nil {
            console.writeError("halo: there is no verb '\(name.printable)'\n\n\(usage)")
        }
        return verb
    }

    private static var usage: String {
        let rows = verbs.map { [$0.name, $0.summary] }
        return """
            usage: halo VERB …

            \(TextLayout.lines(of: rows).map { "  " + $0 }.joined(separator: "\n"))

            'halo help VERB' prints the options of a verb.
            'halo version' prints the version.

            """
    }
}
