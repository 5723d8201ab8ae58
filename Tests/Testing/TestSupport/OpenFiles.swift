#if os(Linux)
internal import Foundation

/// The open files of this process by descriptor; each socket has a number of its own.
package func openFiles() -> [Int: String] {
    let folder = "/proc/self/fd"
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.reduce(into: [:]) { files, name in
        guard let number = Int(name) else { return }
        files[number] = try? FileManager.default.destinationOfSymbolicLink(
            atPath: "\(folder)/\(name)")
    }
}
#endif
