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
    /// A file with a temporary name.
    struct Draft {
        let descriptor: Int32
        /// The temporary name.
        let temporary: String
        /// The final name: the destination of a link, if the name is a link.
        let destination: String
    }

    static func open(_ path: String) throws(FileError) -> (descriptor: Int32, length: Int) {
        try check(path, .open)
        // Non-blocking: opening a pipe without a writer would wait.
        let descriptor = retrying { systemOpen(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC) }
        guard descriptor >= 0 else { throw FileError(.open, path, reason: lastReason()) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
            let reason = lastReason()
            close(descriptor)
            throw FileError(.open, path, reason: reason)
        }
        if let reason = refusal(status) {
            close(descriptor)
            throw FileError(.open, path, reason: reason)
        }
        return (descriptor, Int(clamping: status.st_size))
    }

    static func read(
        _ descriptor: Int32, _ buffer: inout ContiguousArray<UInt8>, _ count: Int, _ path: String,
        _ offset: Int
    ) throws(FileError) -> Int {
        let result = buffer.withUnsafeMutableBytes { buffer in
            retrying { systemRead(descriptor, buffer.baseAddress, min(count, buffer.count)) }
        }
        guard result >= 0 else { throw FileError(.read, path, at: offset, reason: lastReason()) }
        return result
    }

    /// Reads a range into the buffer, which has its length; returns the number of bytes.
    static func read(
        _ descriptor: Int32, _ buffer: inout ContiguousArray<UInt8>, _ range: Range<Int>,
        _ path: String
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
            guard result >= 0 else {
                throw FileError(.read, path, at: start, reason: lastReason())
            }
            if result == 0 { break }
            done += result
        }
        return done
    }

    static func createDraft(of path: String) throws(FileError) -> Draft {
        try check(path, .create)
        let (destination, status) = try destination(of: path)
        var isLong = false
        for attempt in 0..<100 {
            let name = draftName(destination, attempt, isLong: isLong)
            let descriptor = retrying {
                systemOpen(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC)
            }
            if descriptor >= 0 {
                // The new file is not readable by users that could not read the old one.
                if let status { _ = fchmod(descriptor, status.st_mode & 0o777) }
                return Draft(descriptor: descriptor, temporary: name, destination: destination)
            }
            if errno == ENAMETOOLONG, !isLong {
                isLong = true
            } else if errno != EEXIST {
                break
            }
        }
        throw FileError(.create, path, reason: lastReason())
    }

    /// Returns a temporary name in the same folder. It begins with the file's own name, unless that
    /// is too long.
    private static func draftName(
        _ destination: String, _ attempt: Int, isLong: Bool
    ) -> String {
        let ending = "\(getpid())-\(attempt).part"
        guard isLong else { return "\(destination).\(ending)" }
        let folder = destination.lastIndex(of: "/").map { destination[...$0] } ?? ""
        return "\(folder)halo-\(ending)"
    }

    /// Creates a file without a temporary name. An existing file is an error, unless `replacing` is
    /// set: then it keeps its content until ``empty(_:_:)``.
    static func createLog(
        _ path: String, replacing: Bool
    ) throws(FileError) -> (descriptor: Int32, isNew: Bool) {
        try check(path, .create)
        if replacing { _ = try destination(of: path) }
        let flags = O_WRONLY | O_APPEND | O_CLOEXEC | O_NONBLOCK
        let made = retrying { systemOpen(path, flags | O_CREAT | O_EXCL) }
        if made >= 0 { return (made, true) }
        guard errno == EEXIST else { throw FileError(.create, path, reason: lastReason()) }
        guard replacing else { throw FileError(.create, path, reason: "there is one already") }
        let opened = retrying { systemOpen(path, flags) }
        guard opened >= 0 else { throw FileError(.create, path, reason: lastReason()) }
        return (opened, false)
    }

    /// Removes the content of a file.
    static func empty(_ descriptor: Int32, _ path: String) throws(FileError) {
        guard retrying({ ftruncate(descriptor, 0) }) == 0 else {
            throw FileError(.write, path, reason: lastReason())
        }
    }

    static func write(
        _ descriptor: Int32, _ bytes: Span<UInt8>, _ path: String, _ offset: Int
    ) throws(FileError) {
        var done = 0
        while done < bytes.count {
            let result = bytes.extracting(done..<bytes.count).withUnsafeBufferPointer { buffer in
                retrying { systemWrite(descriptor, buffer.baseAddress, buffer.count) }
            }
            guard result > 0 else {
                let reason = result < 0 ? lastReason() : "nothing more is taken"
                throw FileError(.write, path, at: offset + done, reason: reason)
            }
            done += result
        }
    }

    /// Waits until the content survives a power failure.
    static func synchronise(
        _ descriptor: Int32, _ path: String, _ offset: Int
    ) throws(FileError) {
        guard retrying({ fsync(descriptor) }) == 0 else {
            throw FileError(.write, path, at: offset, reason: lastReason())
        }
    }

    static func finish(_ draft: Draft, _ path: String, _ offset: Int) throws(FileError) {
        try synchronise(draft.descriptor, path, offset)
        guard systemRename(draft.temporary, draft.destination) == 0 else {
            throw FileError(.create, path, reason: lastReason())
        }
    }

    static func remove(_ path: String) { _ = unlink(path) }

    static func close(_ descriptor: Int32) { _ = systemClose(descriptor) }

    private static func check(
        _ path: String, _ operation: FileError.Operation
    ) throws(FileError) {
        guard !path.isEmpty else { throw FileError(operation, path, reason: "there is no name") }
        guard !path.utf8.contains(0) else {
            throw FileError(operation, path, reason: "a name cannot have NUL in it")
        }
    }

    /// Returns the destination of a link with its status; the path itself if it is no link.
    private static func destination(
        of path: String
    ) throws(FileError) -> (path: String, status: stat?) {
        var status = stat()
        guard lstat(path, &status) == 0 else {
            if errno == ENOENT { return (path, nil) }
            throw FileError(.create, path, reason: lastReason())
        }
        var destination = path
        if status.st_mode & S_IFMT == S_IFLNK {
            guard let resolved = realpath(path, nil) else {
                throw FileError(.create, path, reason: "it is a link to nothing")
            }
            destination = String(cString: resolved)
            free(resolved)
            guard lstat(destination, &status) == 0 else {
                throw FileError(.create, path, reason: lastReason())
            }
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
    private static func retrying<Result: SignedInteger>(_ body: () -> Result) -> Result {
        while true {
            let result = body()
            if result >= 0 || errno != EINTR { return result }
        }
    }

    private static func lastReason() -> String { String(cString: strerror(errno)) }
}

private func systemOpen(_ path: String, _ flags: Int32) -> Int32 { open(path, flags, 0o644) }

private func systemRead(
    _ descriptor: Int32, _ buffer: UnsafeMutableRawPointer?, _ count: Int
) -> Int {
    read(descriptor, buffer, count)
}

private func systemWrite(_ descriptor: Int32, _ buffer: UnsafeRawPointer?, _ count: Int) -> Int {
    write(descriptor, buffer, count)
}

private func systemClose(_ descriptor: Int32) -> Int32 { close(descriptor) }

private func systemRename(_ from: String, _ to: String) -> Int32 { rename(from, to) }
