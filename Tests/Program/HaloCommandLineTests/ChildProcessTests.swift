#if os(Linux)
import Foundation
import HaloDBus
import HaloTransport
import TestSupport
import Testing

@testable import halo

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
        for (count, signal) in zip(1..., signals) {
            kill(process.processIdentifier, signal)
            // Another event is some time later.
            try await eventually("time") { start.duration(to: .now) > .milliseconds(500 * count) }
        }
        process.waitUntilExit()
        #expect(signals.count > 1 || ContinuousClock.now - start >= .seconds(15))
        #expect(process.terminationReason == .exit && process.terminationStatus == 128 + SIGKILL)
        try await eventually("their end") { !children.contains(where: Self.isRunning) }
        let lines = String(decoding: log.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            .split(separator: "\n")
        #expect(lines.last == "halo: the command is killed")
    }

    /// A process of the command's group is killed, too, although its parent has ended.
    @Test func killsTheGroupOfACommand() async throws {
        let leader = "trap '' INT TERM; echo \\$\\$ \\$(sleep 1000 > /dev/null 2>&1 & echo \\$!)"
        let (process, _, children) = try Self.start(
            "exec setsid sh -c \"\(leader); while :; do sleep 0.1; done\"")
        defer { for child in children { kill(child, SIGKILL) } }
        #expect(children.count == 2 && children.allSatisfy(Self.isRunning))
        let start = ContinuousClock.now
        kill(process.processIdentifier, SIGTERM)
        // Another event is some time later.
        try await eventually("time") { start.duration(to: .now) > .milliseconds(300) }
        kill(process.processIdentifier, SIGINT)
        process.waitUntilExit()
        #expect(process.terminationStatus == 128 + SIGKILL)
        try await eventually("their end") { !children.contains(where: Self.isRunning) }
    }

    /// One event may send two signals. Each reaches the command, which is not killed for that.
    @Test func twoSignalsAtOnceAreOne() async throws {
        let (process, log, _) = try Self.start(
            "n=0; trap 'n=$((n + 1))' TERM; trap 'n=$((n + 10))' HUP; echo $$; "
                + "for i in 1 2 3 4 5 6 7 8 9 10; do sleep 0.1; done; exit $n")
        kill(process.processIdentifier, SIGTERM)
        kill(process.processIdentifier, SIGHUP)
        process.waitUntilExit()
        #expect(process.terminationReason == .exit && process.terminationStatus == 11)
        let lines = String(decoding: log.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        #expect(!lines.contains("killed"))
    }

    /// A process that another thread than the first one has started is killed with a command, too.
    @Test func knowsWhatThreadsHaveStarted() async throws {
        let started = Locked<Process?>(nil)
        #expect(
            SystemThread.start {
                let process = Process()
                process.executableURL = URL(fileURLWithPath: "/bin/sleep")
                process.arguments = ["1000"]
                try? process.run()
                started.withLock { [process] in $0 = process }
                // The system gives the child to another thread at the end of this one.
                process.waitUntilExit()
            })
        try await eventually("its start") { started.withLock { $0?.isRunning == true } }
        let child = try #require(started.withLock { $0 })
        defer { kill(child.processIdentifier, SIGKILL) }
        #expect(ChildProcess.descendants(of: getpid()).contains(child.processIdentifier))
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
        let folder = TestFolder()
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
