import Foundation
import TestSupport
import Testing

@testable import halo

/// The built program, run as by a person or a script.
struct CommandLineProgram {
    struct Outcome {
        let status: Int32
        let output: String
        let errorOutput: String

        var lines: [String] {
            output.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
                .map(String.init)
        }

        /// The lines as JSON objects.
        var objects: [[String: Any]] {
            get throws {
                try lines.map { line in
                    let object = try JSONSerialization.jsonObject(with: Data(line.utf8))
                    return try #require(object as? [String: Any])
                }
            }
        }

        /// The only line as a JSON object.
        var object: [String: Any] {
            get throws {
                #expect(lines.count == 1)
                return try #require(try objects.first)
            }
        }
    }

    /// The optimised program, if `HALO_PROGRAM` has its path: tests then run it.
    static let optimisedProgram = ProcessInfo.processInfo.environment["HALO_PROGRAM"]
        .map { URL(fileURLWithPath: $0) }

    /// The program; otherwise that in the folder of the test bundle.
    static let program =
        optimisedProgram
        ?? URL(fileURLWithPath: CommandLine.arguments[0])
        .deletingLastPathComponent().appendingPathComponent("halo")

    /// The variables of a program: those of a test, and those that plant a fault in `halo`.
    static func environment(_ variables: [String: String]) -> [String: String] {
        ProcessInfo.processInfo.environment.filter { $0.key.hasPrefix("HALO_MUTANT") }
            .merging(variables) { $1 }
    }

    /// The seconds after which a program is killed: a test has no other limit on its wait.
    private static let timeout = 300.0

    /// Gives children the default actions of signals that this process ignores, under `nohup` for
    /// example.
    ///
    /// A child inherits that a signal is ignored. It does not inherit a handler: the signal then
    /// has its default action there. So a handler that does nothing takes the place of `SIG_IGN`.
    private static func defaultSignals() {
        for number in [SIGINT, SIGHUP, SIGTERM, SIGPIPE, SIGQUIT]
        where ProgramEnding.isIgnored(number) {
            _ = signal(number) { _ in }
        }
    }

    /// Starts a program, and kills it after the timeout.
    static func start(_ process: Process) throws {
        defaultSignals()
        try process.run()
        DispatchQueue.global().asyncAfter(deadline: .now() + timeout) { [weak process] in
            guard let process, process.isRunning else { return }
            kill(process.processIdentifier, SIGKILL)
        }
    }

    /// Runs the program to its end. A folder as standard input can be opened, but not read.
    static func run(
        _ arguments: [String], input: Data? = nil, readsFolder: Bool = false,
        environment: [String: String] = [:]
    ) throws -> Outcome {
        let folder = TestFolder()
        return try run(
            program, arguments, input: input, readsFolder: readsFolder, environment: environment,
            in: folder)
    }

    /// Runs the code of the program in this process, without a start: for what is refused, or
    /// printed without a device. It has the environment and the input of the tests.
    ///
    /// Its task is cancelled from the beginning: a verb that is not refused ends before it runs.
    static func call(_ arguments: [String]) async throws -> Outcome {
        let folder = TestFolder()
        let descriptors = try ["output", "error"].map {
            open(try folder.write([], to: $0), O_WRONLY | O_CLOEXEC)
        }
        defer { for descriptor in descriptors { close(descriptor) } }
        let (output, errorOutput) = (descriptors[0], descriptors[1])
        let work = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            var console = Console(output: output, errorOutput: errorOutput)
            let status = await Halo.run(
                arguments.map { Argument(bytes: Array($0.utf8)) }, &console)
            console.flush()
            return status
        }
        return Outcome(
            status: await work.value.code, output: try folder.text("output"),
            errorOutput: try folder.text("error"))
    }

    /// Runs a script of bash, in a folder of its own. `$0` is the program.
    static func runShell(_ script: String, _ arguments: [String] = []) throws -> Outcome {
        try runShell(script, arguments, thenReading: nil).outcome
    }

    /// Runs a script of bash, in a folder of its own, and reads a file that it leaves there. A file
    /// that is missing is empty.
    static func runShell(
        _ script: String, _ arguments: [String] = [], thenReading name: String?
    ) throws -> (outcome: Outcome, file: [UInt8]) {
        let (folder, place) = (TestFolder(), TestFolder())
        let outcome = try run(
            URL(fileURLWithPath: "/bin/bash"),
            ["-c", "cd \"${!#}\" && \(script)", program.path] + arguments + [place.path],
            environment: ["PATH": "/usr/bin:/bin"], in: folder)
        return (outcome, name.flatMap { try? place.bytes($0) } ?? [])
    }

    /// Runs a program to its end. Its output goes to files of a folder.
    private static func run(
        _ program: URL, _ arguments: [String], input: Data? = nil, readsFolder: Bool = false,
        environment: [String: String], in folder: TestFolder
    ) throws -> Outcome {
        let process = Process()
        process.executableURL = program
        process.arguments = arguments
        process.environment = Self.environment(["TERM": "xterm"].merging(environment) { $1 })
        process.standardInput =
            readsFolder
            ? FileHandle(fileDescriptor: open(folder.path, O_RDONLY), closeOnDealloc: true)
            : FileHandle(forReadingAtPath: try folder.write(input ?? Data(), to: "input"))
        process.standardOutput = FileHandle(forWritingAtPath: try folder.write([], to: "output"))
        process.standardError = FileHandle(forWritingAtPath: try folder.write([], to: "error"))
        try start(process)
        process.waitUntilExit()
        return Outcome(
            status: process.terminationReason == .exit ? process.terminationStatus : -1,
            output: String(decoding: try folder.bytes("output"), as: UTF8.self),
            errorOutput: String(decoding: try folder.bytes("error"), as: UTF8.self))
    }
}

extension Pipe {
    /// Reads a line of a program that still runs; what follows it stays in the pipe.
    func readLine() throws -> String {
        var bytes: [UInt8] = []
        while let byte = try fileHandleForReading.read(upToCount: 1)?.first,
            byte != UInt8(ascii: "\n")
        {
            bytes.append(byte)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// The folder `Fixtures/`.
enum FixtureFolder {
    /// The URL of a file or folder, by its path in `Fixtures/`.
    static func url(_ path: String) -> URL {
        URL(filePath: packagePath("Fixtures")).appendingPathComponent(path)
    }

    /// The files of a folder in `Fixtures/`, in order.
    static func files(in folder: String) throws -> [URL] {
        try FileManager.default.contentsOfDirectory(
            at: url(folder), includingPropertiesForKeys: nil
        ).sorted { $0.path < $1.path }
    }
}
