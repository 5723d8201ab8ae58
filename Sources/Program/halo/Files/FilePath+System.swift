import HaloCapture

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

extension FilePath {
    /// A file of the user: in the folder that a variable names, or else in one of the home folder;
    /// `nil` without a home.
    static func ofUser(
        _ name: String, in variable: String, or folder: String
    ) -> FilePath? {
        let named = TerminalEnvironment.variable(variable)
        if named.hasPrefix("/") { return FilePath("\(named)/\(name)") }
        let home = TerminalEnvironment.variable("HOME")
        return home.hasPrefix("/") ? FilePath("\(home)/\(folder)/\(name)") : nil
    }

    /// Makes the folder of a file whose path is absolute, and those around it.
    func makeParent(mode: mode_t) throws(Failure) {
        let folder = text.split(separator: "/").dropLast().joined(separator: "/")
        try FilePath("/" + folder).makeFolder(mode: mode)
    }

    func makeFolder(mode: mode_t) throws(Failure) {
        var folder = text.hasPrefix("/") ? "" : "."
        for part in text.split(separator: "/") {
            folder += "/\(part)"
            if mkdir(folder, mode) != 0, errno != EEXIST {
                throw FilePath(folder).systemFailure
            }
        }
    }

    /// The last error of the system, which is about this file.
    var systemFailure: Failure {
        Failure(.unusable, "\(quoted): \(String(cString: strerror(errno)))")
    }

    var isThere: Bool { access(cString, F_OK) == 0 }

    /// `true` if nothing has this name, not even a broken link.
    var isFree: Bool {
        var status = stat()
        return lstat(cString, &status) != 0 && errno == ENOENT
    }

    /// `true` if the folder of the file is there, and can be written.
    var canBeMade: Bool {
        let folder = text.lastIndex(of: "/").map { text[...$0] } ?? "."
        return access(String(folder), W_OK | X_OK) == 0
    }

    /// Returns the first line; `nil` for a file that is empty or not there.
    func firstLine(limit: Int) throws(Failure) -> String? {
        guard let file = fopen(text, "re") else {
            if errno == ENOENT || errno == ENOTDIR { return nil }
            throw systemFailure
        }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: limit)
        let count = fread(&bytes, 1, bytes.count, file)
        guard ferror(file) == 0 else { throw systemFailure }
        let line = bytes.prefix(count).prefix { $0 != UInt8(ascii: "\n") }
        return line.isEmpty ? nil : String(decoding: line, as: UTF8.self)
    }

    func removeIfThere() throws(Failure) {
        guard unlink(text) == 0 || errno == ENOENT else { throw systemFailure }
    }

    /// `true` if the paths lead to one file, also through links.
    func isSameFile(as other: FilePath) -> Bool {
        guard let one = status(STDOUT_FILENO), let other = other.status(STDIN_FILENO) else {
            return false
        }
        return one.st_dev == other.st_dev && one.st_ino == other.st_ino
    }

    /// Returns the status of a file. A standard descriptor counts only if it is a regular file: a
    /// terminal is input and output.
    private func status(_ descriptor: Int32) -> stat? {
        var status = stat()
        guard isStandard else { return stat(cString, &status) == 0 ? status : nil }
        let isFile = fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
        return isFile ? status : nil
    }
}
