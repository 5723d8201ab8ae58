import HaloDevices
import HaloHealth
import HaloProtocol
import HaloSimulator
import HaloTransport

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

extension Workload {
    /// What an app keeps of a ring: a week added to an empty file and to one of five years, a
    /// year's export, and a year's page. It runs in a process of its own, so that its memory can
    /// be measured.
    static var health: Workload {
        Workload(name: "a health file") {
            let output = "/tmp/halo-benchmark-\(getpid()).health"
            defer { unlink(output) }
            try ChildProcess.run([ChildProcess.ourselves, HealthPass.argument], output: output)
            let words = ChildProcess.firstLine(of: output).split(separator: " ")
            let numbers = words.compactMap { Double($0) }
            guard numbers.count == 7, words.count == 7 else {
                throw WorkloadFault(reason: words.joined(separator: " "))
            }
            return [
                Figure(
                    name: "a week of a ring into a new file", value: numbers[0], unit: "ms",
                    bound: .atMost(300)),
                Figure(
                    name: "into a file of five years, times that", value: numbers[1], unit: "x",
                    bound: .atMost(1.5)),
                Figure(
                    name: "a year's export", value: numbers[2], unit: "M values/s",
                    bound: .atLeast(1)),
                Figure(
                    name: "a year's page", value: numbers[3], unit: "ms", bound: .atMost(1000)),
                Figure(
                    name: "its length", value: numbers[4], unit: "MB", bound: .atMost(3)),
                Figure(name: "the file of five years", value: numbers[5], unit: "MB"),
                Figure(
                    name: "peak memory of all of these", value: numbers[6], unit: "MB",
                    bound: .atMost(40)),
            ]
        }
    }
}

/// The process that does the work, and prints its figures.
enum HealthPass {
    static let argument = "--health-pass"

    static func runIfAsked(_ arguments: [String]) async -> Bool {
        guard arguments == [argument] else { return false }
        let folder = "/tmp/halo-benchmark-\(getpid())"
        mkdir(folder, 0o700)
        defer {
            for name in ["new.db", "years.db"] { unlink("\(folder)/\(name)") }
            rmdir(folder)
        }
        do {
            print(try await figures(in: folder).map { "\($0)" }.joined(separator: " "))
        } catch {
            print("\(error)")
        }
        return true
    }

    private static func figures(in folder: String) async throws -> [Double] {
        var fresh = Double.infinity
        for _ in 0..<5 {
            unlink("\(folder)/new.db")
            fresh = min(fresh, try await sync("\(folder)/new.db"))
        }
        let years = "\(folder)/years.db"
        let ring = try await fill(years)
        var old = Double.infinity
        for _ in 0..<5 { old = min(old, try await sync(years)) }
        let store = try HealthStore(path: years)
        let today = try store.ring(ring)?.lastRead.date ?? CivilDate(daysSince1970: 0)
        let (count, seconds) = try export(store, ring, until: today)
        let stopwatch = Stopwatch()
        let first = today.advanced(byDays: -364) ?? today
        guard let year = try store.history(of: ring, since: first) else {
            throw WorkloadFault(reason: "the year is lost")
        }
        let page = HealthReport(year, ring: "R10", battery: try store.battery(of: ring)).html()
        let paging = stopwatch.milliseconds
        var status = stat()
        stat(years, &status)
        return [
            fresh, old / fresh, Double(count) / seconds / 1e6, paging,
            Double(page.utf8.count) / 1e6,
            Double(status.st_size) / 1e6, peakMegabytes(),
        ]
    }

    /// Connects to a virtual ring, reads its week, and adds it to a file.
    private static func sync(_ path: String) async throws -> Double {
        let air = VirtualBluetooth(seed: 7)
        air.add(VirtualRing(.r10, wearer: Wearer(seed: 7), days: 7))
        let stopwatch = Stopwatch()
        let store = try HealthStore(path: path)
        var options = RingOptions()
        options.earlierZone = .local
        let ring = try await Ring.connect(over: air, options: options)
        let history = try await ring.history()
        try store.add(HealthRead(ring, history, battery: try await ring.battery()))
        let elapsed = stopwatch.milliseconds
        guard history.isComplete, history[.heartRate].count > 500 else {
            throw WorkloadFault(reason: "the history is not complete")
        }
        await ring.disconnect()
        return elapsed
    }

    /// Fills a file with the same week again and again, for five years.
    private static func fill(_ path: String) async throws -> PeripheralIdentity {
        let air = VirtualBluetooth(seed: 7)
        air.add(VirtualRing(.r10, wearer: Wearer(seed: 7), days: 7))
        var options = RingOptions()
        options.earlierZone = .local
        let ring = try await Ring.connect(over: air, options: options)
        let week = try await ring.history()
        let store = try HealthStore(path: path)
        for age in (0..<260).reversed() {
            try store.add(HealthRead(ring.identity, name: ring.name, week.moved(byDays: -7 * age)))
        }
        await ring.disconnect()
        return ring.identity
    }

    /// Exports a year as CSV, table by table and month by month, as `halo history` does.
    private static func export(
        _ store: HealthStore, _ ring: PeripheralIdentity, until today: CivilDate
    ) throws -> (count: Int, seconds: Double) {
        let tables: [(HistoryTable, HistoryKind)] = [
            (.heartRate, .heartRate), (.stress, .stress), (.activity, .activity),
            (.heartRateVariability, .heartRateVariability), (.bloodOxygen, .bloodOxygen),
            (.temperature, .temperature),
        ]
        let stopwatch = Stopwatch()
        var (count, length) = (0, 0)
        for (table, kind) in tables {
            var exporter = HistoryExporter.csv(of: table)
            for month in (0..<13).reversed() {
                guard let first = today.advanced(byDays: -28 * (month + 1) + 1),
                    let last = today.advanced(byDays: -28 * month),
                    let part = try store.history([kind], of: ring, since: first, through: last)
                else { continue }
                var bytes: [UInt8] = []
                exporter.append(part, to: &bytes)
                length += bytes.count
            }
            count += exporter.rowCount
        }
        guard length > 20 * count, count > 50_000 else {
            throw WorkloadFault(reason: "\(count) values, \(length) bytes")
        }
        return (count, stopwatch.milliseconds / 1000)
    }
}
