#if os(Linux)
import Foundation
import Synchronization

extension OutsideProgram {
    /// What is typed, and what shows that it was done.
    typealias Step = (line: String, answer: String)

    /// What a step did not lead to in time.
    struct NoAnswer: Error, CustomStringConvertible {
        let step: Step
        let output: String
        var description: String {
            "no '\(step.answer)' after '\(step.line)': \(output)"
        }
    }

    /// Runs a program that is typed to: each line when the answer to the one before was read.
    func converse(_ steps: [Step], for seconds: Double = 60) async throws -> Outcome {
        try await withCheckedThrowingContinuation { continuation in
            Thread {
                continuation.resume(with: Result { try typed(steps, seconds) })
            }.start()
        }
    }

    private func typed(_ steps: [Step], _ seconds: Double) throws -> Outcome {
        let process = process()
        let (output, keyboard) = (Pipe(), Pipe())
        process.standardOutput = output
        process.standardError = output
        process.standardInput = keyboard
        let screen = Screen()
        try process.run()
        defer { kill(process.processIdentifier, SIGKILL) }
        Thread {
            while let data = try? output.fileHandleForReading.read(upToCount: 1), !data.isEmpty {
                screen.bytes.withLock { $0 += data }
            }
            screen.isOver.withLock { $0 = true }
        }.start()
        // Who writes to a program that has ended would be ended, too.
        _ = signal(SIGPIPE, SIG_IGN)
        for step in steps {
            let start = screen.bytes.withLock { $0.count }
            if step.line != "" {
                let line = Data("\(step.line)\n".utf8)
                try keyboard.fileHandleForWriting.write(contentsOf: line)
            }
            let isFirst = step.line == ""
            let hasAnswered = screen.wait(for: seconds) {
                step.answer == "" || $0.text(from: isFirst ? 0 : start).contains(step.answer)
            }
            guard hasAnswered else { throw NoAnswer(step: step, output: screen.text(from: 0)) }
        }
        try keyboard.fileHandleForWriting.close()
        _ = screen.wait(for: seconds) { $0.isOver.withLock { $0 } }
        let isLate = process.isRunning && !screen.isOver.withLock { $0 }
        if !isLate { process.waitUntilExit() }
        return Outcome(
            output: screen.text(from: 0), status: isLate ? -1 : process.terminationStatus)
    }

    /// What a program has written so far.
    private final class Screen: Sendable {
        let bytes = Mutex<[UInt8]>([])
        let isOver = Mutex(false)

        func text(from start: Int) -> String {
            bytes.withLock { String(decoding: $0[start...], as: UTF8.self) }
        }

        /// Waits until something is so; false when time was up before.
        func wait(for seconds: Double, _ isSo: (Screen) -> Bool) -> Bool {
            let end = Date(timeIntervalSinceNow: seconds)
            while !isSo(self) {
                guard Date.now < end else { return false }
                usleep(5000)
            }
            return true
        }
    }
}
#endif
