#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

extension Workload {
    /// Imports a long recording in child processes, and reads it with tshark.
    ///
    /// `HALO_IMPORT_RECORDS` makes the recording shorter; then its times have no limits.
    static var importing: Workload {
        Workload(name: "importing") { try ImportMeasurement().figures() }
    }
}

/// The time and the memory of importing.
private struct ImportMeasurement {
    private static let usualCount = 10_000_000
    /// The most records that tshark reads.
    private static let comparedCount = 1_000_000

    private let count: Int
    private let isTimed: Bool
    private let folder: String

    private var file: String { folder + "/recording.btsnoop" }
    private var output: String { folder + "/output" }

    init() throws {
        let wish = getenv("HALO_IMPORT_RECORDS").flatMap { Int(String(cString: $0)) }
        count = wish ?? Self.usualCount
        isTimed = wish == nil
        let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        folder = "\(parent)/halo-import-\(getpid())"
        guard mkdir(folder, 0o700) == 0 else {
            throw WorkloadFault(reason: "\(folder) cannot be made")
        }
    }

    func figures() throws -> [Figure] {
        defer {
            for path in [file, output] { unlink(path) }
            rmdir(folder)
        }
        let stopwatch = Stopwatch()
        try TrafficFile.write(file, notifications: count)
        var figures = [
            Figure(
                name: "a recording of \(count) notifications, made by the exporter",
                value: Double(count) / stopwatch.milliseconds / 1000, unit: "M/s")
        ]
        let survey = try run(.survey)
        let text = try run(.text)
        let counts = try run(.counts)
        let peak = max(survey.peakMegabytes, text.peakMegabytes, counts.peakMegabytes)
        figures += [
            rate("surveyed", survey),
            rate("imported: surveyed, then written as a capture", text, least: 2.5),
            rate("decoded: surveyed, then every packet counted", counts, least: 0.5),
            Figure(name: "the most memory of these", value: peak, unit: "MB", bound: .atMost(64)),
        ]
        guard ChildProcess.exists("tshark") else {
            print("tshark is not installed: there is nothing to compare with")
            return figures
        }
        let compared = min(Self.comparedCount, survey.records)
        let reading = Stopwatch()
        try ChildProcess.run(
            [
                "tshark", "-r", file, "-c", "\(compared)", "-T", "fields",
                "-e", "frame.time_epoch", "-e", "btatt.opcode", "-e", "btatt.handle",
                "-e", "btatt.value",
            ], output: "/dev/null")
        let perRecord = reading.milliseconds / 1000 / Double(compared)
        let ours = text.seconds / Double(text.records)
        return figures + [
            Figure(
                name: "tshark on the first \(compared) records", value: 1 / perRecord / 1e6,
                unit: "M/s"),
            Figure(
                name: "importing, how many times as fast per record", value: perRecord / ours,
                unit: "x", bound: isTimed ? .atLeast(45) : nil),
        ]
    }

    private func rate(
        _ name: String, _ outcome: ImportPass.Outcome, least: Double? = nil
    ) -> Figure {
        Figure(
            name: name, value: Double(outcome.records) / outcome.seconds / 1e6, unit: "M/s",
            bound: isTimed ? least.map { .atLeast($0) } : nil)
    }

    private func run(_ pass: ImportPass) throws -> ImportPass.Outcome {
        try ChildProcess.run(
            [ChildProcess.ourselves, ImportPass.argument, pass.rawValue, file], output: output)
        let line = ChildProcess.firstLine(of: output)
        let numbers = line.split(separator: " ").compactMap { Double($0) }
        guard numbers.count == 3, numbers[0] >= Double(count) else {
            throw WorkloadFault(reason: "\(pass): \(line)")
        }
        return ImportPass.Outcome(
            records: Int(numbers[0]), seconds: numbers[1], peakMegabytes: numbers[2])
    }
}
