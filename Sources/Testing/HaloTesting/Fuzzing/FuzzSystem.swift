internal import HaloCapture
internal import HaloProtocol

#if canImport(Darwin)
internal import Darwin
#elseif canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Android)
internal import Android
#endif

/// The folders, files and ends of fuzz targets: the only use of the C library in this module.
enum FuzzSystem {
    // MARK: Files

    /// Creates a folder, unless it exists.
    static func createFolder(_ path: String) throws(FileError) {
        guard mkdir(path, 0o777) != 0, errno != EEXIST else { return }
        throw FileError(.create, path, reason: lastReason())
    }

    /// Returns the paths of all files of a folder, sorted. Files with a dot in front are left out.
    static func files(in path: String) throws(FileError) -> [String] {
        guard let folder = opendir(path) else {
            throw FileError(.open, path, reason: lastReason())
        }
        defer { closedir(folder) }
        var paths: [String] = []
        while let entry = readdir(folder) {
            // An entry is only as long as its name: it must not be copied as a whole.
            guard let start = MemoryLayout<dirent>.offset(of: \.d_name) else { continue }
            let place = UnsafeRawPointer(entry).advanced(by: start)
            let name = String(cString: place.assumingMemoryBound(to: UInt8.self))
            if !name.hasPrefix(".") { paths.append("\(path)/\(name)") }
        }
        return paths.sorted()
    }

    static func contents(of path: String) throws(FileError) -> ContiguousArray<UInt8> {
        let file = try FileInput(path)
        return try file.read(0..<file.length)
    }

    /// Writes an input to a file of a folder that is named after its content.
    static func save(_ input: [UInt8], into folder: String) throws(FileError) {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in input { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        let digits = (0..<8).map { UInt8(truncatingIfNeeded: hash >> (8 * $0)) }
        try save(input, to: "\(folder)/\(HexText.bytes(digits))")
    }

    /// Writes a file, without waiting for the disk: a corpus has thousands.
    static func save(_ bytes: [UInt8], to path: String) throws(FileError) {
        guard let file = fopen(path, "w") else {
            throw FileError(.create, path, reason: lastReason())
        }
        let count = fwrite(bytes, 1, bytes.count, file)
        guard fclose(file) == 0, count == bytes.count else {
            throw FileError(.write, path, at: count, reason: lastReason())
        }
    }

    private static func lastReason() -> String { String(cString: strerror(errno)) }

    // MARK: The process

    static func report(_ text: String) { print(text, to: STDERR_FILENO) }

    /// Reports a broken promise, and aborts the process.
    static func fail(_ text: String) -> Never {
        report(text)
        abort()
    }

    /// Prints a line, if any, to standard error unless the status is 0, and ends the process.
    static func end(_ status: CInt, _ text: String? = nil) -> Never {
        if let text { print(text, to: status == 0 ? STDOUT_FILENO : STDERR_FILENO) }
        exit(status)
    }

    private static func print(_ text: String, to descriptor: CInt) {
        let bytes = Array("\(text)\n".utf8)
        _ = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
    }
}
