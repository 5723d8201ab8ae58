/// A file that is opened once and can be read several times: standard input, or a pipe.
///
/// A pipe, a socket or a terminal gives its bytes only once. They are copied into a temporary file
/// in `TMPDIR`, or else in `/tmp`, whose name is removed before the first byte is written. So it
/// is gone with the program, in whatever way the program ends.
package final class OpenFile: Sendable {
    /// The path in errors.
    package let path: FilePath
    package let length: Int

    let descriptor: Int32

    /// The most bytes that are copied, 1 GiB.
    package static let lengthLimit = 1 << 30

    /// Opens standard input, which has this path in errors. A folder is refused.
    package convenience init(
        standardInput path: FilePath, limit: Int = lengthLimit
    ) throws(FileError) {
        let descriptor = try SystemFile.standardInput(path)
        try self.init(descriptor, path, limit: limit)
    }

    /// Opens a pipe or a terminal, and waits for the writer of a pipe. Returns `nil` for another
    /// file, and for none.
    package convenience init?(
        pipe path: FilePath, limit: Int = lengthLimit
    ) throws(FileError) {
        guard let descriptor = try SystemFile.openPipe(path) else { return nil }
        try self.init(descriptor, path, limit: limit)
    }

    /// Takes over a descriptor: it is kept if it can be read several times, and else closed after
    /// its bytes have been copied.
    private init(_ source: Int32, _ path: FilePath, limit: Int) throws(FileError) {
        self.path = path
        if let length = SystemFile.lengthFromBeginning(source) {
            (descriptor, self.length) = (source, length)
            return
        }
        defer { SystemFile.closeFile(source) }
        let spool = try SystemFile.createUnnamed()
        do throws(FileError) {
            length = try SystemFile.copy(from: source, path, to: spool, limit: limit)
        } catch {
            SystemFile.closeFile(spool.descriptor)
            throw error
        }
        descriptor = spool.descriptor
    }

    deinit {
        SystemFile.closeFile(descriptor)
    }
}
