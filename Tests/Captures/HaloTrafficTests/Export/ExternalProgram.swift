import Foundation
import TestSupport

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

    private init(_ name: String) { file = OutsideProgram.path(name) }

    /// Runs the program on a file with the given content. The file's name precedes the other
    /// arguments.
    func run(reading content: [UInt8], _ arguments: [String]) throws -> Outcome {
        let folder = TestFolder()
        let output = try folder.write([], to: "output")
        let complaints = try folder.write([], to: "complaints")
        let process = Process()
        process.executableURL = URL(fileURLWithPath: self.file ?? "")
        process.arguments = ["-r", try folder.write(content, to: "traffic")] + arguments
        // Nobody's settings, and no colours.
        process.environment = [
            "HOME": folder.path, "TERM": "dumb", "LC_ALL": "C",
            "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "",
        ]
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle(forWritingAtPath: output)
        process.standardError = FileHandle(forWritingAtPath: complaints)
        try process.run()
        process.waitUntilExit()
        let said = try folder.text("complaints")
        // tshark says so of whoever runs it as root, as containers do.
        let lines = said.split(separator: "\n").filter { !$0.hasPrefix("Running as user \"root\"") }
        return Outcome(
            status: process.terminationReason == .exit ? process.terminationStatus : -1,
            output: Data(try folder.bytes("output")), complaints: lines.joined(separator: "\n"))
    }
}
