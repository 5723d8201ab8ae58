#if canImport(Darwin)
internal import Darwin
#elseif canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Android)
internal import Android
#endif

/// The system calls for files: the only use of the C library in this module.
enum SystemFile {
    struct Draft {
        let descriptor: Int32
        let temporary: FilePath
        /// The final name: the destination of a link, if the name is a link.
        let destination: FilePath
    }

    // MARK: Reading

    static func openFile(_ path: FilePath) throws(FileError) -> (descriptor: Int32, length: Int) {
        try check(path, .open)
        // Non-blocking: opening a pipe without a writer would wait.
        guard let descriptor = opened(path, O_RDONLY | O_NONBLOCK) else {
            throw lastError(.open, path)
        }
        var status = stat()
        let reason = fstat(descriptor, &status) == 0 ? refusal(status) : lastReason()
        guard let reason else { return (descriptor, Int(clamping: status.st_size)) }
        closeFile(descriptor)
        throw FileError(.open, path, reason: reason)
    }

    /// Opens a file that no other program inherits; returns `nil` if the system refuses.
    private static func opened(_ path: FilePath, _ flags: Int32) -> Int32? {
        let descriptor = retrying { open(path.cString, flags | O_CLOEXEC, 0o644) }
        return descriptor == -1 ? nil : descriptor
    }

    /// Reads a range into a buffer of at least its length; returns the number of bytes, which is
    /// smaller at the end of the file. Several readers can share a descriptor.
    static func readRange(
        _ descriptor: Int32, _ buffer: inout ContiguousArray<UInt8>, _ range: Range<Int>,
        _ path: FilePath
    ) throws(FileError) -> Int {
        var done = 0
        while done < range.count {
            let start = range.lowerBound + done
            let result = buffer.withUnsafeMutableBytes { buffer in
                retrying {
                    pread(
                        descriptor, buffer.baseAddress?.advanced(by: done), range.count - done,
                        off_t(start))
                }
            }
            guard result >= 0 else { throw lastError(.read, path, at: start) }
            guard result > 0 else { break }
            done += result
        }
        return done
    }

    static func duplicate(
        _ descriptor: Int32, _ path: FilePath, _ operation: FileError.Operation = .open
    ) throws(FileError) -> Int32 {
        let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 3)
        guard copy != -1 else { throw lastError(operation, path) }
        return copy
    }

    /// Returns a descriptor of standard input; a folder is refused.
    static func standardInput(_ path: FilePath) throws(FileError) -> Int32 {
        var status = stat()
        if fstat(STDIN_FILENO, &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
            throw FileError(.open, path, reason: "it is a folder")
        }
        return try duplicate(STDIN_FILENO, path)
    }

    /// Opens a pipe or a terminal, and waits for the writer of a pipe. Returns `nil` for another
    /// file, and for none.
    static func openPipe(_ path: FilePath) throws(FileError) -> Int32? {
        var status = stat()
        guard fstatat(AT_FDCWD, path.cString, &status, 0) == 0 else { return nil }
        let kind = status.st_mode & S_IFMT
        guard kind == S_IFIFO || kind == S_IFCHR else { return nil }
        // Opening some devices has an effect, and may wait: only a terminal is kept open.
        let waiting = kind == S_IFCHR ? O_NONBLOCK | O_NOCTTY : 0
        guard let descriptor = opened(path, O_RDONLY | waiting) else {
            throw lastError(.open, path)
        }
        guard kind == S_IFCHR else { return descriptor }
        guard isatty(descriptor) == 1 else {
            closeFile(descriptor)
            return nil
        }
        _ = fcntl(descriptor, F_SETFL, 0)
        return descriptor
    }

    /// Returns the length of a regular file that stands at its beginning, otherwise `nil`.
    static func lengthFromBeginning(_ descriptor: Int32) -> Int? {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
            lseek(descriptor, 0, SEEK_CUR) == 0
        else { return nil }
        return Int(clamping: status.st_size)
    }

    static func createUnnamed() throws(FileError) -> (descriptor: Int32, path: FilePath) {
        let variable = getenv("TMPDIR").map { FilePath(cString: $0) }
        let folder = variable.flatMap { $0.bytes.isEmpty ? nil : $0 } ?? FilePath("/tmp")
        let path = folder.appending("/halo-XXXXXX")
        var name = path.cString
        let descriptor = mkstemp(&name)
        guard descriptor != -1 else { throw lastError(.create, path) }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        _ = unlink(name)
        return (descriptor, path)
    }

    /// Copies all bytes of a stream to a temporary file, up to a limit; returns their number.
    static func copy(
        from source: Int32, _ path: FilePath, to file: (descriptor: Int32, path: FilePath),
        limit: Int
    ) throws(FileError) -> Int {
        var buffer = ContiguousArray<UInt8>(repeating: 0, count: 1 << 16)
        var length = 0
        while true {
            let count = buffer.withUnsafeMutableBytes { buffer in
                retrying { read(source, buffer.baseAddress, buffer.count) }
            }
            guard count >= 0 else { throw lastError(.read, path, at: length) }
            guard count > 0 else { return length }
            guard count <= limit - length else {
                throw FileError(
                    .read, path, at: limit,
                    reason: "the pipe has more bytes than are copied; give a file")
            }
            try writeAll(file.descriptor, buffer.span.extracting(0..<count), file.path, length)
            length += count
        }
    }

    // MARK: Writing

    static func createDraft(of path: FilePath) throws(FileError) -> Draft {
        try check(path, .create)
        let (destination, status) = try destination(of: path)
        var isLong = false
        for attempt in 0..<100 {
            let name = draftName(destination, attempt, isLong: isLong)
            if let descriptor = opened(name, O_WRONLY | O_CREAT | O_EXCL) {
                // The new file is not readable by users that could not read the old one.
                if let status { _ = fchmod(descriptor, status.st_mode & 0o777) }
                return Draft(
                    descriptor: descriptor, temporary: name, destination: destination)
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
    /// set: then it keeps its content until ``empty(_:_:)``.
    static func createLog(
        _ path: FilePath, replacing: Bool
    ) throws(FileError) -> (descriptor: Int32, isNew: Bool) {
        try check(path, .create)
        _ = try destination(of: path)
        let flags = O_WRONLY | O_APPEND | O_NONBLOCK
        if let made = opened(path, flags | O_CREAT | O_EXCL) { return (made, true) }
        guard errno == EEXIST else { throw lastError(.create, path) }
        guard replacing else { throw FileError(.create, path, reason: "there is one already") }
        guard let descriptor = opened(path, flags) else { throw lastError(.create, path) }
        return (descriptor, false)
    }

    /// Removes the content of a file.
    static func empty(_ descriptor: Int32, _ path: FilePath) throws(FileError) {
        guard retrying({ ftruncate(descriptor, 0) }) == 0 else { throw lastError(.write, path) }
    }

    static func writeAll(
        _ descriptor: Int32, _ bytes: Span<UInt8>, _ path: FilePath, _ offset: Int
    ) throws(FileError) {
        var done = 0
        while done < bytes.count {
            let result = bytes.extracting(done..<bytes.count).withUnsafeBufferPointer { buffer in
                retrying { write(descriptor, buffer.baseAddress, buffer.count) }
            }
            guard result > 0 else { throw lastError(.write, path, at: offset + done) }
            done += result
        }
    }

    /// Waits until the content survives a power failure.
    static func synchronise(
        _ descriptor: Int32, _ path: FilePath, _ offset: Int
    ) throws(FileError) {
        guard retrying({ fsync(descriptor) }) == 0 else {
            throw lastError(.write, path, at: offset)
        }
    }

    /// Gives a file its final name. Returns `false` if it may not replace another file, and there
    /// is one.
    ///
    /// - Parameter hasLinks: `false` for a file system without hard links, which is found out.
    static func finish(
        _ draft: Draft, _ path: FilePath, _ offset: Int, replacing: Bool, hasLinks: Bool = true
    ) throws(FileError) -> Bool {
        try synchronise(draft.descriptor, path, offset)
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
        guard let descriptor = opened(name, O_WRONLY | O_CREAT | O_EXCL) else {
            if errno == EEXIST { return false }
            throw lastError(.create, path)
        }
        closeFile(descriptor)
        return true
    }

    static func standardOutput(_ path: FilePath) throws(FileError) -> Int32 {
        try duplicate(STDOUT_FILENO, path, .create)
    }

    static func closeFile(_ descriptor: Int32) { _ = close(descriptor) }

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

    /// Returns the destination of a link with its status; the path itself if it is no link.
    private static func destination(
        of path: FilePath
    ) throws(FileError) -> (path: FilePath, status: stat?) {
        let name = path.cString
        var status = stat()
        guard lstat(name, &status) == 0 else {
            if errno == ENOENT { return (path, nil) }
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
        return (destination, status)
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
