#if canImport(Darwin)
internal import Darwin
#elseif canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Android)
internal import Android
#endif

/// What the system does with files: the only place that asks it.
enum SystemFile {
    /// A file that is written and does not have its name yet.
    struct Draft {
        let descriptor: Int32
        /// The name that it has meanwhile.
        let temporary: String
        /// The name that it will have: where a link leads, if the name is a link.
        let destination: String
    }

    static func open(_ path: String) throws(FileError) -> (descriptor: Int32, length: Int) {
        try check(path, .open)
        // Without waiting: nobody may be at the other end of a pipe.
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
                // Who could not read the old file cannot read the new one.
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

    /// Beside its place, with its own name in front, unless there is no room behind that.
    private static func draftName(
        _ destination: String, _ attempt: Int, isLong: Bool
    ) -> String {
        let ending = "\(getpid())-\(attempt).part"
        guard isLong else { return "\(destination).\(ending)" }
        let folder = destination.lastIndex(of: "/").map { destination[...$0] } ?? ""
        return "\(folder)halo-\(ending)"
    }

    /// Makes a file whose every byte counts at once. One that is there is an error, unless it may
    /// be replaced: it is as it was until ``empty(_:_:)``.
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

    /// Takes everything out of a file.
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

    /// Waits until everything is where no failing power can take it.
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
}

extension SystemFile {
    private static func check(
        _ path: String, _ operation: FileError.Operation
    ) throws(FileError) {
        guard !path.isEmpty else { throw FileError(operation, path, reason: "there is no name") }
        guard !path.utf8.contains(0) else {
            throw FileError(operation, path, reason: "a name cannot have NUL in it")
        }
    }

    /// Where a link leads, and what is there; a path of anything else is what it is.
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

    /// Why it is not a file; nothing if it is one.
    private static func refusal(_ status: stat) -> String? {
        switch status.st_mode & S_IFMT {
        case S_IFREG: nil
        case S_IFDIR: "it is a folder"
        case S_IFIFO: "it is a pipe; give a file"
        default: "it is not a file"
        }
    }

    /// Does something again as long as a signal has interrupted it.
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
