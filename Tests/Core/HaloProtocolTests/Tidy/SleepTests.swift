import TestSupport
import Testing

/// No test sleeps on the wall clock: it waits for an event, or for virtual time.
///
/// A sleep is slow where the machine is fast, and too short where it is slow. The files below are
/// the exceptions. An entry whose file sleeps no more is an error, too.
@Suite(.computes) struct SleepTests {
    /// Files that wait for a process, a daemon or a radio outside of this program, or that test
    /// sleeping itself.
    private static let exceptions = [
        "Tests/Tools/Apple/Sources/RingModel/RingModel.swift":
            "an app's pause before it tries again",
        "Tests/Tools/Apple/Tests/HaloCoreBluetoothTests/PhoneBench.swift":
            "the only waits on the queues of a phone: for a condition, and for an age",
        "Tests/Tools/EndToEnd/Sources/EndToEnd/HostedHarness.swift":
            "the daemon of a virtual machine is another process, and gives a test no event",
        "Tests/Tools/EndToEnd/Sources/EndToEnd/LongWrites.swift":
            "the daemon of a virtual machine is another process, and gives a test no event",
        "Tests/Tools/EndToEnd/Sources/EndToEnd/RadioHarness.swift":
            "the daemon of a virtual machine is another process, and gives a test no event",
        "Tests/Testing/TestSupport/Turnstile.swift":
            "the limit of a wait, and a pause between two looks at a socket",
        "Tests/Testing/HaloTestingTests/TurnstileTests.swift":
            "a sleep of an hour is cancelled: the test ends with it",
    ]

    /// The lines that sleep, by the file of a test.
    private static let found = Dictionary(
        uniqueKeysWithValues: TidySource.all.filter { $0.path.hasPrefix("Tests/") }.map {
            ($0.path, $0.places(sleeps))
        })

    @Test func noTestSleeps() {
        let sleeps = Self.found.filter { Self.exceptions[$0.key] == nil }.flatMap(\.value)
        #expect(sleeps.sorted() == [])
    }

    @Test func everyExceptionSleeps() {
        let awake = Self.exceptions.keys.filter { Self.found[$0, default: []].isEmpty }
        #expect(awake.sorted() == [])
    }

    /// `true` if a line of code waits for the wall clock.
    ///
    /// A method called `sleep` of a clock of our own, or of a ring, is another thing.
    private static func sleeps(_ line: String) -> Bool {
        let text = line.filter { $0 != " " }
        let calls = [
            "Task.sleep(", "Thread.sleep(", "usleep(", "nanosleep(", "Glibc.sleep(",
            "ContinuousClock().sleep(", "SuspendingClock().sleep(", "poll(nil,", "select(0,nil",
            "RunLoop.main.run(until", "RunLoop.current.run(until",
        ]
        return calls.contains { text.contains($0) } || callsSleep(line)
    }

    /// `true` if a line calls the C library's `sleep`.
    private static func callsSleep(_ line: String) -> Bool {
        var rest = line[...]
        while let call = rest.firstRange(of: "sleep(") {
            let before = line[..<call.lowerBound]
            let isWhole = before.last.map { !$0.isLetter && $0 != "." && $0 != "_" } ?? true
            let words = before.split { !$0.isLetter }
            if isWhole && words.last != "func" { return true }
            rest = rest[call.upperBound...]
        }
        return false
    }
}
