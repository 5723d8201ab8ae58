#if os(Linux)
import Foundation
import TestSupport
import Testing

@testable import halo

/// The terminal of other tests, and keys that are left in it.
@Suite(.waitsForPrograms) struct PseudoTerminalProgramTests {
    /// `true` if a process has ended, and its parent knows that.
    private static func isGone(_ process: pid_t) -> Bool {
        kill(process, 0) == -1 && errno == ESRCH
    }

    /// A wait for a program that does nothing fails at the timeout, and the program is killed.
    @Test func aWaitHasAnEnd() throws {
        var process: pid_t = 0
        do {
            let program = try PseudoTerminalProgram(["1000"], of: "/bin/sleep")
            process = program.process
            program.timeout = 0.2
            withKnownIssue {
                #expect(throws: PseudoTerminalProgram.Timeout.self) {
                    try program.waitForText("words")
                }
            }
            #expect(program.status == nil && !Self.isGone(process))
        }
        #expect(Self.isGone(process))
    }

    /// A wait fails at once when the program has ended, and says with which status.
    @Test func aWaitEndsWithTheProgram() throws {
        let program = try PseudoTerminalProgram(["-c", "echo begun; exit 3"], of: "/bin/sh")
        // Far beyond the time limit of any test.
        program.timeout = 1e6
        withKnownIssue {
            #expect(throws: PseudoTerminalProgram.Timeout.self) {
                try program.waitForScreen("words")
            }
        } matching: { issue in
            issue.comments.contains { "\($0)".contains("in vain: words; status 3") }
        }
        #expect(program.status == 3)
    }

    /// The shell would run them as a command.
    @Test func unreadKeysAreDiscarded() throws {
        let (controller, terminal, _) = try PseudoTerminalProgram.openTerminal()
        defer {
            close(controller)
            close(terminal)
        }
        let mode = try #require(TerminalMode(descriptor: terminal))
        let keys = Array("reboot\n".utf8)
        #expect(write(controller, keys, keys.count) == keys.count)
        // The kernel hands keys to the terminal a moment later.
        var entry = pollfd(fd: terminal, events: Int16(POLLIN), revents: 0)
        #expect(poll(&entry, 1, 10_000) == 1)
        var count: Int32 = 0
        #expect(ioctl(terminal, UInt(FIONREAD), &count) == 0 && count == Int32(keys.count))
        mode.restore()
        #expect(ioctl(terminal, UInt(FIONREAD), &count) == 0 && count == 0)
    }
}
#endif
