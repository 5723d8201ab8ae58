#if os(Linux)
import Foundation
import Testing
import _HaloTestPlumbing

/// The end of `halo simulate … -- COMMAND`, with a command that does not end by itself.
@Suite(.waitsForPrograms) struct ChildProcessTests {
    /// Starts a command, and waits for the process numbers that it prints.
    private static func start(_ script: String) throws -> (Process, log: Pipe, [Int32]) {
        let (process, output, log) = (Process(), Pipe(), Pipe())
        process.executableURL = CommandLineProgram.program
        process.arguments = ["simulate", "strap", "--fake-bluez", "--", "/bin/sh", "-c", script]
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = log
        try CommandLineProgram.start(process)
        let numbers = try output.readLine().split(separator: " ")
        return (process, log, numbers.compactMap { Int32($0) })
    }

    /// `false` for a process that has ended, even if its parent does not know that yet.
    private static func isRunning(_ process: Int32) -> Bool {
        guard
            let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8),
            let state = text.split(separator: ")").last?.first(where: { $0 != " " })
        else { return false }
        return state != "Z"
    }

    /// A shell and its child, which ignore signals.
    private static let stubborn =
        "trap '' INT TERM; sleep 1000 > /dev/null 2>&1 & echo $$ $!; wait"

    /// Two signals, or one and 15 seconds.
    @Test(arguments: [[SIGTERM, SIGINT], [SIGTERM]])
    func killsACommandThatIgnoresSignals(signals: [Int32]) async throws {
        let (process, log, children) = try Self.start(Self.stubborn)
        defer { for child in children { kill(child, SIGKILL) } }
        #expect(children.count == 2 && children.allSatisfy(Self.isRunning))
        let start = ContinuousClock.now
        for signal in signals { kill(process.processIdentifier, signal) }
        process.waitUntilExit()
        #expect(signals.count > 1 || ContinuousClock.now - start >= .seconds(15))
        #expect(process.terminationReason == .exit && process.terminationStatus == 128 + SIGKILL)
        try await eventually("their end") { !children.contains(where: Self.isRunning) }
        let lines = String(decoding: log.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            .split(separator: "\n")
        #expect(lines.last == "halo: the command is killed")
    }

    /// A command that ends by the signal is not killed, and has its own status.
    @Test func aCommandCanTidyUp() throws {
        let (process, log, _) = try Self.start(
            "trap 'kill -9 $!; exit 5' TERM; sleep 1000 > /dev/null 2>&1 & echo $$; wait")
        kill(process.processIdentifier, SIGTERM)
        process.waitUntilExit()
        #expect(process.terminationReason == .exit && process.terminationStatus == 5)
        let lines = String(decoding: log.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        #expect(!lines.contains("killed"))
    }

    /// The command ends with this program, although that cannot end it.
    @Test func theCommandEndsWithAKilledProgram() async throws {
        let (process, _, children) = try Self.start("echo $$; exec sleep 1000")
        defer { for child in children { kill(child, SIGKILL) } }
        #expect(children.count == 1 && children.allSatisfy(Self.isRunning))
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        try await eventually("its end") { !children.contains(where: Self.isRunning) }
    }

    /// The next program can use the same file after that.
    @Test func aFileOfAKilledProgramIsReplaced() throws {
        let folder = try ProgramFolder()
        let arguments = ["simulate", "strap", "--fake-bluez", "--bus", folder.path("bus"), "--"]
        let killed = try CommandLineProgram.run(
            arguments + ["/bin/sh", "-c", "kill -9 $PPID; exec sleep 1000"])
        #expect(killed.status == -1)
        #expect(try folder.names.contains("bus"))
        let next = try CommandLineProgram.run(arguments + ["/bin/sh", "-c", "exit 5"])
        #expect(next.status == 5, "\(next.errorOutput)")
        #expect(try !folder.names.contains("bus"))
    }
}
#endif
