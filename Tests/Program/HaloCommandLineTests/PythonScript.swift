import TestSupport
import Testing

/// A script of Python, which writes into a database as another program would.
enum PythonScript {
    static let isAvailable = OutsideProgram.path("python3") != nil

    /// Runs a script, which has to succeed.
    static func run(_ script: String, _ arguments: String...) throws {
        let outcome = try OutsideProgram("python3", ["-c", script] + arguments).runAndWait()
        #expect(outcome.status == 0, "\(outcome)")
    }
}
