#if os(Linux) || os(macOS)
internal import Foundation
internal import Synchronization

/// A program of another project.
package struct OutsideProgram: Sendable {
    /// The text of both outputs, and the exit status: -1 after a timeout.
    package struct Outcome: Sendable, CustomStringConvertible {
        package let output: String
        package let status: Int32

        package var lines: [String] {
            output.split(whereSeparator: \.isNewline).map(String.init)
        }
        package var description: String {
            "status \(status), \(lines.last ?? "no output"): \(output)"
        }
    }

    /// The path of a program, or `nil` if it is not installed.
    package static func path(_ name: String) -> String? {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        return folders.map { "\($0)/\(name)" }.first {
            FileManager.default.isExecutableFile(atPath: $0)
        }
    }

    package struct Missing: Error {
        package init() {}
    }

    private let path: String
    private let arguments: [String]
    private let environment: [String: String]
    private let folder: String?

    package init(
        _ name: String, _ arguments: [String], environment: [String: String] = [:],
        folder: String? = nil
    ) throws {
        guard let path = Self.path(name) else { throw Missing() }
        self.path = path
        self.arguments = arguments
        self.environment = ["TZ": "UTC", "LANG": "C.UTF-8"].merging(environment) { $1 }
        self.folder = folder
    }

    /// Runs the program to its end, and kills it after the timeout.
    package func run(input: [UInt8] = [], for seconds: Double = 180) async throws -> Outcome {
        try await withCheckedThrowingContinuation { continuation in
            // The wait blocks: it gets a thread of its own, none of those that tasks share.
            Thread {
                continuation.resume(with: Result { try runAndWait(input: input, for: seconds) })
            }.start()
        }
    }

    /// The process, which is not started yet.
    func process() -> Process {
        let process = Process()
        process.executableURL = URL(filePath: path)
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        if let folder { process.currentDirectoryURL = URL(filePath: folder) }
        return process
    }

    /// As ``run(input:for:)``, and holds the thread.
    package func runAndWait(input: [UInt8] = [], for seconds: Double = 180) throws -> Outcome {
        let process = process()
        let output = Pipe()
        process.standardOutput = output
        process.standardError = output
        let files = TestFolder()
        process.standardInput = FileHandle(forReadingAtPath: try files.write(input, to: "input"))
        try process.run()
        let number = process.processIdentifier
        let hasEnded = DispatchSemaphore(value: 0)
        let isLate = Mutex(false)
        Thread {
            guard hasEnded.wait(timeout: .now() + seconds) == .timedOut else { return }
            isLate.withLock { $0 = true }
            kill(number, SIGKILL)
        }.start()
        let data = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        hasEnded.signal()
        let wasLate = isLate.withLock { $0 }
        return Outcome(
            output: String(decoding: data, as: UTF8.self),
            status: wasLate ? -1 : process.terminationStatus)
    }
}
#endif
