import Foundation
import Testing

/// A script of Python, which writes into a database as another program would.
enum PythonScript {
    private static let python = "/usr/bin/python3"
    static let isAvailable = FileManager.default.isExecutableFile(atPath: python)

    /// Runs a script, which has to succeed.
    static func run(_ script: String, _ arguments: String...) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: python)
        process.arguments = ["-c", script] + arguments
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
    }
}
