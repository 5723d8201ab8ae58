#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

extension Workload {
    /// Runs the command line: the optimised `halo` of this checkout, which must have been built.
    static var commandLine: Workload {
        Workload(name: "command line") { try CommandLineMeasurement().figures() }
    }
}

/// The times and the memory of `halo`.
private struct CommandLineMeasurement {
    private static let helpRuns = 41
    private static let lineCount = 1_000_000
    /// A strap that sends ten values a second, for twenty seconds.
    private static let live = ["live", "hr", "--virtual=strap,speed=10", "--for", "200s"]

    private let program: String

    /// `HALO_PROGRAM` is the program.
    init() throws {
        guard let path = getenv("HALO_PROGRAM").map({ String(cString: $0) }),
            access(path, X_OK) == 0
        else {
            throw WorkloadFault(
                reason: "HALO_PROGRAM is not the path of halo; "
                    + "swift build -c release --product halo builds it")
        }
        program = path
    }

    func figures() throws -> [Figure] {
        let live = try ChildProcess.onTerminal([program] + Self.live, columns: 80, rows: 24)
        return [
            Figure(
                name: "halo --help", value: try helpMilliseconds(), unit: "ms",
                bound: .atMost(15)),
            Figure(
                name: "halo decode, lines of hexadecimal", value: try linesPerSecond(),
                unit: "/s", bound: .atLeast(200_000)),
            Figure(
                name: "halo live with ten values a second, of a core", value: live.percentOfCore,
                unit: "%", bound: .atMost(2)),
            Figure(
                name: "its memory", value: live.peakMegabytes, unit: "MB", bound: .atMost(40)),
            Figure(
                name: "a redraw of a chart of 80 × 24", value: Self.redrawMilliseconds(),
                unit: "ms", bound: .atMost(1)),
        ]
    }

    /// The median of some runs.
    private func helpMilliseconds() throws -> Double {
        var times: [Double] = []
        for _ in 0..<Self.helpRuns {
            let stopwatch = Stopwatch()
            try ChildProcess.run([program, "--help"], output: "/dev/null")
            times.append(stopwatch.milliseconds)
        }
        return times.sorted()[times.count / 2]
    }

    /// Decodes frames with all opcodes, of which no two are equal.
    private func linesPerSecond() throws -> Double {
        let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        let path = "\(parent)/halo-lines-\(getpid())"
        defer { unlink(path) }
        guard let file = fopen(path, "w") else {
            throw WorkloadFault(reason: "\(path) cannot be made")
        }
        var random: UInt64 = 1
        for number in 0..<Self.lineCount {
            // The constants of Knuth's random generator.
            random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            var bytes = [UInt8(truncatingIfNeeded: number)]
            bytes += (0..<14).map { UInt8(truncatingIfNeeded: random >> UInt64($0 * 4)) }
            bytes.append(bytes.reduce(0, &+))
            let text = bytes.map { byte in
                String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
            }
            fputs(text.joined(separator: " ") + "\n", file)
        }
        guard fclose(file) == 0 else { throw WorkloadFault(reason: "\(path) cannot be written") }
        let stopwatch = Stopwatch()
        // Frames of unknown commands are among them: that is no failure here.
        try ChildProcess.run(
            [program, "decode"], input: path, output: "/dev/null", allowing: [0, 1])
        return Double(Self.lineCount) / stopwatch.milliseconds * 1000
    }

    /// Adds a value and draws the picture again, with a minute of values at ten a second.
    private static func redrawMilliseconds() -> Double {
        let quantity = LiveChart.Quantity(
            title: "heart rate", unit: "bpm", minimumSpan: 20, lowerBound: 0)
        var chart = LiveChart(quantity, windowSeconds: 60, longestJoin: 10)
        var screen = Screen(columns: 80, rows: 24, colours: true, glyphs: .braille)
        let runs = 2000
        var (length, time) = (0, 0.0)
        let stopwatch = Stopwatch()
        for run in 0..<runs {
            time += 0.1
            chart.append(80 + Double(run * 7919 % 41), at: time)
            chart.advance(to: time)
            let lines = chart.lines(columns: 80, rows: 24, glyphs: .braille) { value in
                value < 90 ? .cyan : .yellow
            }
            length += screen.draw(lines).count
        }
        precondition(length > runs, "nothing was drawn")
        return stopwatch.milliseconds / Double(runs)
    }
}

/// Stands in for the type of HaloProtocol's package, which the files of `halo` use: the pictures
/// that are measured have no hidden characters.
enum PrintableText {
    static func printable(_ text: String) -> String { text }
}
