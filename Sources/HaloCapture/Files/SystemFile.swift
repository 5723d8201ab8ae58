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
    static func open(_ path: String) throws(FileError) -> (descriptor: Int32, length: Int) {
        guard !path.utf8.contains(0) else {
            throw FileError(.open, path, reason: "a name cannot have NUL in it")
        }
        // Without waiting: nobody may be at the other end of a pipe.
        let descriptor = systemOpen(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw FileError(.open, path, reason: lastReason()) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
            let reason = lastReason()
            close(descriptor)
            throw FileError(.open, path, reason: reason)
        }
        let reason: String? =
            switch status.st_mode & S_IFMT {
            case S_IFREG: nil
            case S_IFDIR: "it is a folder"
            case S_IFIFO: "it is a pipe; give a file"
            default: "it is not a file"
            }
        if let reason {
            close(descriptor)
            throw FileError(.open, path, reason: reason)
        }
        return (descriptor, Int(clamping: status.st_size))
    }

    static func read(
        _ descriptor: Int32, _ buffer: inout ContiguousArray<UInt8>, _ count: Int, _ path: String,
        _ offset: Int
    ) throws(FileError) -> Int {
        while true {
            let result = buffer.withUnsafeMutableBytes {
                systemRead(descriptor, $0.baseAddress, min(count, $0.count))
            }
            if result >= 0 { return result }
            guard errno == EINTR else {
                throw FileError(.read, path, at: offset, reason: lastReason())
            }
        }
    }

    static func createTemporary(
        beside path: String
    ) throws(FileError) -> (descriptor: Int32, name: String) {
        guard !path.utf8.contains(0) else {
            throw FileError(.create, path, reason: "a name cannot have NUL in it")
        }
        for attempt in 0..<100 {
            let name = "\(path).\(getpid())-\(attempt).part"
            let descriptor = systemOpen(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC)
            if descriptor >= 0 { return (descriptor, name) }
            guard errno == EEXIST else { break }
        }
        throw FileError(.create, path, reason: lastReason())
    }

    static func write(
        _ descriptor: Int32, _ bytes: Span<UInt8>, _ path: String, _ offset: Int
    ) throws(FileError) {
        var done = 0
        while done < bytes.count {
            let result = bytes.extracting(done..<bytes.count).withUnsafeBufferPointer {
                systemWrite(descriptor, $0.baseAddress, $0.count)
            }
            if result > 0 {
                done += result
            } else if errno != EINTR {
                throw FileError(.write, path, at: offset + done, reason: lastReason())
            }
        }
    }

    static func rename(
        _ descriptor: Int32, _ temporary: String, to path: String
    ) throws(FileError) {
        guard fsync(descriptor) == 0, systemRename(temporary, path) == 0 else {
            throw FileError(.create, path, reason: lastReason())
        }
    }

    static func remove(_ path: String) { _ = unlink(path) }

    static func close(_ descriptor: Int32) { _ = systemClose(descriptor) }

    private static func lastReason() -> String { String(cString: strerror(errno)) }
}

private func systemOpen(_ path: String, _ flags: Int32) -> Int32 { open(path, flags, 0o644) }

private func systemRead(_ descriptor: Int32, _ buffer: UnsafeMutableRawPointer?, _ count: Int) -> Int {
    read(descriptor, buffer, count)
}

private func systemWrite(_ descriptor: Int32, _ buffer: UnsafeRawPointer?, _ count: Int) -> Int {
    write(descriptor, buffer, count)
}

private func systemClose(_ descriptor: Int32) -> Int32 { close(descriptor) }

private func systemRename(_ from: String, _ to: String) -> Int32 { rename(from, to) }
