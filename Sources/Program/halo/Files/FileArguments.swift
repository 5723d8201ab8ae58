import HaloCapture

/// The options about the file that a verb makes, and the file among its arguments.
enum FileArguments {
    /// `--force`, which all verbs with a file of their own have.
    static let force = Flag("force", letter: "f", "replaces an existing file")

    /// `--out`, with a sentence of the help text.
    static func output(_ help: String) -> Option<FilePath> {
        .file("out", letter: "o", help)
    }

    /// Returns the only file among the arguments.
    static func input(_ arguments: ParsedArguments) throws(ArgumentError) -> FilePath {
        let files = arguments.allWords
        guard let file = files.first, file != "" else { throw .wrongUsage("a file is missing") }
        guard files.count == 1 else {
            throw .wrongUsage("one file at a time, not '\(files[1].text)' as well")
        }
        return file.path
    }
}
