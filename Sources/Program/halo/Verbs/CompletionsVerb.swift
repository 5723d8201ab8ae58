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
        shell = try arguments.value(
            ofWord: "for which shell", of: "completions", from: Self.shells,
            Manual.Shell.init(rawValue:))
    }

    func run(_ console: inout Console) -> ExitStatus {
        console.write(VerbList.manual.completions(for: shell))
        return .success
    }
}
