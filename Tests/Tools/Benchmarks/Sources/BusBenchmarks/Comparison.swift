#if os(Linux)
import Foundation

/// The table of this package and its peers, in turns, on one daemon. A row has the median of the
/// pairs' ratios.
struct Comparison {
    private static let rounds = 7
    private static let reads = 3000
    /// The number of values, and their rate per second; 0 is as fast as possible. On the air there
    /// are never more than a thousand.
    private static let streams: [(count: Int, rate: Int)] = [(50_000, 0), (3000, pace)]
    private static let pace = 1000

    private let ourselves = "/proc/self/exe"
    private let peers = "Tests/Tools/Benchmarks/Peers"
    private let folder = NSTemporaryDirectory() + "halo-bus-\(getpid())"

    /// Measures; returns the number of missed limits.
    func run() throws -> Int {
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let daemon = try Program([ourselves, Role.daemon.rawValue, "101"])
        let bus = try daemon.readLine()
        print("microseconds; a value has 16 bytes; medians of \(Self.rounds) rounds in turns")
        print("")
        var missed = 0
        missed += try compareReads(bus)
        for stream in Self.streams {
            missed += try compareValues(bus, stream.count, rate: stream.rate)
        }
        missed += try measureMany(bus)
        missed += try measureFlood(bus)
        guard daemon.end() else { throw BenchmarkFault("the daemon lost values") }
        print(missed == 0 ? "All limits are kept." : "\(missed) limits are missed.")
        return missed
    }

    // MARK: What is compared

    private func compareReads(_ bus: String) throws -> Int {
        let ours = { try Program.numbers(role(.read, bus, Self.reads)) }
        var missed = try withBleak(bus, "a read") { bleak in
            try compare("a read", "bleak", 0, limit: 1, ours) {
                try bleak(["read", "\(Self.reads)"])
            }
        }
        switch compileSDBus() {
        case .failure(let fault): print("a read, sd-bus: left out, for \(fault)")
        case .success(let program):
            missed += try compare("a read", "sd-bus", 0, limit: 1.2, ours) {
                let holder = try Program([ourselves, Role.hold.rawValue, bus])
                defer { holder.end() }
                let path = try holder.readLine()
                return try Program.numbers([program, bus, path, "\(Self.reads)"])
            }
        }
        return missed
    }

    /// Compares the receipt of values. The limit is for processor time; the times are the inverse
    /// of the rates. A fixed rate has no limit: most of its cost is waking up, which happens
    /// equally often for any cost of a value.
    private func compareValues(_ bus: String, _ count: Int, rate: Int) throws -> Int {
        let ours = { try Program.numbers(role(.hear, bus, count) + ["\(rate)"]) }
        let pace = rate > 0 ? "\(rate) a second" : "as fast as they go"
        let name = "a value, signals, \(pace)"
        return try withBleak(bus, name) { bleak in
            let limit = rate == Self.pace ? nil : 1.0 / 3
            return try compare(name, "bleak", 1, limit: limit, ours) {
                try bleak(["hear", "\(count)", "\(rate)"])
            }
        }
    }

    private func measureMany(_ bus: String) throws -> Int {
        let words = [ourselves, Role.many.rawValue, bus, "100", "6000"]
        let found = try Program.numbers(words)
        guard found.count == 6 else { throw BenchmarkFault("\(found)") }
        let grows = found[3] > found[2] * 1.1 + 1024
        let leaks = found[5] != found[4]
        print(
            "100 links, 600,000 values, signals: \(Int(1e6 / found[0])) a second, "
                + "\(decimal(found[1])) of the processor; memory \(Int(found[2])) to "
                + "\(Int(found[3])) KB, descriptors \(Int(found[4])) to \(Int(found[5]))"
                + (grows || leaks ? "  MISSED" : ""))
        return grows || leaks ? 1 : 0
    }

    /// Measures writes while a hundred links receive more values than any app reads.
    private func measureFlood(_ bus: String) throws -> Int {
        let found = try Program.numbers([ourselves, Role.flood.rawValue, bus, "100", "500"])
        guard found.count == 4 else { throw BenchmarkFault("\(found)") }
        let isMissed = found[0] > 50_000 || found[2] - found[1] > 100 * 4096 || found[3] > 0
        print(
            "100 links flooding, 500 writes over another: 99 of 100 within "
                + "\(decimal(found[0] / 1000)) ms, at most 50.00; memory \(Int(found[1])) to "
                + "\(Int(found[2])) KB, \(Int(found[3])) links have ended"
                + (isMissed ? "  MISSED" : ""))
        return isMissed ? 1 : 0
    }

    /// Runs both sides in turns; the figure at that index has the limit.
    func compare(
        _ name: String, _ peer: String, _ place: Int, limit: Double?,
        _ ours: () throws -> [Double], _ theirs: () throws -> [Double]
    ) throws -> Int {
        var rounds: [(ours: [Double], theirs: [Double])] = []
        for _ in 0..<Self.rounds { rounds.append((try ours(), try theirs())) }
        guard rounds.allSatisfy({ $0.ours.count == 2 && $0.theirs.count == 2 }) else {
            throw BenchmarkFault("\(name): \(rounds)")
        }
        func median(_ figure: ((ours: [Double], theirs: [Double])) -> Double) -> Double {
            rounds.map(figure).sorted()[Self.rounds / 2]
        }
        let ratio = median { $0.ours[place] / $0.theirs[place] }
        for (index, what) in ["time", "processor"].enumerated() {
            let limit = index == place ? limit : nil
            print(
                "\(name), \(what): ours \(decimal(median { $0.ours[index] })), "
                    + "\(peer) \(decimal(median { $0.theirs[index] })), "
                    + "ratio \(decimal(median { $0.ours[index] / $0.theirs[index] }))"
                    + (limit.map { ", at most \(decimal($0))" } ?? "")
                    + (limit.map { ratio > $0 } == true ? "  MISSED" : ""))
        }
        flushOutput()
        return limit.map { ratio > $0 } == true ? 1 : 0
    }

    // MARK: Peers

    private func role(_ role: Role, _ bus: String, _ count: Int) -> [String] {
        [ourselves, role.rawValue, bus, "\(count)"]
    }

    private func compileSDBus() -> Result<String, BenchmarkFault> {
        guard let compiler = Program.find("cc") ?? Program.find("clang") else {
            return .failure(BenchmarkFault("there is no C compiler"))
        }
        let program = folder + "/sd-bus"
        let words = [compiler, "-O2", "-o", program, peers + "/bus.c", "-lsystemd"]
        guard (try? Program.output(words)) != nil else {
            return .failure(BenchmarkFault("libsystemd-dev is not installed"))
        }
        return .success(program)
    }

    private func withBleak(
        _ bus: String, _ name: String, _ body: (([String]) throws -> [Double]) throws -> Int
    ) throws -> Int {
        let environment = [
            "DBUS_SYSTEM_BUS_ADDRESS": bus,
            "PYTHONPATH": ProcessInfo.processInfo.environment["HALO_BLEAK"] ?? "",
        ]
        guard let python = Program.find("python3"),
            (try? Program.output([python, "-c", "import bleak"], environment: environment)) != nil
        else {
            print("\(name), bleak: left out, for it is not installed for python3")
            return 0
        }
        return try body { words in
            try Program.numbers([python, peers + "/bus.py"] + words, environment: environment)
        }
    }

    private func decimal(_ number: Double) -> String { String(format: "%.2f", number) }
}
#endif
