#if os(Linux)
import Foundation

/// A child process, which ends with its last reference.
final class Program {
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()

    init(_ words: [String], environment: [String: String] = [:]) throws {
        process.executableURL = URL(filePath: words[0])
        process.arguments = Array(words.dropFirst())
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardInput = input
        process.standardOutput = output
        try process.run()
    }

    deinit { end() }

    /// Closes the program's input, and so ends it; returns `true` if it succeeded.
    @discardableResult
    func end() -> Bool {
        guard process.isRunning else { return process.terminationStatus == 0 }
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
        return process.terminationStatus == 0
    }

    func readLine() throws -> String {
        var bytes: [UInt8] = []
        while let byte = try output.fileHandleForReading.read(upToCount: 1)?.first, byte != 10 {
            bytes.append(byte)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Runs a program that has to succeed; returns its output.
    static func output(
        _ words: [String], environment: [String: String] = [:]
    ) throws -> String {
        let program = try Program(words, environment: environment)
        let data = try program.output.fileHandleForReading.readToEnd() ?? Data()
        program.process.waitUntilExit()
        let text = String(decoding: data, as: UTF8.self)
        guard program.process.terminationStatus == 0 else {
            throw BenchmarkFault("\(words.joined(separator: " ")): \(text)")
        }
        return text
    }

    static func numbers(
        _ words: [String], environment: [String: String] = [:]
    ) throws -> [Double] {
        try output(words, environment: environment).split { $0 == " " || $0 == "\n" }
            .compactMap { Double($0) }
    }

    /// The path of a program, or `nil` if it is not installed.
    static func find(_ name: String) -> String? {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        return folders.map { "\($0)/\(name)" }.first {
            FileManager.default.isExecutableFile(atPath: $0)
        }
    }
}
#endif
