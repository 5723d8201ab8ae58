import HaloCapture

/// The file that a verb makes, or standard output for `-`.
///
/// - A file appears under its name when it is whole, and not before.
/// - It replaces another file only with `--force`.
/// - With `-`, everything that the program prints goes to standard error.
struct OutputFile: ~Copyable {
    private let path: FilePath
    private let replaces: Bool
    private var file: FileOutput

    /// Throws if a file of the name exists and is not to be replaced.
    static func check(_ path: FilePath, replaces: Bool) throws(FileError) {
        guard !replaces, !path.isStandard, path.isFile else { return }
        throw exists(path)
    }

    private static func exists(_ path: FilePath) -> FileError {
        FileError(.create, path, reason: "it exists already; --force replaces it")
    }

    /// Begins the file.
    init(
        _ path: FilePath, replaces: Bool, _ console: inout Console
    ) throws(FileError) {
        // A reader of standard output that has gone ends the program before it begins the file.
        console.flush()
        self.path = path
        self.replaces = replaces
        file =
            path.isStandard
            ? try FileOutput(standardOutput: path) : try FileOutput(path)
    }

    /// The number of bytes written so far.
    var length: Int { file.length }

    /// Appends bytes.
    mutating func write(_ bytes: Span<UInt8>) throws(FileError) { try file.write(bytes) }

    /// Appends bytes.
    mutating func write(_ bytes: [UInt8]) throws(FileError) { try file.write(bytes) }

    /// Gives the file its name.
    mutating func commit(connectionCount: Int) throws(FileError) -> WrittenFile {
        // Another one may have appeared since the verb began.
        guard try file.commit(replacing: replaces) else { throw Self.exists(path) }
        return WrittenFile(path: path, byteCount: length, connectionCount: connectionCount)
    }
}

extension Failure {
    /// A file that cannot be used.
    init(_ error: FileError) { self.init(.unusable, "\(error)") }
}

/// A file that was written.
struct WrittenFile {
    let path: FilePath
    let byteCount: Int
    let connectionCount: Int

    var members: JSONValue.Members {
        [
            ("path", .string(path.text)), ("bytes", .number(byteCount)),
            ("connections", .number(connectionCount)),
        ]
    }
}
