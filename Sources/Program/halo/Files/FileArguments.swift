import HaloCapture

enum FileArguments {
    static func output(_ help: String) -> Option<FilePath> {
        .file("out", letter: "o", help)
    }

    static func input(_ arguments: ParsedArguments) throws(Failure) -> FilePath {
        let files = arguments.allWords
        guard let file = files.first, file != "" else { throw .wrongUsage("a file is missing") }
        guard files.count == 1 else {
            throw .wrongUsage("one file at a time, not '\(files[1].text)' as well")
        }
        return file.path
    }

    /// Refuses to write a file over the one that it is made of, also through links.
    static func check(_ output: FilePath, differsFrom input: FilePath) throws(Failure) {
        let isSame = output == input && !output.isStandard || output.isSameFile(as: input)
        if isSame { throw .wrongUsage("the output would overwrite its own input") }
    }
}
