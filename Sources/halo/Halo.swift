/// The command line: finds the verb and lets it run.
@main
struct Halo {
    static var verbs: [any Verb.Type] {
        [
            ImportVerb.self, DecodeVerb.self, ReplayVerb.self, ScrubVerb.self, ExportVerb.self,
            RecordVerb.self, PacketsVerb.self, DemoVerb.self, SimulateVerb.self,
            DoctorVerb.self,
        ]
    }

    static func main() async {
        let arguments = Array(CommandLine.arguments.dropFirst())
        var console = Console()
        let status = await run(arguments, console: &console)
        console.finish(with: status)
    }

    static func run(
        _ arguments: [String], console: inout Console
    ) async -> ExitStatus {
        guard let first = arguments.first else {
            console.complain(usage)
            return .wrongUsage
        }
        switch first {
        case "help", "--help", "-h":
            return help(Array(arguments.dropFirst()), console: &console)
        case "version", "--version":
            console.write("halo \(version)\n")
            return .success
        default:
            guard let verb = verbs.first(where: { $0.name == first }) else {
                console.complain("halo: there is no verb '\(console.safe(first))'\n\n\(usage)")
                return .wrongUsage
            }
            return await verb.run(Array(arguments.dropFirst()), console: &console)
        }
    }

    static let version = "0.1.0"

    static func help(_ arguments: [String], console: inout Console) -> ExitStatus {
        guard let name = arguments.first else {
            console.write(usage)
            return .success
        }
        guard let verb = verbs.first(where: { $0.name == name }) else {
            console.complain("halo: there is no verb '\(console.safe(name))'\n\n\(usage)")
            return .wrongUsage
        }
        console.write(verb.usage)
        return .success
    }

    static var usage: String {
        let width = verbs.map { $0.name.count }.max() ?? 0
        let lines = verbs.map { verb in
            let padding = String(repeating: " ", count: width - verb.name.count)
            return "  \(verb.name)\(padding)  \(verb.summary)"
        }
        return """
            usage: halo VERB …

            \(lines.joined(separator: "\n"))

            'halo help VERB' says more; 'halo version' says which this is.

            """
    }
}
