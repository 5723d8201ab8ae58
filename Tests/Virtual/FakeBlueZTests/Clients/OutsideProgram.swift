import Foundation
import HaloProtocol
import Synchronization

/// A program of another project, run with the address of a bus in its environment.
struct OutsideProgram: Sendable {
    /// The text of both outputs, and the exit status: -1 after a timeout.
    struct Outcome: Sendable, CustomStringConvertible {
        let output: String
        let status: Int32

        var lines: [String] { output.split(whereSeparator: \.isNewline).map(String.init) }
        var description: String { "status \(status): \(output)" }
    }

    /// The path of a program, or `nil` if it is not installed.
    static func path(_ name: String) -> String? {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        return folders.map { "\($0)/\(name)" }.first {
            FileManager.default.isExecutableFile(atPath: $0)
        }
    }

    struct Missing: Error {}

    private let path: String
    private let arguments: [String]
    private let environment: [String: String]
    private let folder: String?

    init(
        _ name: String, _ arguments: [String], environment: [String: String],
        folder: String? = nil
    ) throws {
        guard let path = Self.path(name) else { throw Missing() }
        self.path = path
        self.arguments = arguments
        self.environment = ["TZ": "UTC", "LANG": "C.UTF-8"].merging(environment) { $1 }
        self.folder = folder
    }

    /// Runs the program to its end, and kills it after the timeout.
    func run(for seconds: Double = 180) async throws -> Outcome {
        try await withCheckedThrowingContinuation { continuation in
            // The wait blocks: it gets a thread of its own, none of those that tasks share.
            Thread { continuation.resume(with: Result { try wait(seconds) }) }.start()
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

    private func wait(_ seconds: Double) throws -> Outcome {
        let process = process()
        let output = Pipe()
        process.standardOutput = output
        process.standardError = output
        process.standardInput = FileHandle.nullDevice
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

/// The bytes of hexadecimal digits that a program printed.
func bytes(_ digits: some StringProtocol) -> [UInt8] {
    let numbers = digits.utf8.compactMap(HexText.value(ofDigit:))
    return stride(from: 0, to: numbers.count - 1, by: 2).map { numbers[$0] << 4 | numbers[$0 + 1] }
}
