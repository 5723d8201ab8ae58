@testable import HaloHealth

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// An empty folder, which is removed with its last reference.
final class HealthFolder {
    let path: String

    init() throws {
        var template = Array("/tmp/halo-health-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw HealthStoreError(.notOpened, path: "/tmp") }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit {
        for name in names { unlink("\(path)/\(name)") }
        rmdir(path)
    }

    /// The path of a file, which need not exist.
    func path(_ name: String = "a.db") -> String { "\(path)/\(name)" }

    /// The names of the files.
    var names: [String] {
        guard let folder = opendir(path) else { return [] }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    /// The bytes of a file; empty if there is none.
    func bytes(_ name: String = "a.db") -> [UInt8] {
        let descriptor = open(path(name), O_RDONLY)
        guard descriptor >= 0 else { return [] }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 1 << 16)
        while case let count = read(descriptor, &piece, piece.count), count > 0 {
            bytes += piece[..<count]
        }
        return bytes
    }

    /// Makes a file of bytes.
    func write(_ bytes: [UInt8], to name: String) throws {
        let descriptor = open(path(name), O_CREAT | O_WRONLY | O_TRUNC, 0o600)
        defer { close(descriptor) }
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                #if canImport(Glibc)
                Glibc.write(descriptor, $0.baseAddress, $0.count)
                #elseif canImport(Musl)
                Musl.write(descriptor, $0.baseAddress, $0.count)
                #else
                Darwin.write(descriptor, $0.baseAddress, $0.count)
                #endif
            }
            guard count > 0 else { throw HealthStoreError(.notOpened, path: "/tmp") }
            rest = rest.dropFirst(count)
        }
    }

    /// Makes an empty file, or one of a text.
    func file(_ name: String = "a.db", _ content: String = "") throws -> [CChar] {
        try write(Array(content.utf8), to: name)
        return Array(path(name).utf8CString)
    }
}
