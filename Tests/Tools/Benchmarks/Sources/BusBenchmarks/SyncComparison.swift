#if os(Linux)
import Foundation

/// A week of a virtual ring read into a new database, by `halo sync` and by the Python client
/// `colmi_r02_client`, in turns: whole programs, from their start to their end.
struct SyncComparison {
    /// The processor time of ours, as a part of theirs.
    private static let limit = 0.1
    private static let seconds = 7 * 86_400.0
    private static let query = """
        import sqlite3, sys
        print(*sqlite3.connect(sys.argv[1]).execute(sys.argv[2]).fetchone())
        """

    private let folder = NSTemporaryDirectory() + "halo-sync-\(getpid())"
    private let halo: String
    private let python: String
    private let client: String

    /// Finds the programs: `HALO_PROGRAM` is the path of an optimised `halo`, and
    /// `HALO_COLMI_CLIENT_DATABASE` the folder of the client.
    init() throws {
        let environment = ProcessInfo.processInfo.environment
        guard let halo = environment["HALO_PROGRAM"],
            let client = environment["HALO_COLMI_CLIENT_DATABASE"],
            let python = Program.find("python3")
        else {
            throw BenchmarkFault(
                "a sync needs python3, HALO_PROGRAM and HALO_COLMI_CLIENT_DATABASE")
        }
        (self.halo, self.client, self.python) = (halo, client, python)
    }

    /// Measures; returns the number of missed limits.
    func run() throws -> Int {
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let daemon = try Program(["/proc/self/exe", Role.ring.rawValue])
        let bus = try daemon.readLine()
        let address = try daemon.readLine()
        print("a week of a ring into a new database, in milliseconds")
        let missed = try Comparison().compare(
            "a sync", "colmi_r02_client", 1, limit: Self.limit,
            { try ours(bus, address) }, { try theirs(bus, address) })
        guard daemon.end() else { throw BenchmarkFault("the daemon lost values") }
        return missed
    }

    private func ours(_ bus: String, _ address: String) throws -> [Double] {
        let file = "\(folder)/ours.db"
        return try cost(
            of: [halo, "sync", "--bus", bus, "--device", address, "--file", file], file,
            """
            select (select count(*) from sample) + (select count(*) from sleep_stage)
            """)
    }

    private func theirs(_ bus: String, _ address: String) throws -> [Double] {
        let file = "\(folder)/theirs.db"
        let start = Date.now.addingTimeInterval(-Self.seconds).ISO8601Format().prefix(10)
        return try cost(
            of: [
                python, "-c", "from colmi_r02_client.cli import cli_client as run\nrun()",
                "--address", address, "sync", "--db", file, "--start", String(start),
            ], file,
            "select (select count(*) from heart_rates) + (select count(*) from sport_details)",
            environment: ["PYTHONPATH": client, "DBUS_SYSTEM_BUS_ADDRESS": bus])
    }

    /// Runs a program that creates a database, which has to have values. Returns its duration and
    /// its processor time in milliseconds.
    private func cost(
        of words: [String], _ file: String, _ count: String, environment: [String: String] = [:]
    ) throws -> [Double] {
        let (begun, processor) = (Clock.now(), Clock.cpuOfChildren())
        _ = try Program.output(words, environment: environment)
        let used = [Clock.now() - begun, Clock.cpuOfChildren() - processor]
        let values = try Program.numbers([python, "-c", Self.query, file, count])
        try FileManager.default.removeItem(atPath: file)
        guard let number = values.first, number > 100 else {
            throw BenchmarkFault("\(words[0]) has stored \(values) values")
        }
        return used.map { $0 / 1000 }
    }
}
#endif
