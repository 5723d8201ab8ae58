import Foundation

/// A program of another project, if it is installed.
struct ExternalProgram: Sendable {
    struct Outcome {
        let status: Int32
        let output: Data
        let complaints: String

        var lines: [Substring] {
            String(decoding: output, as: UTF8.self)
                .split(separator: "\n", omittingEmptySubsequences: false).dropLast()
        }
    }

    static let tshark = ExternalProgram("tshark")
    static let btmon = ExternalProgram("btmon")

    private let file: String?

    var isInstalled: Bool { file != nil }

    private init(_ name: String) {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        file = path.split(separator: ":").map { "\($0)/\(name)" }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    /// Runs the program on a file with the given content. The file's name precedes the other
    /// arguments.
    func run(reading content: [UInt8], _ arguments: [String]) throws -> Outcome {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("halo-test-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        func file(_ name: String, _ content: Data = Data()) throws -> URL {
            let file = folder.appendingPathComponent(name)
            try content.write(to: file)
            return file
        }
        let output = try file("output")
        let complaints = try file("complaints")
        let process = Process()
        process.executableURL = URL(fileURLWithPath: self.file ?? "")
        process.arguments = ["-r", try file("traffic", Data(content)).path] + arguments
        // Nobody's settings, and no colours.
        process.environment = [
            "HOME": folder.path, "TERM": "dumb", "LC_ALL": "C",
            "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "",
        ]
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = try FileHandle(forWritingTo: output)
        process.standardError = try FileHandle(forWritingTo: complaints)
        try process.run()
        process.waitUntilExit()
        let said = String(decoding: try Data(contentsOf: complaints), as: UTF8.self)
        // tshark says so of whoever runs it as root, as containers do.
        let lines = said.split(separator: "\n").filter { !$0.hasPrefix("Running as user \"root\"") }
        return Outcome(
            status: process.terminationReason == .exit ? process.terminationStatus : -1,
            output: try Data(contentsOf: output), complaints: lines.joined(separator: "\n"))
    }
}
