import FakeBlueZ
import Foundation
import HaloProtocol
import HaloTransport
import TestSupport
import Testing

@testable import HaloSimulator

/// `colmi_r02_client`, an app for these rings in Python, as a client: each of its commands.
@Suite(.takesTurns) struct ColmiClientTests {
    static let versions = PythonClients.available.filter { $0 != .bleak }
    static let absence: Comment = "colmi_r02_client is not installed for python3"

    /// A ring with the requirements of the client, on its own bus.
    struct Bench {
        let fake: FakeBlueZ
        let ring: Hosted<VirtualRing>
        let client: PythonClients
        let bus: String
        let address: String

        init(_ client: PythonClients, days: Int = 0) async throws {
            self.client = client
            fake = try await FakeBlueZ(timing: .patient)
            ring = fake.add(
                VirtualRing(
                    .r02, wearer: Wearer(seed: 5), days: days,
                    options: VirtualRingOptions(seed: 5, batteryPercent: 83)))
            bus = try fake.listen()
            address = try #require(ring.identity).rawValue
        }

        /// Runs one of the client's two programs.
        func run(
            _ arguments: [String], program: String = "cli_client", folder: String? = nil
        ) async throws -> [String] {
            let outcome = try await client.run(
                "from colmi_r02_client.cli import \(program) as run\nrun()",
                arguments, bus: bus, folder: folder)
            #expect(outcome.status == 0, "\(arguments): \(outcome)")
            #expect(!outcome.output.contains("Traceback"), "\(arguments): \(outcome)")
            return Self.replies(outcome)
        }

        /// What the client prints, without its warnings of frames that the ring sends by itself,
        /// such as steps while its wearer walks.
        private static func replies(_ outcome: OutsideProgram.Outcome) -> [String] {
            outcome.lines.filter { !$0.contains("Did not expect this packet") }
        }

        /// Runs one command.
        func ask(_ words: String...) async throws -> [String] {
            try await run(["--address", address] + words)
        }

        /// Runs a script that has a `client`, connected to the ring.
        func script(_ body: String) async throws -> [String] {
            let lines = body.split(separator: "\n").map { "        \($0)\n" }.joined()
            let outcome = try await client.run(
                """
                import asyncio, sys
                from colmi_r02_client.client import Client
                async def main():
                    async with Client(sys.argv[1]) as client:
                \(lines)
                asyncio.run(main())
                """, [address], bus: bus)
            #expect(outcome.status == 0, "\(outcome)")
            return Self.replies(outcome)
        }
    }

    @Test(
        .enabled(if: !versions.isEmpty, absence), arguments: versions)
    func readsWhatTheRingIs(_ version: PythonClients) async throws {
        let bench = try await Bench(version)
        let ring = bench.ring.state
        let lines = try await bench.ask("info")
        #expect(
            lines == [
                "device info {'hw_version': '\(ring.profile.hardware)', "
                    + "'fw_version': '\(ring.profile.firmware)'}",
                "battery: BatteryInfo(battery_level=83, charging=False)",
            ])
    }

    @Test(
        .enabled(if: !versions.isEmpty, absence), arguments: versions)
    func findsTheRingByItsName(_ version: PythonClients) async throws {
        let bench = try await Bench(version)
        let found = try await bench.run(["scan"], program: "util")
        let name = bench.ring.state.name
        #expect(found.last?.hasSuffix("\(name)  |  \(bench.address)") == true, "\(found)")
        let info = try await bench.run(["--name", name, "info"])
        #expect(info.last == "battery: BatteryInfo(battery_level=83, charging=False)")
    }

    @Test(
        .enabled(if: !versions.isEmpty, absence), arguments: versions)
    func setsTheClock(_ version: PythonClients) async throws {
        let bench = try await Bench(version)
        _ = try await bench.ask("set-time", "--when", "2031-02-03 04:05:06")
        let time = bench.ring.state.time
        #expect(time.date == (try CivilDate(year: 2031, month: 2, day: 3)))
        #expect(time.time.hour == 4 && time.time.minute == 5)
        // Its own time is that of UTC.
        _ = try await bench.ask("set-time")
        let now = Int(Date.now.timeIntervalSince1970)
        #expect(abs(Int(bench.ring.state.time.secondsSince1970) - now) < 60)
    }

    @Test(
        .enabled(if: !versions.isEmpty, absence), arguments: versions)
    func changesHowOftenTheHeartRateIsMeasured(_ version: PythonClients) async throws {
        let bench = try await Bench(version)
        #expect(
            try await bench.ask("get-heart-rate-log-settings").last
                == "HeartRateLogSettings(enabled=True, interval=60)")
        let written = try await bench.ask(
            "set-heart-rate-log-settings", "--disable", "--interval", "15")
        #expect(written.contains("HeartRateLogSettings(enabled=False, interval=15)"))
        #expect(written.last == "Done")
        #expect(!bench.ring.state.settings.heartRateIsOn)
        #expect(bench.ring.state.settings.heartRateMinutes == 15)
    }

    /// The release has no commands for a restart and for raw requests.
    @Test(
        .enabled(if: !versions.isEmpty, absence), arguments: versions)
    func blinksAndStartsAgain(_ version: PythonClients) async throws {
        let bench = try await Bench(version)
        _ = try await bench.script("await client.blink_twice()")
        #expect(bench.ring.state.losses == RingLosses())
        guard version == .colmiWithDatabase else { return }
        let raw = try await bench.ask("raw", "--command", "3", "--replies", "1")
        #expect(raw.last == "[BatteryInfo(battery_level=83, charging=False)]")
        #expect(try await bench.ask("reboot") == ["Ring rebooted"])
        // What it calls so switches a ring off, as other sources have it, until it is charged.
        #expect(bench.ring.state.isPoweredOff)
        bench.ring.modify { $0.dock() }
        let again = try await bench.ask("info")
        #expect(again.last?.hasSuffix("charging=True)") == true)
    }

    /// A measurement takes half a minute, as on a real ring.
    @Test(
        .enabled(if: !versions.isEmpty, absence), arguments: versions, ["heart-rate", "spo2"])
    func measuresNow(_ version: PythonClients, _ quantity: String) async throws {
        let bench = try await Bench(version)
        let lines: [String]
        switch version {
        case .colmiWithDatabase: lines = try await bench.ask("get-real-time", quantity)
        case .colmi where quantity == "heart-rate":
            lines = try await bench.ask("get-real-time-heart-rate")
        case .colmi, .bleak:
            lines = try await bench.script("print(await client.get_realtime_spo2())")
        }
        let values = (lines.last ?? "").trimmingCharacters(in: CharacterSet(charactersIn: "[]"))
            .split(separator: ",").compactMap { Int($0.trimmingCharacters(in: .whitespaces)) }
        #expect(values.count == 6, "\(lines)")
        let likely = quantity == "spo2" ? 88...100 : 35...200
        #expect(values.allSatisfy { likely.contains($0) }, "\(values)")
    }
}
