import Foundation
import Synchronization

/// Child processes, and their output.
enum Program {
    /// The exit status of a program, and all its output.
    struct End {
        let status: Int32
        let output: String
    }

    /// The ids of the running programs; 0 is a free slot. A signal handler may read nothing safer.
    nonisolated(unsafe) private static let running = {
        let places = UnsafeMutableBufferPointer<Int32>.allocate(capacity: 64)
        places.initialize(repeating: 0)
        return places
    }()
    private static let lock = Mutex(())

    /// Ends the running programs when this one is ended by a signal.
    static func endTogether() {
        _ = running.count
        for number in [SIGINT, SIGTERM, SIGHUP] {
            signal(number) { number in
                for program in Program.running where program != 0 { kill(program, SIGTERM) }
                _exit(128 + number)
            }
        }
    }

    /// Kills the programs with a variable in their environment: a test that is ended early leaves
    /// its own behind.
    static func killAll(with variable: String) {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        for process in names.compactMap({ Int32($0) }) {
            guard let text = FileManager.default.contents(atPath: "/proc/\(process)/environ")
            else { continue }
            let variables = text.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
            if variables.contains(variable) { kill(process, SIGKILL) }
        }
    }

    private static func replace(_ old: Int32, by new: Int32) {
        if let place = running.firstIndex(of: old) { running[place] = new }
    }

    /// Runs a program to its end, and calls `afterwards` then: a program that it has left behind
    /// holds its output open.
    static func run(
        _ arguments: [String], in folder: String, environment: [String: String] = [:],
        until isEnough: (Substring) -> Bool = { _ in false },
        afterwards: @escaping @Sendable () -> Void = {}
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
        process.terminationHandler = { _ in afterwards() }
        try lock.withLock { _ in
            try process.run()
            replace(0, by: process.processIdentifier)
        }
        let identifier = process.processIdentifier
        defer { lock.withLock { _ in replace(identifier, by: 0) } }
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

/// Calls a function for each index, on as many threads as there are workers. The first error ends
/// it.
func forEach(
    _ count: Int, workers: Int, _ body: @escaping @Sendable (Int) throws -> Void
) throws {
    let next = Atomic(0)
    let failure = Mutex<(any Error)?>(nil)
    DispatchQueue.concurrentPerform(iterations: max(1, min(workers, count))) { _ in
        while case let index = next.wrappingAdd(1, ordering: .relaxed).oldValue, index < count {
            do {
                try body(index)
            } catch {
                failure.withLock { $0 = $0 ?? error }
                next.store(count, ordering: .relaxed)
            }
        }
    }
    if let error = failure.withLock({ $0 }) { throw error }
}

/// Prints a line at once, also into a file.
func say(_ line: String) {
    FileHandle.standardOutput.write(Data((line + "\n").utf8))
}
