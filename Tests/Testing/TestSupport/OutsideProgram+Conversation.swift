#if os(Linux) || os(macOS)
internal import Foundation

extension OutsideProgram {
    /// A typed line, and the text in the output that shows its completion.
    package typealias Step = (line: String, answer: String)

    /// The error of a step whose answer was not printed in time.
    package struct NoAnswer: Error, CustomStringConvertible {
        let step: Step
        let output: String
        package var description: String {
            "no '\(step.answer)' after '\(step.line)': \(output)"
        }
    }

    /// Runs a program with typed input: each line follows the answer to the one before.
    package func converse(_ steps: [Step], for seconds: Double = 60) async throws -> Outcome {
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
                screen.append(data)
            }
            screen.end()
        }.start()
        // A write to a program that has ended would end this one with SIGPIPE. A handler, because
        // programs that other tests start would inherit that the signal is ignored.
        _ = signal(SIGPIPE) { _ in }
        for step in steps {
            let start = screen.count
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
        let hasEnded = screen.wait(for: seconds) { $0.hasEnded }
        let isLate = process.isRunning && !hasEnded
        if !isLate { process.waitUntilExit() }
        return Outcome(
            output: screen.text(from: 0), status: isLate ? -1 : process.terminationStatus)
    }

    /// The output of a program so far: each piece of it wakes the threads that wait for a text.
    private final class Screen: @unchecked Sendable {
        private let condition = NSCondition()
        private var bytes: [UInt8] = []
        private var hasEnded = false

        var count: Int { condition.withLock { bytes.count } }

        func append(_ data: Data) {
            condition.withLock { bytes += data }
            condition.broadcast()
        }

        func end() {
            condition.withLock { hasEnded = true }
            condition.broadcast()
        }

        func text(from start: Int) -> String {
            condition.withLock { String(decoding: bytes[start...], as: UTF8.self) }
        }

        /// Waits until the output meets a condition; `false` after the timeout.
        func wait(for seconds: Double, _ isMet: (Output) -> Bool) -> Bool {
            let end = Date(timeIntervalSinceNow: seconds)
            condition.lock()
            defer { condition.unlock() }
            while !isMet(Output(bytes: bytes, hasEnded: hasEnded)) {
                guard condition.wait(until: end) else { return false }
            }
            return true
        }
    }

    /// The output at one moment.
    private struct Output {
        let bytes: [UInt8]
        let hasEnded: Bool

        func text(from start: Int) -> String {
            String(decoding: bytes[start...], as: UTF8.self)
        }
    }
}
#endif
