import HaloTransport

/// The list of verbs, completions for shells, and the manual page, made of the tables of the verbs.
struct Manual {
    let version: String
    /// The verbs by their purpose, with a title.
    let groups: [(title: String, verbs: [VerbSyntax])]
    let texts: [String]

    private var verbs: [VerbSyntax] { groups.flatMap(\.verbs) }

    func usage(_ width: Int) -> String {
        let longest = verbs.map(\.name.count).max() ?? 0
        let parts = groups.map { group in
            let rows = group.verbs.map {
                ["  " + $0.name.padded(toColumns: longest), $0.summary]
            }
            return ([group.title] + TextLayout.lines(of: rows, width: width))
                .joined(separator: "\n")
        }
        let advice = [
            "'halo help VERB' explains a verb, 'halo help options' the shared options.",
            "'halo help --man' prints a manual page.",
        ]
        return """
            usage: halo VERB …

            \(parts.joined(separator: "\n\n"))

            \(advice.flatMap { TextLayout.wrapped($0, width: width) }.joined(separator: "\n"))
            """ + "\n"
    }

    static func sharedOptions(_ width: Int = TextLayout.widest) -> String {
        let parts = [
            "Options of all verbs that use a device:",
            VerbSyntax.table(of: DeviceRequest.options.map(\.facts), width),
            "Options of all verbs:",
            VerbSyntax.table(of: CommonOptions.all.map(\.facts), width),
        ]
        return parts.joined(separator: "\n\n") + "\n"
    }

    // MARK: Completions

    enum Shell: String, CaseIterable, Sendable {
        case bash, zsh, fish
    }

    func completions(for shell: Shell) -> String {
        switch shell {
        case .bash: bash
        case .zsh: zsh
        case .fish: fish
        }
    }

    private var bash: String {
        let cases = verbs.map { verb in
            let letters = verb.options.compactMap(\.letter).map { "-\($0)" }
            let options = (verb.options.map(\.word) + letters).joined(separator: " ")
            let values = verb.options.compactMap { option -> String? in
                let names = option.word + (option.letter.map { "|-\($0)" } ?? "")
                return switch option.value {
                case .choice(_, let words):
                    "\(names)) COMPREPLY=($(compgen -W '\(words.joined(separator: " "))' "
                        + "-- \"$current\")); return ;;"
                case .file:
                    "\(names)) compopt -o filenames; "
                        + "COMPREPLY=($(compgen -f -- \"$current\")); return ;;"
                case .text: "\(names)) return ;;"
                case .none, .optional: nil
                }
            }
            let words = verb.words.joined(separator: " ")
            let second =
                verb.secondWords.sortedByKey.map { word, words in
                    "*:\(word)) words='\(words.joined(separator: " "))' ;;"
                } + (verb.secondWords.isEmpty ? [] : ["*) words= ;;"])
            let files =
                verb.takesFiles
                ? "compopt -o filenames; COMPREPLY+=($(compgen -f -- \"$current\"))" : ":"
            return """
                        \(verb.name))
                            case $previous in
                                \(values.joined(separator: "\n                "))
                            esac
                            case $current in
                                -*) COMPREPLY=($(compgen -W '\(options)' -- "$current")) ;;
                                *)
                                    words='\(words)'
                                    case $COMP_CWORD:${COMP_WORDS[2]} in
                                        2:* | *:-*) ;;
                                        \(second.joined(separator: "\n                        "))
                                    esac
                                    COMPREPLY=($(compgen -W "$words" -- "$current"))
                                    \(files)
                                    ;;
                            esac
                            ;;
                """
        }
        return """
            # Completions of halo for bash: source this file.
            _halo() {
                local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}
                local words
                COMPREPLY=()
                # bash makes three words of --option=value.
                if [[ $previous == = ]]; then
                    previous=${COMP_WORDS[COMP_CWORD - 2]}
                elif [[ $current == = ]]; then
                    current=
                fi
                if ((COMP_CWORD == 1)) || [[ ${COMP_WORDS[1]} == help && COMP_CWORD -eq 2 ]]; then
                    COMPREPLY=($(compgen -W '\(names)' -- "$current"))
                    return
                fi
                case ${COMP_WORDS[1]} in
            \(cases.joined(separator: "\n"))
                esac
            }
            complete -F _halo halo

            """
    }

    private var names: String {
        (verbs.map(\.name) + texts).joined(separator: " ")
    }

    private var zsh: String {
        let list =
            verbs.map { "        \(Self.quoted("\($0.name):\($0.summary)"))" }
            + texts.map { "        \(Self.quoted($0))" }
        let cases = verbs.map { verb in
            var lines = verb.options.flatMap { Self.zshOptions($0) }
            if !verb.words.isEmpty {
                let place = verb.secondWords.isEmpty ? "*" : "1"
                let words = verb.words.joined(separator: " ")
                lines.append(Self.quoted("\(place):word:(\(words))"))
                if !verb.secondWords.isEmpty {
                    let cases = verb.secondWords.sortedByKey.map { word, words in
                        "\(word)) compadd - \(words.joined(separator: " ")) ;;"
                    }
                    let second = "case $line[1] in \(cases.joined(separator: " ")) esac"
                    lines.append(Self.quoted("*:word:{ \(second) }"))
                }
            } else if verb.takesFiles {
                lines.append(Self.quoted("*:file:_files"))
            }
            let specs = lines.joined(separator: " \\\n                ")
            return "        \(verb.name)) _arguments \\\n                \(specs) ;;"
        }
        return """
            #compdef halo
            # Completions of halo for zsh: put this file into a folder of fpath as _halo.
            _halo() {
                local -a verbs
                verbs=(
            \(list.joined(separator: "\n"))
                )
                if ((CURRENT == 2)); then
                    _describe verb verbs
                    return
                fi
                local verb=$words[2]
                shift words
                ((CURRENT--))
                case $verb in
            \(cases.joined(separator: "\n"))
                    help) _describe verb verbs ;;
                esac
            }
            if [[ $funcstack[1] == _halo ]]; then _halo "$@"; else compdef _halo halo; fi

            """
    }

    /// The specifications of an option for `_arguments`: its name, and its letter.
    private static func zshOptions(_ option: OptionFacts) -> [String] {
        let help = option.help.prefix(60).filter { !"[]:".contains($0) }
        let repeats = option.isRepeatable ? "*" : ""
        let value =
            switch option.value {
            case .none: ""
            case .text(let place): ":\(place):"
            case .file: ":file:_files"
            case .choice(let place, let words): ":\(place):(\(words.joined(separator: " ")))"
            case .optional(let place, let words):
                "::\(place):(\(words.filter { $0.last != "=" }.joined(separator: " ")))"
            }
        let names = [option.word] + (option.letter.map { ["-\($0)"] } ?? [])
        return names.map { name in
            let equals: String =
                switch option.value {
                case .none: ""
                case .optional: "=-"
                default: name.hasPrefix("--") ? "=" : "+"
                }
            return quoted("\(repeats)\(name)\(equals)[\(help)]\(value)")
        }
    }

    private var fish: String {
        var lines = [
            "# Completions of halo for fish: put this file into ~/.config/fish/completions.",
            "complete -c halo -f",
            "complete -c halo -n __fish_use_subcommand -a "
                + Self.quoted(texts.joined(separator: " ")),
        ]
        for verb in verbs {
            lines.append(
                "complete -c halo -n __fish_use_subcommand -a \(verb.name) "
                    + "-d \(Self.quoted(verb.summary))")
            let condition = "-n \(Self.quoted("__fish_seen_subcommand_from \(verb.name)"))"
            if !verb.words.isEmpty {
                let words = verb.words.joined(separator: " ")
                lines.append("complete -c halo \(condition) -a \(Self.quoted(words))")
            }
            for (word, words) in verb.secondWords.sortedByKey {
                let seen = "__fish_seen_subcommand_from"
                let both = Self.quoted("\(seen) \(verb.name); and \(seen) \(word)")
                let list = Self.quoted(words.joined(separator: " "))
                lines.append("complete -c halo -n \(both) -a \(list)")
            }
            if verb.takesFiles { lines.append("complete -c halo \(condition) -F") }
            for option in verb.options {
                var line = "complete -c halo \(condition) -l \(option.name)"
                if let letter = option.letter { line += " -s \(letter)" }
                switch option.value {
                case .none, .optional: break
                case .text: line += " -x"
                case .file: line += " -r -F"
                case .choice(_, let words):
                    line += " -x -a \(Self.quoted(words.joined(separator: " ")))"
                }
                lines.append(line + " -d \(Self.quoted(String(option.help.prefix(60))))")
            }
        }
        lines.append("complete -c halo -n '__fish_seen_subcommand_from help' -a '\(names)'")
        return lines.joined(separator: "\n") + "\n"
    }

    /// A word in single quotation marks, for all three shells.
    private static func quoted(_ text: String) -> String {
        "'\(text.replacing("'", with: "'\\''"))'"
    }

    // MARK: Manual page

    var page: String {
        var lines = [
            ".Dd $Mdocdate$", ".Dt HALO 1", ".Os", ".Sh NAME", ".Nm halo",
            ".Nd smart rings, heart-rate straps and LED strips in the terminal",
            ".Sh SYNOPSIS", ".Nm", ".Ar verb", ".Op Ar options", ".Sh DESCRIPTION",
            "Finds, reads, watches, simulates and records COLMI smart rings,",
            "heart-rate straps and LED strips, and explains their packets.",
        ]
        for group in groups {
            lines += [".Sh \(group.title.uppercased())"] + group.verbs.flatMap(section)
        }
        lines += [".Sh OPTIONS", ".Ss Options that verbs share"]
        lines += Self.list(of: (DeviceRequest.options + CommonOptions.all).map(\.facts))
        lines += [
            ".Sh ENVIRONMENT", ".Bl -tag -width Ds", ".It Ev HALO_DEVICE",
            "The device that is used without", ".Fl -device .", ".It Ev XDG_CONFIG_HOME , Ev HOME",
            "The folder of", ".Pa halo/device ,", "or else of", ".Pa .config/halo/device .",
            ".It Ev XDG_DATA_HOME , Ev HOME", "The folder of", ".Pa halo/health.db ,",
            "or else of", ".Pa .local/share/halo/health.db .",
            ".It Ev NO_COLOR , Ev TERM",
            "No colours, unless", ".Fl -color", "says otherwise; no charts on a dumb terminal.",
            ".It Ev LC_ALL , Ev LC_CTYPE , Ev LANG",
            "Decide which characters charts use; the first one that is set counts.",
            ".It Ev DBUS_SYSTEM_BUS_ADDRESS", "The bus of BlueZ's daemon.",
            ".It Ev COLUMNS , Ev LINES", "The width of lines if the output is not a terminal.",
            ".It Ev TMPDIR",
            "The folder for the temporary copy of a pipe.", ".El", ".Sh FILES",
            ".Bl -tag -width Ds", ".It Pa ~/.config/halo/device",
            "The device that", ".Nm", "use", "has remembered.",
            ".It Pa ~/.local/share/halo/health.db", "What", ".Nm", "sync",
            "has read.", ".El", ".Sh EXIT STATUS",
        ]
        lines += Self.filled(VerbSyntax.commonStatuses)
        return lines.joined(separator: "\n") + "\n"
    }

    private func section(_ verb: VerbSyntax) -> [String] {
        var lines = [".Ss \(verb.name)"]
        for form in verb.synopsis { lines += [".Dl \(Self.escaped(form))"] }
        for paragraph in verb.paragraphs(.max) {
            let isLiteral = paragraph.split(separator: "\n").contains { $0.hasPrefix(" ") }
            lines +=
                isLiteral
                ? Self.literal(Self.text(paragraph)) : [".Pp"] + Self.filled(paragraph)
        }
        if !verb.examples.isEmpty { lines += Self.literal(verb.examples.flatMap(Self.text)) }
        return lines + Self.list(of: verb.explainedOptions)
    }

    private static func literal(_ lines: [String]) -> [String] {
        [".Bd -literal"] + lines + [".Ed"]
    }

    private static func list(of options: [OptionFacts]) -> [String] {
        guard !options.isEmpty else { return [] }
        var lines = [".Bl -tag -width Ds"]
        for option in options {
            let letter = option.letter.map { "\\-\($0), " } ?? ""
            lines.append(".It \(letter)\(escaped(option.form))")
            lines += filled(option.help)
        }
        return lines + [".El"]
    }

    /// A paragraph with a line for each sentence, or several for a long one, as manual pages are
    /// written.
    private static func filled(_ paragraph: String) -> [String] {
        var sentences: [[Substring]] = [[]]
        for word in paragraph.split(separator: " ") {
            sentences[sentences.count - 1].append(word)
            if word.hasSuffix(".") || word.hasSuffix("?") { sentences.append([]) }
        }
        return sentences.flatMap { words in
            text(
                TextLayout.wrapped(words, separator: " ", width: 70).joined(separator: "\n"))
        }
    }

    private static func text(_ text: String) -> [String] {
        text.split(separator: "\n").map { line in
            let escaped = escaped(String(line))
            return escaped.hasPrefix(".") || escaped.hasPrefix("'") ? "\\&" + escaped : escaped
        }
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("\\", with: "\\e").replacing("-", with: "\\-")
    }
}
