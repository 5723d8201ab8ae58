struct CompletionsVerb: Verb {
    private let shell: Manual.Shell

    private static let shells = Manual.Shell.allCases.map(\.rawValue)

    static let syntax = VerbSyntax(
        "completions", "prints the completions for bash, zsh or fish",
        forms: [shells.joined(separator: "|")], words: shells,
        """
        Prints a script that completes verbs, options and their values:

          source <(halo completions bash)
          halo completions zsh > ~/.zfunc/_halo
          halo completions fish > ~/.config/fish/completions/halo.fish
        """)

    init(_ arguments: ParsedArguments) throws(Failure) {
        guard let word = try arguments.words(atMost: 1).first?.text else {
            throw .wrongUsage("say for which shell: \(Self.shells.joined(separator: ", "))")
        }
        shell = try Choice.value(
            word, of: "halo completions", from: Self.shells, Manual.Shell.init(rawValue:))
    }

    func run(_ console: inout Console) -> ExitStatus {
        console.write(VerbList.manual.completions(for: shell))
        return .success
    }
}
