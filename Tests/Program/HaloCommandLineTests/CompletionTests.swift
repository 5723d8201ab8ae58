import Foundation
import TestSupport
import Testing

/// The completions of shells, by the shells themselves.
@Suite(.waitsForPrograms) struct CompletionTests {
    /// The path of a shell, or `nil` if it is not installed.
    private static func path(of shell: String) -> String? {
        ["/bin", "/usr/bin", "/usr/local/bin", "/opt/homebrew/bin"].map { "\($0)/\(shell)" }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    static let hasZsh = path(of: "zsh") != nil
    static let hasFish = path(of: "fish") != nil

    /// The script of a shell, in a file of a folder.
    private static func script(of shell: String) throws -> TestFolder {
        let folder = TestFolder()
        let outcome = try CommandLineProgram.run(["completions", shell])
        #expect(outcome.status == 0, "\(outcome)")
        try folder.write(outcome.output, to: "halo")
        return folder
    }

    private static let bashScript = Result { try script(of: "bash") }
    private static let fishScript = Result { try script(of: "fish") }

    /// The words that bash offers for a command line, whose last word is being typed.
    private static func bash(
        _ words: [String], sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> [String] {
        let outcome = try CommandLineProgram.runShell(
            """
            touch afile bfile
            source "$1" || exit 9; shift
            # It works in a completion only.
            compopt() { :; }
            complete -p halo > /dev/null || exit 8
            COMP_WORDS=("${@:1:$#-1}"); COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
            _halo; printf '%s\\n' "${COMPREPLY[@]}"
            """, [try bashScript.get().path("halo"), "halo"] + words)
        #expect(outcome.status == 0, "\(outcome)", sourceLocation: sourceLocation)
        #expect(outcome.errorOutput == "", sourceLocation: sourceLocation)
        return outcome.lines.filter { $0 != "" }
    }

    private static func fish(_ line: String) throws -> [String] {
        let outcome = try CommandLineProgram.runShell(
            """
            touch afile bfile; export HOME=$PWD
            cp "$2" halo.fish
            fish --no-config -c 'source halo.fish; complete -C "$argv"' "$1"
            """, [line, try fishScript.get().path("halo")])
        #expect(outcome.status == 0 && outcome.errorOutput == "", "\(outcome)")
        return outcome.lines.compactMap { $0.split(separator: "\t").first.map(String.init) }
    }

    /// The settings, as the program lists them.
    private static func settings() throws -> [String] {
        try CommandLineProgram.run(["settings", "--virtual", "--json"]).objects
            .compactMap { $0["name"] as? String }
    }

    // MARK: bash

    @Test func bashCompletesVerbs() throws {
        #expect(try Self.bash(["li"]) == ["live"])
        let all = DescribedVerb.all.map(\.name) + ["help", "version"]
        #expect(try Self.bash(["s"]) == all.filter { $0.hasPrefix("s") })
        #expect(try Self.bash([""]) == all)
        #expect(try Self.bash(["help", ""]) == all)
        #expect(try Self.bash(["nonsense", ""]) == [])
    }

    @Test(arguments: DescribedVerb.all) func bashCompletesOptions(_ verb: DescribedVerb) throws {
        let words = verb.options.map(\.word)
        let all = try Self.bash([verb.name, "-"])
        let letters = all.filter { $0.utf8.count == 2 }
        #expect(all.sorted() == (words + letters).sorted())
        #expect(letters.contains("-q") && letters.contains("-h"))
        #expect(try Self.bash([verb.name, "--hel"]) == ["--help"])
        for option in verb.options where option.takesFile {
            #expect(try Self.bash([verb.name, option.word, "a"]) == ["afile"])
        }
    }

    @Test func bashCompletesValues() throws {
        #expect(try Self.bash(["scan", "--color", "a"]) == ["auto", "always"])
        // bash makes three words of an option with a value.
        #expect(try Self.bash(["scan", "--color", "=", "al"]) == ["always"])
        #expect(try Self.bash(["scan", "--color", "="]) == ["auto", "always", "never"])
        #expect(try Self.bash(["workout", "start", "--sport", "=", "te"]) == ["tennis"])
        #expect(try Self.bash(["record", "-o", "a"]) == ["afile"])
        #expect(try Self.bash(["live", "-d", ""]) == [])
        #expect(
            try Self.bash(["live", ""]).prefix(3) == ["heart-rate", "blood-oxygen", "stress"])
        #expect(try Self.bash(["live", "--virtual", "mo"]) == ["motion"])
        #expect(try Self.bash(["workout", "p"]) == ["pause"])
        #expect(try Self.bash(["workout", "--sport", "te"]) == ["tennis"])
        #expect(try Self.bash(["simulate", "ring", "--model", "r1"]) == ["r10", "r12"])
        #expect(try Self.bash(["simulate", "ring", "--fault", "lost"]) == ["lost-slots"])
        #expect(try Self.bash(["settings", ""]) == Self.settings())
        #expect(try Self.bash(["completions", "z"]) == ["zsh"])
        #expect(try Self.bash(["strip", "color", "or"]) == ["orange"])
        #expect(try Self.bash(["strip", "mode", "seven-colour-s"]) == ["seven-colour-strobe"])
        #expect(try Self.bash(["settings", "heart-rate-log", ""]) == ["on", "off"])
        #expect(try Self.bash(["strip", "o"]) == ["on", "off"])
        #expect(try Self.bash(["settings", "goals", "st"]) == [])
        #expect(try Self.bash(["strip", "--virtual", "o"]) == ["on", "off"])
        #expect(try Self.bash(["scan", "--for", ""]) == [])
        for verb in ["import", "replay", "scrub", "export"] {
            #expect(try Self.bash([verb, "a"]) == ["afile"], "\(verb)")
        }
        #expect(try Self.bash(["info", "a"]) == [])
    }

    /// The function does not depend on the options of a shell.
    @Test func bashCompletesInAStrictShell() throws {
        let outcome = try CommandLineProgram.runShell(
            """
            set -euo pipefail
            source <("$0" completions bash)
            COMP_WORDS=(halo live --color al); COMP_CWORD=3
            _halo; echo "${COMPREPLY[@]}"
            """)
        #expect(outcome.output == "always\n", "\(outcome)")
    }

    // MARK: fish

    @Test(.enabled(if: hasFish, "fish is not installed")) func fishCompletes() throws {
        #expect(try Self.fish("halo li") == ["live"])
        let all = Set(DescribedVerb.all.map(\.name))
        #expect(all.isSubset(of: try Self.fish("halo ")))
        #expect(all.isSubset(of: try Self.fish("halo help ")))
        #expect(try Self.fish("halo live mo") == ["motion"])
        #expect(try Self.fish("halo workout pa") == ["pause"])
        #expect(try Self.fish("halo scan --color al") == ["always"])
        #expect(try Self.fish("halo simulate ring --model r1") == ["r10", "r12"])
        #expect(try Self.fish("halo settings heart-rate-l") == ["heart-rate-log"])
        #expect(try Self.fish("halo strip color or") == ["orange"])
        #expect(try Self.fish("halo replay af") == ["afile"])
        #expect(try Self.fish("halo record --out af") == ["afile"])
        #expect(try Self.fish("halo info af") == [])
    }

    @Test(.enabled(if: hasFish, "fish is not installed"), arguments: DescribedVerb.all)
    func fishCompletesOptions(_ verb: DescribedVerb) throws {
        let words = try Self.fish("halo \(verb.name) --")
        let names = words.map { $0.hasSuffix("=") ? String($0.dropLast()) : $0 }
        #expect(Set(names) == Set(verb.options.map(\.word)))
    }

    // MARK: zsh

    @Test(.enabled(if: hasZsh, "zsh is not installed")) func zshParsesItsScript() throws {
        let outcome = try CommandLineProgram.runShell(
            "\"$0\" completions zsh > _halo && zsh -fn _halo && head -1 _halo")
        #expect(outcome.output == "#compdef halo\n" && outcome.status == 0, "\(outcome)")
        #expect(outcome.errorOutput == "")
    }

    #if os(Linux)
    /// A command line with a tab, and the words that a program gets from it.
    @Test(
        .enabled(if: hasZsh, "zsh is not installed"),
        arguments: [
            ("li\t", "live"), ("help setti\t", "help settings"), ("live mot\t", "live motion"),
            ("scan --fake\t", "scan --fake-bluez"), ("info --color ne\t", "info --color never"),
            ("live hr --color=al\t", "live hr --color=always"),
            ("simulate ring --model h\t", "simulate ring --model h59"),
            ("settings heart-rate-v\t", "settings heart-rate-variability-log"),
            ("strip fade ora\t", "strip fade orange"),
            ("settings stress-log of\t", "settings stress-log off"),
            ("replay afi\t", "replay afile"), ("record -o afi\t", "record -o afile"),
            ("record --out afi\t", "record --out afile"),
        ])
    func zshCompletes(_ typed: String, _ words: String) throws {
        let folder = TestFolder()
        _ = try folder.write([], to: "afile")
        let script = try CommandLineProgram.run(["completions", "zsh"]).output
        _ = try folder.write(script.utf8, to: "_halo")
        let shell = try PseudoTerminalProgram(
            ["-f", "-i"], of: try #require(Self.path(of: "zsh")), columns: 200,
            environment: ["HOME": folder.path, "PS1": "ready> ", "FOLDER": folder.path])
        try shell.wait(for: "a prompt") { $0.output.contains("ready> ") }
        try shell.type(
            """
            cd $FOLDER; fpath=($FOLDER $fpath); autoload -Uz compinit; compinit -u -D; \
            halo() { print -r -- "<$*>" }; print set up $?\n
            """)
        try shell.wait(for: "a shell that is set up") { $0.output.contains("set up 0") }
        try shell.type("halo \(typed)\n")
        try shell.wait(for: words) { $0.output.contains("<\(words)>") }
        try shell.type("exit 5\n")
        #expect(try shell.waitForEnd() == 5)
    }
    #endif

    // MARK: The verb

    @Test func refusesOtherShells() async throws {
        for (words, reason) in [
            (["zhs"], "did you mean 'zsh'?"), ([], "say for which shell: bash, zsh, fish"),
            (["bash", "zsh"], "unexpected argument 'zsh'"),
        ] {
            let outcome = try await CommandLineProgram.call(["completions"] + words)
            #expect(outcome.status == 2 && outcome.output == "")
            #expect(outcome.errorOutput.contains(reason), "\(outcome)")
        }
    }
}
