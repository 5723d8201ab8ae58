import Foundation
import Synchronization

/// Another program that is run, and what it says.
enum Program {
    /// How a program ended, with all that it printed.
    struct End {
        let status: Int32
        let output: String
    }

    /// Runs a program to its end.
    static func run(
        _ arguments: [String], in folder: String, environment: [String: String] = [:],
        until isEnough: (Substring) -> Bool = { _ in false }
    ) throws -> End {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = arguments
        process.currentDirectoryURL = URL(filePath: folder)
        var variables = ProcessInfo.processInfo.environment
        variables.merge(environment) { $1 }
        process.environment = variables
        let pipe = Pipe()
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        var output = Data()
        var hasEnough = false
        while case let piece = pipe.fileHandleForReading.availableData, !piece.isEmpty {
            let seen = output.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
            output.append(piece)
            if hasEnough { continue }
            let news = String(decoding: output[seen...], as: UTF8.self)
            if news.split(separator: "\n").contains(where: isEnough) {
                hasEnough = true
                process.terminate()
            }
        }
        process.waitUntilExit()
        return End(
            status: process.terminationReason == .exit ? process.terminationStatus : 128,
            output: String(decoding: output, as: UTF8.self))
    }
}

/// Calls a function for each index, on as many threads as there are workers.
func forEach(_ count: Int, workers: Int, _ body: @escaping @Sendable (Int) -> Void) {
    let next = Atomic(0)
    DispatchQueue.concurrentPerform(iterations: max(1, min(workers, count))) { _ in
        while case let index = next.wrappingAdd(1, ordering: .relaxed).oldValue, index < count {
            body(index)
        }
    }
}

/// Prints a line at once, also into a file.
func say(_ line: String) {
    FileHandle.standardOutput.write(Data((line + "\n").utf8))
}
