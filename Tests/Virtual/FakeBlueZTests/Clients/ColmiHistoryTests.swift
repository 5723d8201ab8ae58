import FakeBlueZ
import Foundation
import HaloProtocol
import HaloSimulator
import HaloTransport
import TestSupport
import Testing

/// `colmi_r02_client` reads and stores the ring's records.
@Suite(.takesTurns) struct ColmiHistoryTests {
    private typealias Bench = ColmiClientTests.Bench

    /// The past days that the ring has stored completely, by its own clock.
    private func pastDays(_ ring: VirtualRing, _ count: Int) -> [CivilDate] {
        (1...count).compactMap { ring.time.date.advanced(byDays: -$0) }
    }

    private func day(_ date: CivilDate) -> String {
        func two(_ number: some BinaryInteger) -> String {
            number < 10 ? "0\(number)" : "\(number)"
        }
        return "\(date.year)-\(two(date.month))-\(two(date.day))"
    }

    private func minute(_ minutes: Int) -> String {
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(two(minutes / 60)):\(two(minutes % 60))"
    }

    @Test(
        .enabled(if: !ColmiClientTests.versions.isEmpty, ColmiClientTests.absence),
        arguments: ColmiClientTests.versions)
    func printsTheHeartRatesOfADay(_ version: PythonClients) async throws {
        let bench = try await Bench(version, days: 3)
        _ = try await bench.ask("set-time")
        let date = try #require(pastDays(bench.ring.state, 1).first)
        let lines = try await bench.ask("get-heart-rate-log", "--target", day(date))
        let stored = try #require(bench.ring.state.history.heartRates(of: date))
        let wanted = stored.enumerated().filter { $1 != 0 }.map { "\(minute($0 * 5)), \($1)" }
        #expect(wanted.count > 10)
        #expect(Array(lines.dropFirst()) == wanted)
        let none = try await bench.ask("get-heart-rate-log", "--target", "2020-01-01")
        #expect(none.count == 1 && none[0].contains("NoData"))
    }

    /// A script for the release, which prints today's steps; it cannot read other days.
    private static let steps = """
        from colmi_r02_client import steps
        await client.send_packet(steps.GET_TODAY_STEPS_PACKET)
        await asyncio.sleep(1)
        """

    @Test(
        .enabled(if: !ColmiClientTests.versions.isEmpty, ColmiClientTests.absence),
        arguments: ColmiClientTests.versions)
    func printsTheSteps(_ version: PythonClients) async throws {
        let bench = try await Bench(version, days: 3)
        _ = try await bench.ask("set-time")
        guard version == .colmiWithDatabase else {
            let lines = try await bench.script(Self.steps)
            let today = bench.ring.state.history
            let slots = today.activity(of: today.now.date) ?? []
            // While they are read, the last one grows, or one more begins.
            #expect(slots.count - lines.count <= 1)
            for (line, slot) in zip(lines, slots.dropLast()) {
                #expect(
                    line.hasSuffix(
                        "time_index=\(slot.slot), calories=\(Int(slot.energy) * 10), "
                            + "steps=\(slot.steps), distance=\(slot.metres))"))
            }
            return
        }
        let date = try #require(pastDays(bench.ring.state, 1).first)
        let lines = try await bench.ask("get-steps", "--when", day(date), "--as-csv")
        let slots = try #require(bench.ring.state.history.activity(of: date))
        #expect(
            lines == ["year,month,day,time_index,calories,steps,distance"]
                + slots.map {
                    "\(date.year),\(date.month),\(date.day),\($0.slot),"
                        + "\(Int($0.energy) * 10),\($0.steps),\($0.metres)"
                })
    }

    /// The release has no database: it stores the received packets in a file.
    @Test(
        .enabled(if: !ColmiClientTests.versions.isEmpty, ColmiClientTests.absence),
        arguments: ColmiClientTests.versions)
    func storesWhatTheRingHolds(_ version: PythonClients) async throws {
        let folder = TestFolder()
        let bench = try await Bench(version, days: 5)
        _ = try await bench.ask("set-time")
        if version == .colmiWithDatabase {
            try await checkDatabase(bench, folder)
        } else {
            try await checkPackets(bench, folder)
        }
    }

    private func checkPackets(_ bench: Bench, _ folder: TestFolder) async throws {
        let date = try #require(pastDays(bench.ring.state, 1).first)
        _ = try await bench.run(
            [
                "--record", "--address", bench.address, "get-heart-rate-log", "--target",
                day(date),
            ], folder: folder.path)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path("captures"))
        let bytes = try folder.bytes("captures/\(try #require(names.first))")
        // Each packet has the end of a line behind it.
        let frames = try stride(from: 0, to: bytes.count, by: 17).map {
            try Frame(decoding: Array(bytes[$0..<min($0 + 16, bytes.count)]))
        }
        let samples = try #require(bench.ring.state.history.heartRates(of: date))
        let log = try SlotLog<HeartRateLog>(
            day: HeartRateLog.Day(time: CivilDateTime(date)), minutesPerSample: 5,
            samples: samples)
        #expect(frames == log.frames)
    }

    private static let dump = """
        import sqlite3, sys
        base = sqlite3.connect(sys.argv[1])
        for row in base.execute("select timestamp, reading from heart_rates order by timestamp"):
            print("heart", *row)
        for row in base.execute(
                "select timestamp, steps, calories, distance from sport_details"
                " order by timestamp"):
            print("steps", *row)
        print("rings", *base.execute("select address from rings").fetchall())
        """

    private func checkDatabase(_ bench: Bench, _ folder: TestFolder) async throws {
        let base = folder.path("ring.sqlite")
        let days = pastDays(bench.ring.state, 3)
        // Twice: what is there already is not stored again.
        for _ in 0..<2 {
            let synced = try await bench.ask(
                "sync", "--db", base, "--start", day(try #require(days.last)))
            #expect(synced.last == "Done")
        }
        let outcome = try await bench.client.run(Self.dump, [base], bus: "")
        #expect(outcome.lines.last == "rings ('\(bench.address)',)")
        let history = bench.ring.state.history
        var rows = 0
        for date in days {
            let hearts = try #require(history.heartRates(of: date)).enumerated()
                .filter { $1 != 0 }
                .map { "heart \(day(date)) \(minute($0 * 5)):00.000000 \($1)" }
            let steps = (history.activity(of: date) ?? []).map {
                "steps \(day(date)) \(minute(Int($0.slot) * 15)):00.000000 \($0.steps) "
                    + "\(Int($0.energy) * 10) \($0.metres)"
            }
            #expect(outcome.lines.filter { $0.hasPrefix("heart \(day(date))") } == hearts)
            #expect(outcome.lines.filter { $0.hasPrefix("steps \(day(date))") } == steps)
            rows += hearts.count + steps.count
        }
        #expect(rows > 100)
    }
}
