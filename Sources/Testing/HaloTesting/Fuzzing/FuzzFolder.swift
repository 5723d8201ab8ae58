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

/// A folder of inputs, each in a file of its own.
struct FuzzFolder {
    let path: String

    init(_ path: String) { self.path = path }

    /// Creates the folder, unless it exists.
    func create() throws(FileError) {
        guard mkdir(path, 0o777) != 0, errno != EEXIST else { return }
        throw FileError(.create, path, reason: String(cString: strerror(errno)))
    }

    /// Returns the paths of all files, sorted. Files with a dot in front are left out.
    func files() throws(FileError) -> [String] {
        guard let folder = opendir(path) else {
            throw FileError(.open, path, reason: String(cString: strerror(errno)))
        }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            // An entry is only as long as its name: it must not be copied as a whole.
            guard let start = MemoryLayout<dirent>.offset(of: \.d_name) else { continue }
            let place = UnsafeRawPointer(entry).advanced(by: start)
            let name = String(cString: place.assumingMemoryBound(to: UInt8.self))
            if !name.hasPrefix(".") { names.append("\(path)/\(name)") }
        }
        return names.sorted()
    }

    /// Writes an input to a file that is named after its content.
    func write(_ input: [UInt8]) throws(FileError) {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in input { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        let digits = (0..<8).map { UInt8(truncatingIfNeeded: hash >> (8 * $0)) }
        try Self.write(input, to: "\(path)/\(HexText.bytes(digits))")
    }

    /// Writes a file, without waiting for the disk: a corpus has thousands.
    static func write(_ bytes: [UInt8], to path: String) throws(FileError) {
        guard let file = fopen(path, "w") else {
            throw FileError(.create, path, reason: String(cString: strerror(errno)))
        }
        let count = fwrite(bytes, 1, bytes.count, file)
        guard fclose(file) == 0, count == bytes.count else {
            throw FileError(.write, path, at: count, reason: String(cString: strerror(errno)))
        }
    }

    static func contents(of path: String) throws(FileError) -> [UInt8] {
        var bytes: [UInt8] = []
        do throws(FileReadingError<Never>) {
            try FileInput.readPieces(of: path) { piece throws(Never) in
                bytes += piece.withUnsafeBufferPointer { Array($0) }
            }
        } catch {
            switch error {
            case .file(let error): throw error
            }
        }
        return bytes
    }
}
