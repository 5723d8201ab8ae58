internal import Foundation

/// A golden table of long texts: a line with name, length and digest for each.
///
/// With `HALO_GOLDEN_TEXTS=folder` the texts themselves are written to the folder: compare two
/// such folders, from before and after a change, to see the differences.
package struct GoldenTable {
    package private(set) var lines: [String] = []
    private let folder: String?

    /// A table whose texts go to a folder of that name.
    package init(_ name: String) {
        folder = ProcessInfo.processInfo.environment["HALO_GOLDEN_TEXTS"].map { "\($0)/\(name)" }
        lines.append("# name, lines and digest of texts that HALO_GOLDEN_TEXTS=folder writes")
    }

    /// The name that a line of a table begins with.
    static func name(_ line: String) -> String {
        line.split(separator: ": ").dropLast().joined(separator: ": ")
    }

    /// Adds a line for a text.
    package mutating func add(_ name: String, _ text: [String]) throws {
        var digest: UInt64 = 0xCBF2_9CE4_8422_2325
        for var line in text {
            line.withUTF8 { bytes in
                for byte in bytes { digest = (digest ^ UInt64(byte)) &* 0x100_0000_01B3 }
            }
            digest = (digest ^ 10) &* 0x100_0000_01B3
        }
        let digits = String(digest, radix: 16)
        let hex = String(repeating: "0", count: 16 - digits.count) + digits
        lines.append("\(name): \(text.count) \(hex)")
        guard let folder else { return }
        try FileManager.default.createDirectory(
            at: URL(filePath: folder), withIntermediateDirectories: true)
        let file = name.map { $0.isLetter || $0.isNumber || $0 == "." ? $0 : "-" }
        try text.map { $0 + "\n" }.joined().write(
            toFile: "\(folder)/\(String(file)).txt", atomically: true, encoding: .utf8)
    }
}
