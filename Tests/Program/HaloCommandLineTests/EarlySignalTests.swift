#if os(Linux)
import Foundation
import TestSupport
import Testing

/// Signals to a program that handles none.
@Suite(.waitsForPrograms) struct EarlySignalTests {
    /// The runtime of Swift would report SIGQUIT as a crash, with a backtrace.
    @Test(arguments: [SIGQUIT, SIGINT, SIGTERM, SIGHUP])
    func endsBySignalAtOnce(signal: Int32) throws {
        let (process, input, output, errors) = (Process(), Pipe(), Pipe(), Pipe())
        process.executableURL = CommandLineProgram.program
        process.arguments = ["decode", "--json"]
        process.standardInput = input
        process.standardOutput = output
        process.standardError = errors
        try CommandLineProgram.start(process)
        input.fileHandleForWriting.write(Data("03530000000000000000000000000056\n".utf8))
        #expect(try output.fileHandleForReading.read(upToCount: 1) == Data("{".utf8))
        kill(process.processIdentifier, signal)
        process.waitUntilExit()
        #expect(process.terminationReason == .uncaughtSignal)
        #expect(process.terminationStatus == signal)
        #expect(errors.fileHandleForReading.readDataToEndOfFile() == Data())
    }
}
#endif
