#if canImport(Darwin)
internal import Darwin
#elseif canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Android)
internal import Android
#endif

/// An open file, which is closed with its last reference, and the system calls for files: the only
/// use of the C library in this module.
final class SystemFile: Sendable {
    let descriptor: Int32
    /// The path in errors.
    let path: FilePath

    struct Draft {
        let file: SystemFile
        let temporary: FilePath
        /// The final name: the destination of a link, if the name is a link.
        let destination: FilePath
    }

    /// Takes over a descriptor.
    init(_ descriptor: Int32, _ path: FilePath) {
        self.descriptor = descriptor
        self.path = path
    }

    /// The permissions of files that are written: only their owner may read them. Captures, reports
    /// and tables have addresses and health values.
    private static let mode: mode_t = 0o600

    /// Opens a file that no other program inherits; returns `nil` if the system refuses.
    private static func opened(
        _ name: FilePath, _ flags: Int32, for path: FilePath
    ) -> SystemFile? {
        let descriptor = retrying { open(name.cString, flags | O_CLOEXEC, mode) }
        return descriptor == -1 ? nil : SystemFile(descriptor, path)
    }

    deinit { _ = close(descriptor) }

    // MARK: Reading

    static func openFile(_ path: FilePath) throws(FileError) -> (file: SystemFile, length: Int) {
        try check(path, .open)
        // Non-blocking: opening a pipe without a writer would wait.
        guard let file = opened(path, O_RDONLY | O_NONBLOCK, for: path) else {
            throw lastError(.open, path)
        }
        var status = stat()
        let reason = fstat(file.descriptor, &status) == 0 ? refusal(status) : lastReason()
        if let reason { throw FileError(.open, path, reason: reason) }
        return (file, Int(clamping: status.st_size))
    }

    /// Reads a range into a buffer of at least its length; returns the number of bytes, which is
    /// smaller at the end of the file. Several readers can share a file.
    ///
    /// - Parameter path: The path in errors.
    func readRange(
        _ range: Range<Int>, into buffer: inout ContiguousArray<UInt8>, _ path: FilePath
    ) throws(FileError) -> Int {
        var done = 0
        while done < range.count {
            let start = range.lowerBound + done
            let result = buffer.withUnsafeMutableBytes { buffer in
                Self.retrying {
                    pread(
                        descriptor, buffer.baseAddress?.advanced(by: done), range.count - done,
                        off_t(start))
                }
            }
            guard result >= 0 else { throw Self.lastError(.read, path, at: start) }
            guard result > 0 else { break }
            done += result
        }
        return done
    }

    private convenience init(
        duplicating descriptor: Int32, _ path: FilePath, _ operation: FileError.Operation
    ) throws(FileError) {
        let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 3)
        guard copy != -1 else { throw Self.lastError(operation, path) }
        self.init(copy, path)
    }

    /// Opens standard input; a folder is refused.
    static func standardInput(_ path: FilePath) throws(FileError) -> SystemFile {
        var status = stat()
        if fstat(STDIN_FILENO, &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
            throw FileError(.open, path, reason: "it is a folder")
        }
        return try SystemFile(duplicating: STDIN_FILENO, path, .open)
    }

    /// Opens a pipe or a terminal, and waits for the writer of a pipe. Returns `nil` for another
    /// file, and for none.
    static func openPipe(_ path: FilePath) throws(FileError) -> SystemFile? {
        var status = stat()
        guard fstatat(AT_FDCWD, path.cString, &status, 0) == 0 else { return nil }
        let kind = status.st_mode & S_IFMT
        guard kind == S_IFIFO || kind == S_IFCHR else { return nil }
        // Opening some devices has an effect, and may wait: only a terminal is kept open.
        let waiting = kind == S_IFCHR ? O_NONBLOCK | O_NOCTTY : 0
        guard let file = opened(path, O_RDONLY | waiting, for: path) else {
            throw lastError(.open, path)
        }
        guard kind == S_IFCHR else { return file }
        guard isatty(file.descriptor) == 1 else { return nil }
        _ = fcntl(file.descriptor, F_SETFL, 0)
        return file
    }

    /// The length of a regular file that stands at its beginning, otherwise `nil`.
    var lengthFromBeginning: Int? {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
            lseek(descriptor, 0, SEEK_CUR) == 0
        else { return nil }
        return Int(clamping: status.st_size)
    }

    static func createUnnamed() throws(FileError) -> SystemFile {
        let variable = getenv("TMPDIR").map { FilePath(cString: $0) }
        let folder = variable.flatMap { $0.bytes.isEmpty ? nil : $0 } ?? FilePath("/tmp")
        let path = folder.appending("/halo-XXXXXX")
        var name = path.cString
        let descriptor = mkstemp(&name)
        guard descriptor != -1 else { throw lastError(.create, path) }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        _ = unlink(name)
        return SystemFile(descriptor, path)
    }

    /// Copies all bytes of a stream to a temporary file, up to a limit; returns their number.
    func copy(to file: SystemFile, limit: Int) throws(FileError) -> Int {
        var buffer = ContiguousArray<UInt8>(repeating: 0, count: 1 << 16)
        var length = 0
        while true {
            let count = buffer.withUnsafeMutableBytes { buffer in
                Self.retrying { read(descriptor, buffer.baseAddress, buffer.count) }
            }
            guard count >= 0 else { throw Self.lastError(.read, path, at: length) }
            guard count > 0 else { return length }
            guard count <= limit - length else {
                throw FileError(
                    .read, path, at: limit,
                    reason: "the pipe has more bytes than are copied; give a file")
            }
            try file.writeAll(buffer.span.extracting(0..<count), at: length)
            length += count
        }
    }

    // MARK: Writing

    static func createDraft(of path: FilePath) throws(FileError) -> Draft {
        try check(path, .create)
        let destination = try destination(of: path)
        var isLong = false
        for attempt in 0..<100 {
            let name = draftName(destination, attempt, isLong: isLong)
            if let file = opened(name, O_WRONLY | O_CREAT | O_EXCL, for: path) {
                return Draft(file: file, temporary: name, destination: destination)
            }
            if errno == ENAMETOOLONG, !isLong {
                isLong = true
            } else if errno != EEXIST {
                break
            }
        }
        throw lastError(.create, path)
    }

    /// Returns a temporary name in the same folder. It begins with the file's own name, unless that
    /// is too long.
    private static func draftName(
        _ destination: FilePath, _ attempt: Int, isLong: Bool
    ) -> FilePath {
        let ending = "\(getpid())-\(attempt).part"
        return isLong
            ? destination.folder.appending("halo-\(ending)")
            : destination.appending(".\(ending)")
    }

    /// Creates a file without a temporary name. An existing file is an error, unless `replacing` is
    /// set: then it keeps its content and its permissions until ``empty()``.
    static func createLog(
        _ path: FilePath, replacing: Bool
    ) throws(FileError) -> (file: SystemFile, isNew: Bool) {
        try check(path, .create)
        _ = try destination(of: path)
        let flags = O_WRONLY | O_APPEND | O_NONBLOCK
        if let file = opened(path, flags | O_CREAT | O_EXCL, for: path) { return (file, true) }
        guard errno == EEXIST else { throw lastError(.create, path) }
        guard replacing else { throw FileError(.create, path, reason: "there is one already") }
        guard let file = opened(path, flags, for: path) else { throw lastError(.create, path) }
        return (file, false)
    }

    /// Removes the content of the file. Only its owner may read what is written from then on,
    /// unless it is another user's, or a file system has no permissions.
    func empty() throws(FileError) {
        guard Self.retrying({ ftruncate(descriptor, 0) }) == 0 else {
            throw Self.lastError(.write, path)
        }
        _ = fchmod(descriptor, Self.mode)
    }

    /// Writes bytes to the end of the file.
    func writeAll(_ bytes: Span<UInt8>, at offset: Int) throws(FileError) {
        var done = 0
        while done < bytes.count {
            let result = bytes.extracting(done..<bytes.count).withUnsafeBufferPointer { buffer in
                Self.retrying { write(descriptor, buffer.baseAddress, buffer.count) }
            }
            guard result > 0 else { throw Self.lastError(.write, path, at: offset + done) }
            done += result
        }
    }

    /// Waits until the content survives a power failure.
    func synchronise(at offset: Int) throws(FileError) {
        guard Self.retrying({ fsync(descriptor) }) == 0 else {
            throw Self.lastError(.write, path, at: offset)
        }
    }

    /// Throws an error unless the path still leads to this file, and the file has a length: another
    /// program may have removed, replaced or shortened it.
    func checkIntact(length: Int) throws(FileError) {
        var (named, own) = (stat(), stat())
        guard fstat(descriptor, &own) == 0 else { throw Self.lastError(.write, path) }
        let isThere = fstatat(AT_FDCWD, path.cString, &named, 0) == 0
        let reason: String? =
            if !isThere {
                "it was removed by another program"
            } else if named.st_dev != own.st_dev || named.st_ino != own.st_ino {
                "it was replaced by another program"
            } else if Int(clamping: own.st_size) != length {
                "it was changed by another program: it has \(own.st_size) bytes, not \(length)"
            } else {
                nil
            }
        if let reason { throw FileError(.write, path, at: length, reason: reason) }
    }

    /// Gives a file its final name. Returns `false` if it may not replace another file, and there
    /// is one.
    ///
    /// - Parameter hasLinks: `false` for a file system without hard links, which is found out.
    static func finish(
        _ draft: Draft, _ offset: Int, replacing: Bool, hasLinks: Bool = true
    ) throws(FileError) -> Bool {
        let path = draft.file.path
        try draft.file.synchronise(at: offset)
        if !replacing {
            if hasLinks, link(draft.temporary.cString, draft.destination.cString) == 0 {
                draft.temporary.remove()
                return true
            }
            guard try claim(draft.destination, path) else { return false }
        }
        guard rename(draft.temporary.cString, draft.destination.cString) == 0 else {
            let reason = lastReason()
            if !replacing { draft.destination.remove() }
            throw FileError(.create, path, reason: reason)
        }
        return true
    }

    /// Creates an empty file, which the complete one replaces: some file systems have no links.
    /// Returns `false` if there is another file.
    private static func claim(_ name: FilePath, _ path: FilePath) throws(FileError) -> Bool {
        if opened(name, O_WRONLY | O_CREAT | O_EXCL, for: path) != nil { return true }
        if errno == EEXIST { return false }
        throw lastError(.create, path)
    }

    static func standardOutput(_ path: FilePath) throws(FileError) -> SystemFile {
        try SystemFile(duplicating: STDOUT_FILENO, path, .create)
    }

    private static func check(
        _ path: FilePath, _ operation: FileError.Operation
    ) throws(FileError) {
        guard !path.bytes.isEmpty else {
            throw FileError(operation, path, reason: "there is no name")
        }
        guard !path.bytes.contains(0) else {
            throw FileError(operation, path, reason: "a name cannot have NUL in it")
        }
    }

    /// Returns the destination of a link; the path itself if it is no link.
    private static func destination(of path: FilePath) throws(FileError) -> FilePath {
        let name = path.cString
        var status = stat()
        guard lstat(name, &status) == 0 else {
            if errno == ENOENT { return path }
            throw lastError(.create, path)
        }
        var destination = path
        if status.st_mode & S_IFMT == S_IFLNK {
            guard let resolved = realpath(name, nil) else {
                throw FileError(.create, path, reason: "it is a broken link")
            }
            destination = FilePath(cString: resolved)
            free(resolved)
            guard lstat(destination.cString, &status) == 0 else { throw lastError(.create, path) }
        }
        if let reason = refusal(status) { throw FileError(.create, path, reason: reason) }
        return destination
    }

    /// Returns the reason to refuse a file that is not regular; `nil` for a regular file.
    private static func refusal(_ status: stat) -> String? {
        switch status.st_mode & S_IFMT {
        case S_IFREG: nil
        case S_IFDIR: "it is a folder"
        case S_IFIFO: "it is a pipe; give a file"
        default: "it is not a file"
        }
    }

    /// Repeats a call as long as a signal interrupts it.
    static func retrying<Result: SignedInteger>(_ body: () -> Result) -> Result {
        while true {
            let result = body()
            if result != -1 || errno != EINTR { return result }
        }
    }

    private static func lastError(
        _ operation: FileError.Operation, _ path: FilePath, at offset: Int = 0
    ) -> FileError {
        FileError(operation, path, at: offset, reason: lastReason())
    }

    private static func lastReason() -> String { String(cString: strerror(errno)) }
}

extension FilePath {
    /// `true` if there is a file of any kind at the path, except a folder.
    package var isFile: Bool {
        var status = stat()
        return fstatat(AT_FDCWD, cString, &status, 0) == 0 && status.st_mode & S_IFMT != S_IFDIR
    }

    package func remove() { _ = unlink(cString) }

    package init(cString: UnsafePointer<CChar>) {
        self.init(
            bytes: UnsafeBufferPointer(start: cString, count: strlen(cString)).lazy.map {
                UInt8(bitPattern: $0)
            })
    }
}
