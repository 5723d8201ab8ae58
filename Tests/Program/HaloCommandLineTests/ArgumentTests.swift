import Foundation
import TestSupport
import Testing

@testable import halo

/// A verb as its help text describes it, so that no verb and no option is typed in tests.
struct DescribedVerb: Sendable, CustomTestStringConvertible {
    /// An option of the table in a help text.
    struct Option: Sendable {
        let name: String
        let letter: String?
        /// The word for the value; `nil` without one.
        let value: String?
        /// `true` if the value can be left out, and otherwise stands behind `=`.
        let isOptional: Bool
        let isRepeatable: Bool

        var word: String { "--\(name)" }
        var takesNoValue: Bool { value == nil }
        var takesFile: Bool { value == "FILE" || value == "FOLDER" }
    }

    let name: String
    let help: String
    /// The options that the help text explains.
    let ownOptions: [Option]
    /// The options that it only names, and 'halo help options' explains.
    let sharedOptions: [Option]

    var options: [Option] { ownOptions + sharedOptions }
    var testDescription: String { name }
    var takesJSON: Bool { options.contains { $0.name == "json" } }

    /// All verbs, in the order of `halo help`.
    static let all: [DescribedVerb] = (try? read()) ?? []

    private static func read() throws -> [DescribedVerb] {
        let usage = try CommandLineProgram.run(["help"]).output
        let names = usage.matches(of: #/\n  ([a-z-]+)  /#).map { String($0.1) }
        let shared = options(Manual.sharedOptions(80))
        return try names.map { name in
            let verb = try #require(VerbList.all.first { $0.syntax.name == name })
            let help = verb.syntax.help(80)
            let words = sharedWords(help)
            return DescribedVerb(
                name: name, help: help, ownOptions: options(help),
                sharedOptions: shared.filter { option in
                    words.contains(option.word) || words.contains("-\(option.letter ?? "")")
                })
        }
    }

    /// The words of the sentence on the options that verbs share.
    private static func sharedWords(_ help: String) -> [String] {
        let form = #/Also ([^:]+):\ssee\s'halo\shelp\soptions'/#
        guard let sentence = help.firstMatch(of: form) else { return [] }
        return sentence.1.split { ", \n".contains($0) }.map(String.init)
    }

    private static func options(_ help: String) -> [Option] {
        let form =
            #/(?m)^  (?:-([a-z]), |    )--([a-z-]+)(?:\[=([^\]]+)\]| ([^ \n]+))?(?=  |$)/#
        let matches = help.matches(of: form)
        return matches.enumerated().map { index, match in
            // The sentence up to the next option.
            let isLast = index + 1 == matches.count
            let end = isLast ? help.endIndex : matches[index + 1].range.lowerBound
            let text = help[match.range.lowerBound..<end]
            let words = text.split { $0 == " " || $0 == "\n" }.joined(separator: " ")
            return Option(
                name: String(match.2), letter: match.1.map { String($0) },
                value: (match.3 ?? match.4).map { String($0) }, isOptional: match.3 != nil,
                isRepeatable: words.lowercased().contains("can be repeated"))
        }
    }
}

/// The arguments of all verbs, told apart alike.
@Suite(.waitsForPrograms) struct ArgumentTests {
    private static func refused(
        _ arguments: [String], sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> String {
        let outcome = try await CommandLineProgram.call(arguments)
        #expect(outcome.status == 2, "\(arguments) \(outcome)", sourceLocation: sourceLocation)
        #expect(outcome.output == "", sourceLocation: sourceLocation)
        #expect(outcome.errorOutput.hasPrefix("halo: "), sourceLocation: sourceLocation)
        return outcome.errorOutput
    }

    // MARK: Behind the dashes

    /// What is not refused by mistake ends here as well, and never waits for a device.
    @Test(arguments: [
        ["scan"], ["live", "hr", "--virtual"], ["simulate", "ring", "--fake-bluez"],
        ["decode", "-"], ["record", "--virtual", "--out", "/nowhere/a"],
    ])
    func aVerbThatIsCalledDoesNotRun(_ arguments: [String]) async throws {
        let outcome = try await CommandLineProgram.call(arguments)
        #expect(outcome.status == 3 && outcome.output == "", "\(outcome)")
        #expect(outcome.errorOutput.hasPrefix("halo: "), "\(outcome)")
    }

    /// Words behind `--` are words, of which a verb takes so many.
    @Test(arguments: [
        ["scan", "--virtual"], ["live", "--virtual=strap", "--count", "1", "hr"],
        ["strip", "color", "red", "--virtual"], ["workout", "start", "--virtual"],
        ["help", "live"],
    ])
    func refusesAWordTooMany(_ words: [String]) async throws {
        for more in words[0] == "help" ? [["x"]] : [["x"], ["--", "x"], ["--", "x", "--help"]] {
            let message = try await Self.refused(words + more)
            #expect(
                message.hasPrefix("halo: unexpected argument 'x'"), "\(more)")
        }
    }

    /// The value of an option that can stand alone stands behind `=`.
    @Test func namesTheOptionOfAWordTooMany() async throws {
        for words in [["scan", "--virtual", "r99"], ["live", "--virtual", "r99", "hr"]] {
            let message = try await Self.refused(words)
            #expect(message.contains("; if 'r99' is for --virtual, write --virtual=r99\n"))
        }
        for value in ["r10", "r12,days=3", "seed=4", "strap"] {
            for words in [["history"], ["report"], ["send"], ["settings"], ["scan"]] {
                let message = try await Self.refused(words + ["--virtual", value, "x"])
                #expect(
                    message.hasPrefix("halo: write --virtual=\(value), not --virtual \(value)\n"))
            }
        }
    }

    /// A verb of another program, or what someone looks for: the answer names what has it.
    @Test(arguments: [
        ("steps", "'halo history steps' shows"), ("fetch", "'halo sync' reads"),
        ("list", "'halo scan' lists"), ("pair", "Rings need no pairing"),
        ("reset", "'halo send FF66 --dangerous'"), ("Battery", "'halo info'"),
        ("sleep", "'halo history sleep' shows what a ring has stored.\n"),
        ("spo2", "'halo history "), ("hr", "'halo history hr' shows"),
    ])
    func wordsThatAreLookedForAreAnswered(_ word: String, _ advice: String) async throws {
        let text = try await Self.refused([word])
        #expect(text.hasPrefix("halo: unknown verb '\(word)'\n\(advice)"), "\(text)")
    }

    @Test(arguments: [
        (["-q", "info"], "info -q"),
        (["--virtual", "--json", "scan", "-a"], "scan --virtual --json …"),
    ])
    func optionsBeforeTheVerbAreAnswered(_ words: [String], _ line: String) async throws {
        let text = try await Self.refused(words)
        #expect(text.hasSuffix("\nOptions stand after the verb: halo \(line)\n"), "\(text)")
    }

    /// The program's name stands once before the sentence, and not as its subject as well.
    @Test(arguments: [
        ["history", "x"], ["live", "x"], ["live"], ["settings", "x"], ["strip", "x"],
        ["strip", "color"], ["strip", "mode"], ["workout", "x"], ["completions", "x"],
        ["simulate", "x"], ["use", ""], ["record"], ["report", "--virtual"],
    ])
    func aMessageNamesTheProgramOnce(_ words: [String]) async throws {
        let sentence = try await Self.refused(words).split(separator: "\n")[0].dropFirst(
            "halo: ".count)
        let unquoted = sentence.split(separator: "'", omittingEmptySubsequences: false)
            .enumerated().filter { $0.offset.isMultiple(of: 2) }.map(\.element)
        #expect(!unquoted.joined().contains("halo"), "\(sentence)")
    }

    @Test func takesWordsBehindTheDashes() throws {
        let outcome = try CommandLineProgram.run(
            ["strip", "color", "--virtual", "--", "#0000FF"])
        #expect(outcome.output == "Triones-0A1B2C: on, #0000FF\n", "\(outcome)")
    }

    // MARK: Help

    @Test func findsVerbsAndOptionsInTheHelpTexts() {
        let verbs = DescribedVerb.all
        #expect(verbs.count >= 20 && Set(verbs.map(\.name)).count == verbs.count)
        for verb in verbs {
            let names = verb.options.map(\.name)
            #expect(names.suffix(3) == ["quiet", "color", "help"], "\(verb.name)")
            #expect(verb.options.last?.takesNoValue == true)
            #expect(verb.options.first { $0.name == "color" }?.value == "WHEN")
        }
        let live = verbs.first { $0.name == "live" }
        let device = live?.options.first { $0.name == "device" }
        #expect(device?.letter == "d" && device?.value == "WHICH")
        #expect(live?.options.first { $0.name == "virtual" }?.isOptional == true)
        #expect(live?.options.first { $0.name == "json" }?.takesNoValue == true)
        let with = verbs.first { $0.name == "simulate" }?.options.first { $0.name == "with" }
        #expect(with?.isRepeatable == true)
    }

    @Test(arguments: DescribedVerb.all) func printsItsHelp(_ verb: DescribedVerb) async throws {
        for line in verb.help.split(separator: "\n") {
            #expect(line.count <= 80, "\(line)")
            #expect(line.last != " ", "\(line)")
        }
        #expect(verb.help.hasPrefix("usage: halo \(verb.name) [option …]"))
        #expect(verb.help.contains("\nExit status: 0 if all was done; "))
        for arguments in [
            [verb.name, "--help"], [verb.name, "-h"], [verb.name, "--nonsense", "-h", "-h"],
            [verb.name, "--color", "no", "--quiet=3", "x", "y", "--help"],
            [verb.name, "-qh"],
        ] {
            let outcome = try await CommandLineProgram.call(arguments)
            #expect(outcome.status == 0 && outcome.errorOutput == "", "\(arguments)")
            #expect(outcome.output == verb.help, "\(arguments)")
        }
        let unknown = try await Self.refused(["help", verb.name + "x"])
        #expect(unknown.contains("; did you mean '\(verb.name)'?\n"))
        #expect(unknown.hasSuffix("\n'halo help' lists all verbs.\n"))
    }

    @Test func printsTheListOfVerbs() async throws {
        let usage = try await CommandLineProgram.call(["help"])
        for arguments in [["--help"], ["-h"]] {
            let outcome = try await CommandLineProgram.call(arguments)
            #expect(outcome.output == usage.output && outcome.status == 0)
        }
        #expect(usage.lines.allSatisfy { $0.count <= 80 })
        let titles = usage.lines.filter { $0.first?.isUppercase == true }
        #expect(titles == VerbList.groups.map(\.title) && titles.count > 3)
        let none = try await CommandLineProgram.call([])
        #expect(none.status == 2 && none.errorOutput == usage.output && none.output == "")
        for arguments in [["version"], ["--version"]] {
            let outcome = try await CommandLineProgram.call(arguments)
            #expect(outcome.output.wholeMatch(of: #/halo \d+\.\d+\.\d+\n/#) != nil)
        }
    }

    @Test(arguments: [
        ("lvie", "live"), ("LIVE", "live"), ("setings", "settings"), ("recrod", "record"),
        ("versoin", "version"), ("hlep", "help"), ("xyzzy", nil), ("", nil), ("-", nil),
        ("--", nil), ("--verbose", nil), ("live\u{1B}[31m", nil),
        (String(repeating: "live", count: 1000), nil),
    ])
    func suggestsAVerb(_ word: String, _ verb: String?) async throws {
        let text = try await Self.refused([word])
        #expect(!text.contains("\u{1B}"))
        guard let verb else { return #expect(!text.contains("did you mean")) }
        #expect(text.hasPrefix("halo: unknown verb '\(word)'; did you mean '\(verb)'?\n"))
    }

    static let misspellings: [(String, [String], String?)] = [
        ("xlive", ["live"], "live"), ("lave", ["live"], "live"), ("ilve", ["live"], "live"),
        ("le", ["live", "li"], "li"), ("lvix", ["live"], nil), ("bat", ["cat", "hat"], "cat"),
        ("rexxrd", ["record"], "record"), ("rexxxd", ["record"], nil),
        ("rexxr", ["record"], nil),
    ]

    /// An edit inserts, removes or replaces a letter, or swaps two; a third of a word's letters, or
    /// one, may be wrong. The first one of equally similar words is the closest.
    @Test(arguments: misspellings)
    func findsTheClosestWord(_ word: String, _ words: [String], _ closest: String?) {
        #expect(Suggestion.closest(to: word, among: words) == closest)
    }

    /// Forms of up to 24 columns have their sentences beside them.
    @Test func theTableOfOptionsHasTwoColumns() {
        func option(_ name: String) -> OptionFacts {
            OptionFacts(name: name, letter: nil, value: .none, isRepeatable: false, help: "a b c")
        }
        let (narrow, wide) = (String(repeating: "n", count: 16), String(repeating: "w", count: 17))
        let gap = String(repeating: " ", count: 26)
        #expect(
            VerbSyntax.table(of: [option(narrow), option(wide)], 80)
                == "      --\(narrow)  a b c\n      --\(wide)\n\(gap)a b c")
        #expect(VerbSyntax.table(of: [option(wide)], 80) == "      --\(wide)\n  a b c")
        #expect(
            VerbSyntax.table(of: [option(narrow)], 1) == "      --\(narrow)  a b c",
            "there is always room for 20 columns")
    }

    // MARK: Options

    /// Parses arguments of a verb, as ``Verb/start(_:_:)`` does; returns the refusal, if any.
    private static func refusal(
        by verb: DescribedVerb, of arguments: [String],
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> String? {
        let syntax = try #require(
            VerbList.all.first { $0.syntax.name == verb.name }?.syntax,
            sourceLocation: sourceLocation)
        do throws(Failure) {
            _ = try ParsedArguments(
                arguments.map { Argument(bytes: Array($0.utf8)) }, syntax.options)
            return nil
        } catch {
            #expect(error.status == .wrongUsage, sourceLocation: sourceLocation)
            return error.message
        }
    }

    /// Each option is misspelt in two ways, and one of another program is unknown.
    @Test(arguments: DescribedVerb.all) func refusesUnknownOptions(_ verb: DescribedVerb)
        async throws
    {
        for option in verb.options {
            for wrong in [option.word + "x", "--x" + option.name] {
                let text = try #require(try Self.refusal(by: verb, of: [wrong]))
                #expect(text.hasPrefix("unknown option '\(wrong)'"))
                #expect(text.contains("; did you mean '--") || option.name.count < 4, "\(text)")
            }
        }
        let letters = Set(verb.options.compactMap(\.letter))
        let letter = try #require("zyxwv".map { String($0) }.first { !letters.contains($0) })
        for wrong in ["-\(letter)", "-q\(letter)"] {
            let text = try await Self.refused([verb.name, wrong])
            let refusal = "unknown option '\(wrong)'; a file of this name is ./\(wrong)"
            #expect(text == "halo: \(refusal)\n'halo help \(verb.name)' says more.\n")
            #expect(try Self.refusal(by: verb, of: [wrong]) == refusal)
        }
    }

    /// An option is given once, in any of its forms, unless its help text says otherwise.
    @Test(arguments: DescribedVerb.all) func refusesRepetition(_ verb: DescribedVerb) throws {
        for option in verb.options where option.name != "help" {
            let (long, short) = (option.word, option.letter.map { "-\($0)" })
            var pairs: [[String]]
            if option.takesNoValue || option.isOptional {
                pairs = [[long, long]]
                if let short { pairs += [[long, short], [short + short.dropFirst()]] }
                if option.isOptional { pairs.append([long, long + "=x"]) }
            } else {
                pairs = [
                    [long, "a", long, "b"], [long + "=a", long + "=a"], [long, "-", long + "="],
                ]
                if let short { pairs += [[short, "a", long, "a"], [short + "a", short + "b"]] }
            }
            for pair in pairs {
                let refusal = try Self.refusal(by: verb, of: pair)
                if option.isRepeatable {
                    #expect(refusal == nil, "\(pair)")
                } else {
                    let text = try #require(refusal, "\(pair)")
                    #expect(text.hasPrefix("-") && text.hasSuffix(" can be given only once"))
                }
            }
        }
    }

    /// A value is missing, or the next option stands in its place.
    @Test(arguments: DescribedVerb.all) func refusesMissingValues(_ verb: DescribedVerb) throws {
        for option in verb.options where !option.takesNoValue && !option.isOptional {
            let kind = option.takesFile ? "a file" : "a value"
            for word in [option.word] + (option.letter.map { ["-\($0)"] } ?? []) {
                #expect(try Self.refusal(by: verb, of: [word]) == "\(word) takes \(kind)")
                for next in ["--quiet", "-q", "--", "-1", "--nonsense"] {
                    let other = option.takesFile ? " or ./\(next)" : ""
                    let advice = "; if it is one, write \(option.word)=\(next)\(other)"
                    #expect(
                        try Self.refusal(by: verb, of: [word, next])
                            == "\(word) takes \(kind), not '\(next)'" + advice)
                }
            }
        }
    }

    @Test(arguments: DescribedVerb.all) func refusesAValueOfAFlag(_ verb: DescribedVerb) throws {
        for option in verb.options where option.takesNoValue && option.name != "help" {
            for value in ["", "yes", "--quiet"] {
                #expect(
                    try Self.refusal(by: verb, of: ["\(option.word)=\(value)"])
                        == "\(option.word) takes no value")
            }
        }
    }

    /// Wrong words of a choice name all words, and the most similar one.
    @Test(arguments: DescribedVerb.all) func refusesOtherColours(_ verb: DescribedVerb) async throws
    {
        for arguments in [["--color", "allways"], ["--color=allways"]] {
            let text = try await Self.refused([verb.name] + arguments)
            let words = "auto, always, never, not 'allways'; did you mean 'always'?"
            #expect(text.hasPrefix("halo: --color takes one of \(words)\n"))
        }
        #expect(try await Self.refused([verb.name, "--color="]).contains("not ''"))
    }

    // MARK: Forms

    /// The same option, written in each form.
    @Test(arguments: [
        ["--device", "strap", "--virtual"], ["--device=strap", "--virtual"],
        ["-d", "strap", "--virtual"], ["-dstrap", "--virtual"], ["--virtual", "-qdstrap"],
        ["-qd", "strap", "--virtual="], ["--virtual", "-d=strap"],
    ])
    func takesEachForm(options: [String]) throws {
        let outcome = try CommandLineProgram.run(["info", "--json", "--wait=2s"] + options)
        // Behind a letter, '=' is a part of the value.
        guard !options.contains("-d=strap") else { return #expect(outcome.status == 4) }
        #expect(outcome.status == 0, "\(outcome)")
        #expect(try outcome.object["name"] as? String == "Virtual HR")
    }

    @Test func aFlagCanBeBundled() throws {
        let folder = TestFolder()
        let path = folder.path("-q")
        for arguments in [
            ["-fqo", path], ["-fqo\(path)"], ["-f", "-q", "-o", path], ["-qf", "--out=\(path)"],
        ] {
            let outcome = try CommandLineProgram.run(
                ["record", "--virtual=strap", "--for", "1s"] + arguments)
            #expect(outcome.status == 0 && outcome.errorOutput == "", "\(outcome)")
            #expect(try folder.bytes("-q").count > 100)
            try FileManager.default.removeItem(atPath: path)
        }
    }

    /// After `--` there are only words, and `-` is one everywhere.
    @Test func aWordMayLookLikeAnOption() async throws {
        let words = try await Self.refused(["info", "--virtual", "--", "--json"])
        #expect(words.hasPrefix("halo: unexpected argument '--json'\n"))
        let dash = try await Self.refused(["info", "--virtual", "-"])
        #expect(dash.hasPrefix("halo: unexpected argument '-'\n"))
        let device = try CommandLineProgram.run(
            ["info", "--virtual", "--wait", "1s", "--device", "-"])
        #expect(device.status == 4 && device.errorOutput.contains("a name like '-'"))
        let attached = try CommandLineProgram.run(
            ["info", "--virtual", "--wait", "1s", "--device=--json"])
        #expect(attached.status == 4 && attached.errorOutput.contains("a name like '--json'"))
        let file = try CommandLineProgram.run(["replay", "--", "--no-such-file"])
        #expect(
            file.status == 3 && file.errorOutput.contains("\"--no-such-file\" cannot be opened"))
        let sent = try CommandLineProgram.run(["send", "--virtual", "--for", "1s", "--", "03"])
        #expect(sent.status == 0, "\(sent)")
    }

    /// The verbs that take no word, or one.
    @Test(arguments: [
        (["scan"], "a"), (["info"], "ring"), (["live", "hr"], "spo2"), (["find"], "me"),
        (["workout", "start"], "stop"), (["use", "ring"], "strap"),
        (["completions", "bash"], "zsh"),
        (["record", "--out", "/nowhere/a"], "a"), (["simulate", "ring", "--fake-bluez"], "strap"),
        (["doctor"], "x"), (["sync"], "x"),
    ])
    func refusesTooManyWords(_ words: [String], _ more: String) async throws {
        let text = try await Self.refused(words + [more])
        #expect(text.hasPrefix("halo: unexpected argument '\(more)'\n"), "\(text)")
    }

    // MARK: JSON and quiet

    /// An error is an object among the others, with the text of standard error.
    @Test(arguments: DescribedVerb.all.filter(\.takesJSON))
    func printsErrorsAsJSON(_ verb: DescribedVerb) async throws {
        for wrong in [["--nonsense"], ["--color", "x"], ["--color"], ["--quiet", "--quiet"]] {
            for arguments in [["--json"] + wrong, wrong + ["--json"]] {
                let outcome = try await CommandLineProgram.call([verb.name] + arguments)
                #expect(outcome.status == 2)
                let error = try outcome.object
                #expect(Set(error.keys) == ["type", "message", "advice", "status"])
                #expect(error["type"] as? String == "error" && error["status"] as? Int == 2)
                let message = try #require(error["message"] as? String)
                let advice = try #require(error["advice"] as? String)
                #expect(advice == "'halo help \(verb.name)' says more.")
                #expect(outcome.errorOutput == "halo: \(message)\n\(advice)\n")
            }
        }
    }

    /// Bytes of an argument that are no text, and those that control a terminal.
    @Test(arguments: ["\u{1B}[31m", "\u{7}", "\u{7F}", "\u{9B}", "a\nb", "\u{202E}"])
    func escapesArguments(text: String) async throws {
        for arguments in [
            ["info", "--virtual", text], ["info", "--\(text)"], ["info", "-\(text)"], [text],
            ["live", text], ["settings", text], ["info", "--color", text],
            ["scan", "--for", text], ["help", text], ["info", "--virtual=\(text)"],
        ] {
            let error = try await Self.refused(arguments)
            let bad = error.unicodeScalars.filter {
                $0.value < 0x20 && $0 != "\n" || 0x7F..<0xA0 ~= $0.value || $0 == "\u{202E}"
            }
            #expect(bad.isEmpty, "\(error.debugDescription)")
            #expect(error.split(separator: "\n").count <= 3)
        }
        let raw = try CommandLineProgram.runShell(#""$0" info $'--\xFF\xFE' $'\xC3'"#)
        #expect(raw.status == 2 && raw.errorOutput.hasPrefix("halo: unknown option '--"))
    }

    /// A device that is found at once gives no remarks, and none are left with `--quiet`.
    @Test func isQuiet() throws {
        for arguments in [
            ["info", "--virtual"], ["settings", "goals", "--virtual"], ["find", "--virtual"],
            ["scan", "--virtual", "--for", "2s"],
            ["live", "hr", "--virtual=strap", "--count", "1"],
            ["send", "03", "--virtual"], ["use"], ["packets"],
        ] {
            for option in ["--quiet", "-q"] {
                let outcome = try CommandLineProgram.run(arguments + [option])
                #expect(outcome.status == 0 && outcome.errorOutput == "", "\(outcome)")
                #expect(!outcome.output.isEmpty)
            }
        }
        // An error is no remark.
        let failed = try CommandLineProgram.run(["use", "--virtual=r99", "--quiet"])
        #expect(failed.errorOutput.hasPrefix("halo: --virtual takes one of "))
    }
}
