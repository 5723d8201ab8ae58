/// A file that is opened once and can be read several times: standard input, or a pipe.
///
/// A pipe, a socket or a terminal gives its bytes only once. They are copied into a temporary file
/// in `TMPDIR`, or else in `/tmp`, whose name is removed before the first byte is written. So it
/// is gone with the program, in whatever way the program ends.
package final class OpenFile: Sendable {
    /// The path in errors.
    package let path: FilePath
    package let length: Int

    let file: SystemFile

    /// The most bytes that are copied, 1 GiB.
    package static let lengthLimit = 1 << 30

    /// Opens standard input, which has this path in errors. A folder is refused.
    package convenience init(
        standardInput path: FilePath, limit: Int = lengthLimit
    ) throws(FileError) {
        try self.init(SystemFile.standardInput(path), limit: limit)
    }

    /// Opens a pipe or a terminal, and waits for the writer of a pipe. Returns `nil` for another
    /// file, and for none.
    package convenience init?(
        pipe path: FilePath, limit: Int = lengthLimit
    ) throws(FileError) {
        guard let source = try SystemFile.openPipe(path) else { return nil }
        try self.init(source, limit: limit)
    }

    /// Keeps a file that can be read several times, and otherwise a copy of its bytes.
    private init(_ source: SystemFile, limit: Int) throws(FileError) {
        path = source.path
        if let length = source.lengthFromBeginning {
            (file, self.length) = (source, length)
        } else {
            file = try SystemFile.createUnnamed()
            length = try source.copy(to: file, limit: limit)
        }
    }
}
