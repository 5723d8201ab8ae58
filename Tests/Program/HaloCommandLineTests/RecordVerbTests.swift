import Foundation
import HaloCapture
import HaloDevices
import HaloProtocol
import HaloSimulator
import HaloTesting
import HaloTransport
import TestSupport
import Testing

@testable import halo

/// Recordings of virtual devices, and of devices of another `halo` on a bus.
@Suite(.waitsForPrograms) struct RecordVerbTests {
    private let folder = TestFolder()

    @Test(arguments: ["r02", "r03", "r10", "r12", "h59", "r08", "strap"])
    func recordsPacketsThatCanBeDecoded(kind: String) throws {
        let path = folder.path("a.halo")
        let outcome = try CommandLineProgram.run(
            ["record", "--virtual=\(kind),seed=5", "--for", "40s", "--out", path])
        #expect(outcome.status == 0, "\(outcome.errorOutput)")
        let capture = try Capture(contentsOf: path)
        let packets = capture.lines.compactMap(\.packet)
        #expect(outcome.output.contains(": \(packets.count) packets in "))
        #expect(packets.count > 40)
        // The battery of a ring is read before the measurement and after it.
        let batteries = packets.count {
            $0.direction == .toDevice && $0.bytes.first == Battery.opcode
        }
        #expect(batteries == (kind == "strap" ? 0 : 2))
        #expect(capture.lines.contains(.comment(CaptureText("device: virtual \(kind), seed 5"))))
        #expect(Array(capture.text.utf8) == (try folder.bytes("a.halo")))

        let decoded = try CommandLineProgram.run(["decode", "--json", path])
        #expect(decoded.status == 0)
        let objects = try decoded.objects
        #expect(objects.filter { $0["status"] as? String == "decoded" }.count == packets.count)
        let events = objects.compactMap { $0["event"] as? String }
        #expect(events.last == "disconnected 16")
        #expect(objects.last?["microseconds"] as? Int ?? 0 >= 40_000_000)
    }

    /// All services but that of the measurement are optional.
    @Test func recordsAStrapWithItsMeasurementOnly() async throws {
        var options = VirtualHeartRateSensorOptions()
        options.hasBattery = false
        options.countsEnergy = false
        options.information = DeviceInformation()
        let air = VirtualBluetooth()
        let strap = air.add(VirtualHeartRateSensor(location: nil, options: options))
        let sensor = try await HeartRateSensor.connect(over: air)
        var console = Console()
        try await ConnectedStrap(strap: sensor, name: "strap").use(
            for: .seconds(5), days: 1, &console)
        await sensor.disconnect()
        #expect(strap.state?.services.count == 1)
        #expect(strap.state?.lastBeatsPerMinute != nil)
        #expect(!strap.isConnected)
    }

    /// The ring has the time of the recording, also for its history.
    @Test func setsTheClockOfARing() throws {
        let path = folder.path("a.halo")
        let outcome = try CommandLineProgram.run(
            ["record", "--virtual=r12", "--for", "5s", "--out", path])
        #expect(outcome.status == 0, "\(outcome.errorOutput)")
        let packets = try Capture(contentsOf: path).lines.compactMap(\.packet)
        let frames = packets.filter { $0.channel == .uart && $0.direction == .toDevice }
        let first = try #require(frames.first { $0.bytes.first == SetTime.opcode }).bytes
        #expect(first.starts(with: [SetTime.opcode, 0x26, 0x01, 0x07, 0x09]))
    }

    private static func heartRateDays(_ path: String) throws -> Int {
        let packets = try Capture(contentsOf: path).lines.compactMap(\.packet)
        return packets.count { packet in
            packet.direction == .toDevice && packet.channel == .uart
                && packet.bytes.first == HeartRateLog.opcode
        }
    }

    /// The days that rings are expected to hold, or as many as are asked for.
    @Test func readsAllDaysOrThoseOfItsOption() throws {
        let path = folder.path("a.halo")
        let limits: [(options: [String], days: Int)] = [
            ([], 7), (["--days", "1"], 1), (["--days", "3"], 3), (["--days", "30"], 7),
        ]
        for (options, days) in limits {
            let outcome = try CommandLineProgram.run(
                ["record", "--virtual=r12,days=8", "--for", "5s", "-fo", path] + options)
            #expect(outcome.status == 0, "\(outcome.errorOutput)")
            #expect(try Self.heartRateDays(path) == days, "\(options)")
        }
    }

    /// The history takes longer than the time, so that no heart rate is measured.
    @Test(arguments: [("r12", "1s", true), ("r12", "2m", false), ("strap", "10s", false)])
    func saysThatTheTimeWasOver(_ model: String, _ time: String, _ isShort: Bool) throws {
        let outcome = try CommandLineProgram.run([
            "record", "--virtual=\(model)", "--for", time, "--out", folder.path("a"),
        ])
        #expect(outcome.status == 0)
        let sentence = "halo: time ran out before the ring had a heart rate; "
        #expect(outcome.errorOutput.hasPrefix(sentence) == isShort, "\(outcome.errorOutput)")
        #expect(isShort || outcome.errorOutput == "")
    }

    /// The time of `--for` begins after the history: the ring then has half a minute for its first
    /// heart rate, however long the history has taken.
    @Test func theTimeBeginsAfterTheHistory() throws {
        let path = folder.path("a.halo")
        let outcome = try CommandLineProgram.run(
            ["record", "--virtual=r12,days=7", "--for", "28s", "--out", path])
        #expect(outcome.status == 0 && outcome.errorOutput == "", "\(outcome)")
        let replies = try Capture(contentsOf: path).lines.compactMap(\.packet).filter {
            $0.direction == .fromDevice && $0.bytes.first == RealtimeMeasurement.opcode
        }
        #expect(replies.contains { $0.bytes.dropFirst(3).first != 0 })
    }

    /// A replay advertises the recorded name, and so the model is recognised.
    @Test(arguments: ["r02", "r12", "strap", "strip"])
    func aReplayIsFoundByItsName(model: String) throws {
        let path = folder.path("a.halo")
        let found = try CommandLineProgram.run(
            ["scan", "--virtual=\(model)", "--for", "3s", "--json"])
        let recorded = try CommandLineProgram.run(
            ["record", "--virtual=\(model)", "--for", "3s", "--out", path])
        #expect(recorded.status == 0, "\(recorded.errorOutput)")
        let scanned = try CommandLineProgram.run(
            ["scan", "--replay", path, "--for", "3s", "--json"])
        let device = try #require(try found.objects.first)
        let replayed = try #require(try scanned.objects.first)
        let name = try #require(device["name"] as? String)
        for member in ["name", "kind", "model"] {
            #expect(replayed[member] as? String == device[member] as? String, "\(member)")
        }
        let info = try CommandLineProgram.run(
            ["info", "--replay", path, "--device", name, "--json"])
        #expect(try info.objects.first?["name"] as? String == name, "\(info.errorOutput)")
    }

    @Test func recordsTheSameForTheSameSeed() throws {
        for name in ["a", "b"] {
            _ = try CommandLineProgram.run(
                ["record", "--virtual=r02", "--for", "5s", "--out", folder.path(name)])
        }
        #expect(try folder.bytes("a") == folder.bytes("b"))
    }

    @Test func recordsAMinuteByDefault() throws {
        let outcome = try CommandLineProgram.run([
            "record", "--virtual=strap", "--json", "--out", folder.path("a"),
        ])
        // Finding and connecting take some seconds more.
        let seconds = try #require(try outcome.object["seconds"] as? Int)
        #expect((60...69).contains(seconds), "\(outcome)")
    }

    @Test func replacesAFileOnlyWithItsOption() throws {
        let path = try folder.write("precious".utf8, to: "a")
        let arguments = ["record", "--virtual=strap", "--for", "5s", "--out", path]
        let refused = try CommandLineProgram.run(arguments + ["--json"])
        #expect(refused.status == 3)
        #expect(refused.errorOutput.contains("it exists already; --force replaces it"))
        #expect(refused.output.contains("\"type\":\"error\""))
        #expect(try folder.bytes("a") == Array("precious".utf8))
        let replaced = try CommandLineProgram.run(arguments + ["--force", "--json"])
        #expect(replaced.status == 0)
        #expect(replaced.output.contains("\"type\":\"record\""))
        #expect(try Capture(contentsOf: path).lines.count > 10)
    }

    #if os(Linux)
    /// The device is found by its kind, or by its address.
    @Test(arguments: ["strap", "C0:DE:00:00:00:01"])
    func recordsADeviceOfAnotherProgram(device: String) throws {
        let path = folder.path("strap.halo")
        let outcome = try CommandLineProgram.run([
            "simulate", "strap", "--fake-bluez", "--", CommandLineProgram.program.path,
            "record", "--device", device, "--adapter", "hci0", "--for", "2s", "--out", path,
        ])
        #expect(outcome.status == 0, "\(outcome.errorOutput)")
        let capture = try Capture(contentsOf: path)
        #expect(capture.lines.contains(.comment(CaptureText("address: C0:DE:00:00:00:01"))))
        #expect(capture.lines.compactMap(\.packet).count > 10)
        #expect(outcome.errorOutput.contains("it subscribes to 2A37 HeartRateMeasurement"))
        #expect(outcome.errorOutput.contains("it disconnects"))
    }

    /// A signal in the middle of a measurement.
    @Test func disconnectsFromARingAfterASignal() throws {
        let path = folder.path("ring.halo")
        let outcome = try CommandLineProgram.run(
            [
                "simulate", "ring", "--fake-bluez", "--", "bash", "-c",
                """
                "$0" record --device ring --out "$1" &
                until grep -q '^> uart [a-z]* 69' "$1" 2> /dev/null ||
                    ! kill -0 $!; do sleep 0.1; done
                kill $! || exit 3; wait $!
                """, CommandLineProgram.program.path, path,
            ], environment: ["PATH": "/usr/bin:/bin"])
        #expect(outcome.status == 128 + SIGTERM, "\(outcome.errorOutput)")
        #expect(outcome.output.contains("packets in "))
        #expect(
            try Capture(contentsOf: path).lines.last
                == .event(.disconnected(reason: 0x16), link: nil))
        #expect(outcome.errorOutput.contains("it disconnects"))
    }

    @Test func reportsAnUnknownAdapter() throws {
        let outcome = try CommandLineProgram.run([
            "simulate", "strap", "--fake-bluez", "--", CommandLineProgram.program.path, "record",
            "--device", "strap", "--adapter", "hci1", "--out", folder.path("a"),
        ])
        #expect(outcome.status == 3)
        #expect(outcome.errorOutput.contains("called hci1"))
        #expect(outcome.errorOutput.contains("'halo doctor' says what is missing"))
        #expect(!FileManager.default.fileExists(atPath: folder.path("a")))
    }

    @Test func reportsThatThereIsNoBus() throws {
        let outcome = try CommandLineProgram.run([
            "record", "--bus", "unix:path=\(folder.path("none"))", "--out", folder.path("a"),
        ])
        #expect(outcome.status == 3)
        #expect(outcome.errorOutput.hasPrefix("halo: "))
        #expect(outcome.errorOutput.contains("'halo doctor'"))
        #expect(!FileManager.default.fileExists(atPath: folder.path("a")))
    }

    /// The bus has a strap only.
    @Test func createsNoFileWithoutADevice() throws {
        let path = folder.path("ring.halo")
        let outcome = try CommandLineProgram.run([
            "simulate", "strap", "--fake-bluez", "--", CommandLineProgram.program.path, "record",
            "--device", "ring", "--out", path,
        ])
        #expect(outcome.status == 4)
        #expect(outcome.errorOutput.contains("halo: no ring was found in 20 s\n"))
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    /// A signal during the scan, as soon as the program handles signals.
    @Test(arguments: [false, true])
    func changesNoFileAfterASignalDuringTheScan(replaces: Bool) throws {
        let path = folder.path("ring.halo")
        if replaces { _ = try folder.write("precious".utf8, to: "ring.halo") }
        let outcome = try CommandLineProgram.run(
            [
                "simulate", "strap", "--fake-bluez", "--", "bash", "-c",
                """
                "$0" record --device ring --out "$@" &
                until grep -q '^SigCgt:.*[4-7c-f]...$' /proc/$!/status; do sleep 0.1; done
                kill $!; wait $!
                """, CommandLineProgram.program.path, path,
            ] + (replaces ? ["--force"] : []), environment: ["PATH": "/usr/bin:/bin"])
        #expect(outcome.status == 128 + SIGTERM, "\(outcome.errorOutput)")
        #expect(outcome.errorOutput.contains("halo: nothing was recorded\n"))
        #expect(FileManager.default.fileExists(atPath: path) == replaces)
        if replaces { #expect(try folder.bytes("ring.halo") == Array("precious".utf8)) }
    }

    /// The ring's first reading takes half a minute, longer than the recording.
    @Test func endsInTimeBeforeTheFirstReading() throws {
        let path = folder.path("ring.halo")
        let seconds = try ["5s", "15s"].map { time in
            let outcome = try CommandLineProgram.run([
                "record", "--virtual=r02", "--days", "2", "--for", time, "-fo", path, "--json",
            ])
            #expect(outcome.status == 0, "\(outcome.errorOutput)")
            return try #require(try outcome.object["seconds"] as? Int)
        }
        #expect((9...11).contains(seconds[1] - seconds[0]) && seconds[0] < 20, "\(seconds)")
    }
    #endif

    /// A file that another program has removed is not reported as written.
    @Test func aLostFileIsNotReportedAsWritten() throws {
        let outcome = try CommandLineProgram.runShell(
            """
            :
            "$0" record --virtual=strap --for 24h --out a.halo --json &
            until [[ -s a.halo ]]; do kill -0 $! || exit 1; done
            rm a.halo; kill $!; wait $!
            """)
        #expect(outcome.status == 128 + SIGTERM, "\(outcome)")
        let report = try #require(try outcome.objects.first { $0["type"] as? String == "record" })
        #expect(report["written"] is NSNull && report["packets"] as? Int == 0, "\(report)")
        #expect(outcome.errorOutput.contains("removed by another program"), "\(outcome)")
    }

    /// Each line is complete, except the last one.
    @Test func leavesAReadableFileWhenItIsKilled() throws {
        let path = folder.path("killed.halo")
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/bash")
        // A shell watches the file and kills the program: this process may get no processor time.
        process.arguments = [
            "-c",
            """
            "$0" record --virtual=strap --for 24h --out "$1" &
            until [[ -s $1 ]] && (($(wc -c < "$1") >= 20000)); do kill -0 $! || exit 1; done
            kill -KILL $!; wait $!
            """, CommandLineProgram.program.path, path,
        ]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try CommandLineProgram.start(process)
        process.waitUntilExit()
        #expect(process.terminationStatus == 128 + SIGKILL, "the recording had not ended before")

        var reader = CaptureReader()
        try reader.read(contentsOf: path)
        let (capture, leftOut) = try reader.finishCutOff()
        #expect(capture.lines.first == .version)
        let length = try folder.bytes("killed.halo").count
        #expect(capture.text.utf8.count + leftOut == length)
        let packets = capture.lines.compactMap(\.packet)
        #expect(packets.count > 300)
        let decoded = try CommandLineProgram.run(["decode", path])
        #expect(decoded.status == 0)
        #expect(decoded.output.contains("HeartRateMeasurement"))
    }

    /// A limit on the length of a file replaces a full disk: the lines before it are complete.
    @Test func reportsThatTheFileCannotBeWritten() throws {
        let path = folder.path("short.halo")
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/bash")
        process.arguments = [
            "-c", "trap '' XFSZ; ulimit -f 4; exec \"$0\" \"$@\"",
            CommandLineProgram.program.path, "record", "--virtual=r10", "--for", "10s",
            "--out", path,
        ]
        let errors = Pipe()
        process.standardOutput = FileHandle.nullDevice
        process.standardError = errors
        try CommandLineProgram.start(process)
        process.waitUntilExit()
        #expect(process.terminationReason == .exit)
        #expect(process.terminationStatus == 3)
        let data = errors.fileHandleForReading.readDataToEndOfFile()
        #expect(String(decoding: data, as: UTF8.self).contains("cannot be written at byte "))
        #expect((1...4_096).contains(try folder.bytes("short.halo").count))
        #expect(try Capture(contentsOf: path).lines.count > 20)
    }
}
