import Foundation

/// The built program, run as a person or a script would run it.
struct CommandLineProgram {
    struct Outcome {
        let status: Int32
        let output: String
        let complaints: String

        var lines: [String] {
            output.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
                .map(String.init)
        }
    }

    /// It lies beside the test bundle.
    static let program = URL(fileURLWithPath: CommandLine.arguments[0])
        .deletingLastPathComponent().appendingPathComponent("halo")

    /// How many seconds a program may take: nothing else ends a test that waits for one.
    private static let patience = 300.0

    /// Begins a program, and ends it by force when it takes too long.
    static func begin(_ process: Process) throws {
        try process.run()
        DispatchQueue.global().asyncAfter(deadline: .now() + patience) { [weak process] in
            guard let process, process.isRunning else { return }
            kill(process.processIdentifier, SIGKILL)
        }
    }

    /// With a folder for its input, which can be opened and not read, where it shall fail to read.
    static func run(
        _ arguments: [String], input: Data? = nil, readsFolder: Bool = false,
        environment: [String: String] = [:]
    ) throws -> Outcome {
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
        process.executableURL = program
        process.arguments = arguments
        process.environment = ["TERM": "xterm"].merging(environment) { $1 }
        process.standardInput =
            readsFolder
            ? FileHandle(fileDescriptor: open(folder.path, O_RDONLY), closeOnDealloc: true)
            : try FileHandle(forReadingFrom: file("input", input ?? Data()))
        process.standardOutput = try FileHandle(forWritingTo: output)
        process.standardError = try FileHandle(forWritingTo: complaints)
        try begin(process)
        process.waitUntilExit()
        return Outcome(
            status: process.terminationReason == .exit ? process.terminationStatus : -1,
            output: String(decoding: try Data(contentsOf: output), as: UTF8.self),
            complaints: String(decoding: try Data(contentsOf: complaints), as: UTF8.self))
    }
}
