import HaloCapture

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

enum FileArguments {
    static let force = Flag("force", letter: "f", "replaces an existing file")

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
    static func check(
        _ output: FilePath, differsFrom input: FilePath
    ) throws(Failure) {
        let isSame =
            output == input && !output.isStandard
            || {
                guard let one = status(of: output, STDOUT_FILENO),
                    let other = status(of: input, STDIN_FILENO)
                else { return false }
                return one.st_dev == other.st_dev && one.st_ino == other.st_ino
            }()
        if isSame { throw .wrongUsage("the output would overwrite its own input") }
    }

    /// Returns the status of a file. A standard descriptor counts only if it is a regular file: a
    /// terminal is input and output.
    private static func status(of path: FilePath, _ descriptor: Int32) -> stat? {
        var status = stat()
        guard path.isStandard else {
            return stat(path.cString, &status) == 0 ? status : nil
        }
        let isFile = fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
        return isFile ? status : nil
    }
}
