#if os(Linux)
import Foundation
import HaloProtocol
import Synchronization

/// A program of other people, run with a bus in its environment.
struct OutsideProgram: Sendable {
    /// What it said on both its outputs, and how it ended: -1 if time was up.
    struct Outcome: Sendable, CustomStringConvertible {
        let output: String
        let status: Int32

        var lines: [String] { output.split(whereSeparator: \.isNewline).map(String.init) }
        var description: String { "status \(status): \(output)" }
    }

    /// Where a program lies, if it is installed.
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

    /// Runs it to its end, which it is helped to when it takes too long.
    func run(for seconds: Double = 180) async throws -> Outcome {
        try await withCheckedThrowingContinuation { continuation in
            // Waiting for a program is nothing for the threads that tasks share.
            Thread { continuation.resume(with: Result { try wait(seconds) }) }.start()
        }
    }

    /// The program, not yet begun.
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
        // Over, or late: whatever comes first.
        let isLate = Mutex<Bool?>(nil)
        Thread {
            let end = Date(timeIntervalSinceNow: seconds)
            while Date.now < end, isLate.withLock({ $0 }) == nil { usleep(20_000) }
            isLate.withLock { isLate in
                guard isLate == nil else { return }
                isLate = true
                kill(number, SIGKILL)
            }
        }.start()
        let data = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        let wasLate = isLate.withLock { isLate in
            isLate = isLate ?? false
            return isLate == true
        }
        return Outcome(
            output: String(decoding: data, as: UTF8.self),
            status: wasLate ? -1 : process.terminationStatus)
    }
}

/// The bytes that a program printed as digits.
func bytes(_ digits: some StringProtocol) -> [UInt8] {
    let numbers = digits.utf8.compactMap(HexText.value(ofDigit:))
    return stride(from: 0, to: numbers.count - 1, by: 2).map { numbers[$0] << 4 | numbers[$0 + 1] }
}
#endif
