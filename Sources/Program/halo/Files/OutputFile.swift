import HaloCapture
import HaloDevices
import HaloTransport

/// The file that a verb makes, or standard output for `-`.
///
/// - A file appears under its name when it is whole, and not before. A signal removes its temporary
///   name, and then ends the program.
/// - It replaces another file only with `--force`, and never without a packet.
/// - With `-`, everything that the program prints goes to standard error.
struct OutputFile: ~Copyable {
    private let path: FilePath
    private let replaces: Bool
    private var file: FileOutput

    /// Prepares for a file that is made later. Throws if a file of the name exists and is not to be
    /// replaced.
    static func prepare(_ path: FilePath, _ console: inout Console) throws(Failure) {
        if path.isStandard { return console.leaveOutputToFile() }
        if !console.replacesFiles, path.isFile { throw exists(path) }
    }

    private static func exists(_ path: FilePath) -> Failure {
        Failure(FileError(.create, path, reason: "it exists already; --force replaces it"))
    }

    init(_ path: FilePath, _ console: inout Console) throws(Failure) {
        // A reader of standard output that has gone would end the program later, with a temporary
        // name left behind.
        console.flush()
        self.path = path
        replaces = console.replacesFiles
        file = try mapError(Failure.init) { () throws(FileError) in
            path.isStandard
                ? try FileOutput(standardOutput: path) : try UnfinishedFiles.open(path)
        }
    }

    var length: Int { file.length }

    mutating func write(_ bytes: Span<UInt8>) throws(Failure) {
        try mapError(Failure.init) { () throws(FileError) in try file.write(bytes) }
    }

    mutating func write(_ bytes: [UInt8]) throws(Failure) {
        try mapError(Failure.init) { () throws(FileError) in try file.write(bytes) }
    }

    /// Gives the file its name, if it has packets or no other file has the name. `nil` if there was
    /// no packet to write, and another file stays as it was.
    mutating func commit(
        packetCount: Int, connectionCount: Int
    ) throws(Failure) -> WrittenFile? {
        guard try place(replacing: replaces && packetCount > 0) else {
            if packetCount == 0 { return nil }
            // It has appeared since the verb began.
            throw Self.exists(path)
        }
        return WrittenFile(path: path, byteCount: length, connectionCount: connectionCount)
    }

    static func write(
        _ bytes: [UInt8], to path: FilePath, _ console: inout Console
    ) throws(Failure) {
        do throws(Failure) {
            var file = try OutputFile(path, &console)
            try file.write(bytes)
            try file.commit()
        } catch {
            var failure = error
            // A reader that has closed standard output has all that it wants.
            if path.isStandard, ProgramEnding.isWatching, ProgramEnding.endsWithoutReader() {
                failure.cause = .cancelled
            }
            throw failure
        }
    }

    mutating func commit() throws(Failure) {
        guard try place(replacing: replaces) else { throw Self.exists(path) }
    }

    /// Gives the file its name; returns `false` if another file has it and stays.
    private mutating func place(replacing: Bool) throws(Failure) -> Bool {
        try UnfinishedFiles.names.withLock { (_) throws(Failure) in
            try mapError(Failure.init) { () throws(FileError) in
                try file.commit(replacing: replacing)
            }
        }
    }
}

/// The temporary names of files that are being written. A signal removes them.
private enum UnfinishedFiles {
    /// The names, also of files that are finished: removing those does nothing. A file is created,
    /// finished and removed by a signal under the lock.
    static let names = Locked<[FilePath]>([])

    private static let isWatched: Bool = {
        #if os(Linux)
        ProgramEnding.beforeSignal { end in
            names.withLock { names in
                for name in names { name.remove() }
                end()
            }
        }
        #else
        false
        #endif
    }()

    static func open(_ path: FilePath) throws(FileError) -> FileOutput {
        _ = isWatched
        var begun: FileOutput?
        try names.withLock { (names) throws(FileError) in
            let file = try FileOutput(path)
            if let name = file.temporary { names.append(name) }
            begun = consume file
        }
        guard let file = begun.take() else { return try FileOutput(path) }
        return file
    }
}

extension Failure {
    init(_ error: FileError) { self.init(.unusable, "\(error)") }
}

extension FilePath {
    var keptSentence: String { "\(quoted) stays as it was: there is no packet to write" }

    /// Remarks that an existing file is not replaced.
    func remarkKept(_ console: inout Console) {
        if !isStandard, isFile { console.remark(keptSentence) }
    }
}
