import Foundation
import HaloDevices
import HaloProtocol
import HaloTransport
import TestSupport
import Testing

@testable import halo

/// The device and the place that the options, the environment and `halo use` choose.
@Suite(.waitsForPrograms) struct DeviceChoiceTests {
    private let folder = TestFolder()

    private static func name(
        _ arguments: [String], _ environment: [String: String] = [:],
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> String? {
        let outcome = try CommandLineProgram.run(
            ["info", "--json"] + arguments, environment: environment)
        #expect(outcome.status == 0, "\(outcome)", sourceLocation: sourceLocation)
        return try outcome.objects.first?["name"] as? String
    }

    // MARK: --device

    @Test(arguments: VirtualPlace.all) func choosesADevice(at place: VirtualPlace) throws {
        let choices = [
            ("ring", "R02_2FCA"), ("strap", "Virtual HR"), ("STRAP", "Virtual HR"),
            ("R02_2FCA", "R02_2FCA"), ("r02", "R02_2FCA"), ("virtual h", "Virtual HR"),
            (place.address(0), "R02_2FCA"), (place.address(1), "Virtual HR"),
            (place.address(1).lowercased(), "Virtual HR"),
        ]
        for (text, name) in choices {
            let arguments = place.options("") + ["--device", text]
            #expect(try Self.name(arguments) == name, "\(text)")
        }
        #expect(try Self.name(place.options("")) == "R02_2FCA")
        #expect(try Self.name(place.options("") + ["-dstrap"]) == "Virtual HR")
    }

    private static let kinds = DeviceKind.words(DeviceKind.all)

    /// A device that is not there, the words for it, and the time that was waited.
    @Test(arguments: [
        ("zzz", "\(kinds) with a name like 'zzz'", "2s", "2 s"),
        ("R02_2FCAX", "\(kinds) with a name like 'R02_2FCAX'", "1m", "1 min"),
        ("aa:bb:cc:dd:ee:ff", "device with the address AA:BB:CC:DD:EE:FF", "1h", "1 h"),
        ("strap", "strap", "3s", "3 s"),
    ])
    func reportsADeviceThatIsNotThere(
        _ device: String, _ words: String, _ time: String, _ timeInWords: String
    ) throws {
        let record = ["record", "--out", folder.path("a")]
        let others = device == "strap" ? [["info"], ["settings"], ["send", "03"]] : []
        for verb in others + [record] {
            let outcome = try CommandLineProgram.run(
                verb + ["--virtual=r02", "--device", device, "--wait", time, "--json"])
            #expect(outcome.status == 4, "\(outcome)")
            let error = try #require(try outcome.objects.last)
            let message = try #require(error["message"] as? String)
            #expect(message == "no \(words) was found in \(timeInWords)")
            let advice = try #require(error["advice"] as? String)
            // Nothing of a radio and a charger, as all is virtual.
            let scan = "'halo scan' lists the virtual devices"
            #expect(advice == "\(scan), with the same --virtual or --fake-bluez.")
            #expect(outcome.errorOutput.hasSuffix("halo: \(message)\n\(advice)\n"))
            guard verb == record else { continue }
            let report = try #require(try outcome.objects.first)
            #expect(report["packets"] as? Int == 0 && report["bytes"] as? Int == 0)
            #expect(report["written"] is NSNull)
        }
        #expect(try folder.names == [])
    }

    /// An address has six parts of two hexadecimal digits.
    @Test(arguments: [
        (
            "aa:bb:cc:dd:ee:0f",
            DeviceRequest.Device.address(PeripheralIdentity("AA:BB:CC:DD:EE:0F"))
        ),
        ("ab", .name("ab")), ("aa:bb:cc:dd:ee", .name("aa:bb:cc:dd:ee")),
        ("aa:bb:cc:dd:ee:f", .name("aa:bb:cc:dd:ee:f")),
        ("aa:bb:cc:dd:ee:gg", .name("aa:bb:cc:dd:ee:gg")), ("Strap", .kind(.strap)),
    ])
    func tellsAnAddressFromAName(_ text: String, _ device: DeviceRequest.Device) throws {
        #expect(try DeviceRequest.Device(text) == device)
    }

    /// A ring that advertises its service, and the devices that it may be or not.
    @Test func aDeviceIsTheOneOrAnother() {
        var ring = Discovery(
            PeripheralIdentity("30:34:35:36:2F:CA"), name: "COLMI R02_2FCA", rssi: -60)
        ring.services = [RingServices.uart]
        let known = ring.recognition.confidence
        #expect(DeviceKind.of(ring) == .ring && known > .possible)
        let (nearest, this) = (
            DeviceRequest.Device.any, DeviceRequest.Device.address(ring.identity)
        )
        let other = DeviceRequest.Device.address(PeripheralIdentity("30:34:35:36:2F:CB"))
        let cases: [(device: DeviceRequest.Device, confidence: RingRecognition.Confidence?)] = [
            (nearest, known), (.kind(.ring), known), (.kind(.strap), nil), (this, .certain),
            (other, nil), (.name("30:34:35:36:2f:ca"), .certain),
            (.name("colmi r02_2fca"), .certain), (.name("r02"), known), (.name("2FCA"), nil),
        ]
        for (device, confidence) in cases {
            #expect(device.confidence(of: ring) == confidence, "\(device)")
        }
        // Of several kinds, the first one is preferred.
        #expect(nearest.confidence(of: ring, among: [.strap, .ring]) == .possible)
        #expect(nearest.confidence(of: ring, among: [.strap]) == nil)
        #expect(this.isOnly(ring) && !other.isOnly(ring) && !nearest.isOnly(ring))
        #expect(!this.isOnly(Discovery(ring.identity, name: nil, rssi: -60)))
        ring.isConnectable = false
        #expect(nearest.confidence(of: ring) == nil && this.confidence(of: ring) == .certain)
    }

    @Test func virtualDevicesHaveLimits() throws {
        for text in ["days=0", "days=60", "speed=1", "speed=100000"] {
            _ = try VirtualChoice(text)
        }
    }

    @Test(arguments: ["", " "]) func refusesANamelessDevice(device: String) throws {
        let outcome = try CommandLineProgram.run(
            ["info", "--virtual", "--wait", "1s", "--device", device])
        #expect(outcome.status == (device == "" ? 2 : 4))
        #expect(outcome.errorOutput.hasPrefix("halo: "))
    }

    // MARK: HALO_DEVICE, and 'halo use'

    @Test func theEnvironmentChooses() throws {
        for (text, name) in [
            ("virtual", "R02_2FCA"), ("virtual=strap", "Virtual HR"),
            ("virtual=r12,seed=9,days=1", "COLMI R12_"),
        ] {
            #expect(try Self.name([], ["HALO_DEVICE": text])?.hasPrefix(name) == true)
        }
        // Options win over it.
        #expect(try Self.name(["--virtual"], ["HALO_DEVICE": "virtual=strap"]) == "R02_2FCA")
        #expect(try Self.name(["--virtual=strap"], ["HALO_DEVICE": "r02"]) == "Virtual HR")
        #expect(
            try Self.name(["--virtual", "--device", "ring"], ["HALO_DEVICE": "strap"])
                == "R02_2FCA")
        let wrong = try CommandLineProgram.run(
            ["info"], environment: ["HALO_DEVICE": "virtual=r99"])
        #expect(wrong.status == 2)
        #expect(wrong.errorOutput.hasPrefix("halo: HALO_DEVICE: --virtual takes one of r02, "))
    }

    /// Verbs without a device do not care for it.
    @Test func aWrongEnvironmentConcernsDevicesOnly() throws {
        let outcome = try CommandLineProgram.run(
            ["packets"], environment: ["HALO_DEVICE": "virtual=r99"])
        #expect(outcome.status == 0, "\(outcome)")
    }

    #if os(Linux)
    /// `HALO_DEVICE` also names a device of real Bluetooth.
    @Test func theEnvironmentChoosesOnABus() throws {
        for (text, name) in [
            ("strap", "Virtual HR"), ("C0:DE:00:00:00:02", "Virtual HR"), ("r02_", "R02_"),
        ] {
            let outcome = try CommandLineProgram.run(
                [
                    "simulate", "ring", "--fake-bluez", "--with", "strap", "--",
                    CommandLineProgram.program.path, "info", "--json",
                ], environment: ["HALO_DEVICE": text])
            #expect(outcome.status == 0, "\(outcome)")
            let device = try #require(try outcome.objects.first)
            #expect((device["name"] as? String)?.hasPrefix(name) == true, "\(text)")
        }
        let find = try CommandLineProgram.run(
            [
                "simulate", "ring", "--fake-bluez", "--with", "strap", "--",
                CommandLineProgram.program.path, "find",
            ], environment: ["HALO_DEVICE": "strap"])
        #expect(find.status == 3)
        let message = "halo: Virtual HR is a strap; that needs a ring\nHALO_DEVICE or 'halo use'"
        #expect(find.errorOutput.contains(message), "\(find)")
    }
    #endif

    @Test func remembersADevice() throws {
        let environment = ["XDG_CONFIG_HOME": folder.path("a/b")]
        func use(_ arguments: String...) throws -> CommandLineProgram.Outcome {
            let outcome = try CommandLineProgram.run(["use"] + arguments, environment: environment)
            #expect(outcome.status == 0, "\(outcome)")
            return outcome
        }
        let path = folder.path("a/b/halo/device")
        let none = "no device is remembered: the nearest \(Self.kinds) is used\n"
        #expect(try use().output == none)
        #expect(try folder.names == [])
        #expect(try use("R02_1234").output == "R02_1234, from \(path)\n")
        #expect(try folder.bytes("a/b/halo/device") == Array("R02_1234\n".utf8))
        let object = try use("--json").object
        #expect(object["type"] as? String == "use" && object["device"] as? String == "R02_1234")
        #expect(object["source"] as? String == path)

        #expect(try use("--virtual=strap,seed=4").output == "virtual=strap,seed=4, from \(path)\n")
        #expect(try Self.name([], environment) == "Virtual HR")
        #expect(try use("--virtual").output == "virtual, from \(path)\n")
        #expect(try Self.name([], environment) == "R02_2FCA")
        // The environment and the options win over the file.
        #expect(try Self.name(["--virtual=strap"], environment) == "Virtual HR")
        let both = environment.merging(["HALO_DEVICE": "virtual=strap"]) { $1 }
        #expect(try Self.name([], both) == "Virtual HR")

        #expect(try use("--forget").output == none)
        #expect(!FileManager.default.fileExists(atPath: path))
        #expect(try use("--forget").output == none)
        #expect(try use("--json").object["device"] is NSNull)
    }

    @Test func saysThatTheEnvironmentWins() throws {
        let environment = ["XDG_CONFIG_HOME": folder.path, "HALO_DEVICE": "strap"]
        let outcome = try CommandLineProgram.run(["use", "ring"], environment: environment)
        #expect(outcome.status == 0)
        #expect(outcome.output == "strap, from HALO_DEVICE\n")
        #expect(outcome.errorOutput == "halo: HALO_DEVICE takes precedence over 'halo use'\n")
        let quiet = try CommandLineProgram.run(["use", "ring", "-q"], environment: environment)
        #expect(quiet.errorOutput == "")
    }

    @Test func needsAPlaceToRemember() throws {
        for environment in [[:], ["HOME": "relative"], ["XDG_CONFIG_HOME": "relative"]] {
            let outcome = try CommandLineProgram.run(["use", "ring"], environment: environment)
            #expect(outcome.status == 3)
            #expect(
                outcome.errorOutput == """
                    halo: a device cannot be remembered: HOME is not set
                    Set HALO_DEVICE instead.

                    """)
            let reading = try CommandLineProgram.run(["use"], environment: environment)
            #expect(reading.status == 0 && reading.output.hasPrefix("no device is remembered"))
        }
        let home = try CommandLineProgram.run(
            ["use", "ring"], environment: ["HOME": folder.path])
        #expect(home.output == "ring, from \(folder.path(".config/halo/device"))\n")
        _ = try folder.write("a file".utf8, to: "file")
        let blocked = try CommandLineProgram.run(
            ["use", "ring"], environment: ["XDG_CONFIG_HOME": folder.path("file")])
        #expect(blocked.status == 3)
        #expect(blocked.errorOutput.contains("Not a directory"))
    }

    @Test(arguments: [
        ["ring", "strap"], ["ring", "--forget"], ["ring", "--virtual"], ["--forget", "--virtual"],
        ["--virtual=r99"], ["--virtual=seed=x"], [""], ["virtual"], ["virtual=r12"],
        ["virtual=foo"], ["a\nb"], ["a\n"], [String(repeating: "a", count: 4097)],
        ["--virtual=seed=" + String(repeating: "0", count: 4096)],
    ])
    func refusesWrongUse(words: [String]) throws {
        let outcome = try CommandLineProgram.run(
            ["use"] + words, environment: ["XDG_CONFIG_HOME": folder.path])
        #expect(outcome.status == 2, "\(outcome)")
        #expect(outcome.errorOutput.hasSuffix("\n'halo help use' says more.\n"))
        #expect(try folder.names == [])
    }

    /// What is remembered is what is used: at the longest, and beside the word for virtual devices.
    @Test(arguments: ["virtual h", "Virtual", String(repeating: "é", count: 2048)])
    func readsBackWhatItRemembers(name: String) throws {
        let environment = ["XDG_CONFIG_HOME": folder.path]
        let path = folder.path("halo/device")
        for arguments in [["use", name], ["use"]] {
            let outcome = try CommandLineProgram.run(arguments, environment: environment)
            #expect(outcome.status == 0 && outcome.output == "\(name), from \(path)\n")
        }
    }

    /// A device that was chosen and cannot be read is not the nearest one.
    @Test func usesNoOtherDeviceThanTheRememberedOne() throws {
        try FileManager.default.createDirectory(
            atPath: folder.path("halo/device"), withIntermediateDirectories: true)
        let environment = ["XDG_CONFIG_HOME": folder.path]
        let path = folder.path("halo/device")
        for arguments in [["settings", "stress-log", "off"], ["info", "--json"], ["use"]] {
            let outcome = try CommandLineProgram.run(arguments, environment: environment)
            #expect(outcome.status == 3)
            #expect(outcome.errorOutput == "halo: \"\(path)\": Is a directory\n")
        }
        // Another device is still at hand.
        #expect(try Self.name(["--virtual"], environment) == "R02_2FCA")
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.createSymbolicLink(
            atPath: path, withDestinationPath: path)
        let looped = try CommandLineProgram.run(["info"], environment: environment)
        #expect(looped.status == 3 && looped.errorOutput.hasPrefix("halo: \"\(path)\": "))
        // Without a file there is no device.
        let file = try folder.write([], to: "file")
        let none = try CommandLineProgram.run(["use"], environment: ["XDG_CONFIG_HOME": file])
        #expect(none.status == 0 && none.output.hasPrefix("no device is remembered"))
    }

    /// A disk without room for another file keeps what is remembered.
    @Test func aFullDiskForgetsNothing() throws {
        let outcome = try CommandLineProgram.runShell(
            """
            trap '' XFSZ
            export XDG_CONFIG_HOME=$PWD
            "$0" use strap > /dev/null
            (ulimit -f 0; "$0" use ring > /dev/null 2>&1)
            echo $? "$(cat halo/device)" "$(ls halo)"
            """)
        #expect(outcome.output == "3 strap device\n", "\(outcome)")
    }

    /// A file that holds anything else is reported with its path, or escaped.
    @Test func survivesAnyRememberedText() throws {
        try FileManager.default.createDirectory(
            atPath: folder.path("halo"), withIntermediateDirectories: true)
        let environment = ["XDG_CONFIG_HOME": folder.path]
        for text in ["virtual=r99\n", "virtual=", "\u{1B}]0;title\u{7}\n", "\n\n", "a\nb\n"] {
            let path = try folder.write(text.utf8, to: "halo/device")
            let used = try CommandLineProgram.run(["use"], environment: environment)
            #expect(used.status == 0 && !used.output.contains("\u{1B}"))
            let info = try CommandLineProgram.run(
                ["info", "--wait", "1s", "--bus=unix:path=/nowhere"], environment: environment)
            let isWrong = text.hasPrefix("virtual=r99")
            #expect(info.status == (isWrong ? 2 : 3), "\(info)")
            guard isWrong else { continue }
            let wrong = try CommandLineProgram.run(["info"], environment: environment)
            #expect(wrong.status == 2)
            #expect(wrong.errorOutput.hasPrefix("halo: \(path): --virtual takes one of "))
        }
        _ = try folder.write([0xFF, 0xFE, 0x00, 0x41], to: "halo/device")
        #expect(try CommandLineProgram.run(["use"], environment: environment).status == 0)
        let long = try folder.write([UInt8](repeating: 0x61, count: 100_000), to: "halo/device")
        let used = try CommandLineProgram.run(["use"], environment: environment)
        #expect(used.output.hasSuffix("a, from \(long)\n"))
    }

    // MARK: --replay

    @Test func playsTheCaptureOfARing() throws {
        let path = FixtureFolder.url("Captures/VirtualR10.halo").path
        let scan = try CommandLineProgram.run(["scan", "--for", "3s", "--json", "--replay", path])
        #expect(try scan.object["kind"] as? String == "ring")
        let info = try CommandLineProgram.run(["info", "--json", "--replay", path])
        // The recorded app has read no settings, so the capture has no replies for them.
        #expect(info.status == 1, "\(info)")
        #expect(info.errorOutput.contains("\nA capture answers only the requests"), "\(info)")
        let device = try #require(try info.objects.first)
        #expect(device["battery"] as? Int == 80)
        #expect(device["firmware"] as? String == "RT03CR_1.00.02_260319")
    }

    /// A log of several devices plays the first one, under its name alone.
    @Test func playsTheFirstDeviceOfALog() throws {
        let path = FixtureFolder.url("Captures/Traffic/bug-report.btsnoop").path
        let info = try CommandLineProgram.run(["info", "--json", "--replay", path])
        #expect(try info.object["name"] as? String == "HR Strap 12", "\(info)")
        let ring = try CommandLineProgram.run(["info", "--device", "ring", "--replay", path])
        #expect(ring.status == 4 && ring.errorOutput.contains("halo import --device"), "\(ring)")
    }

    @Test func playsTheCaptureOfAStrap() throws {
        let path = FixtureFolder.url("Captures/VirtualHeartRateSensor.halo").path
        let scan = try CommandLineProgram.run(["scan", "--for", "3s", "--json", "--replay", path])
        #expect(try scan.object["name"] as? String == "Virtual HR")
        let live = try CommandLineProgram.run(
            ["live", "hr", "--count", "2", "--json", "--replay", path])
        #expect(live.status == 0, "\(live)")
        #expect(try live.objects.map { $0["value"] as? Int } == [61, 61])
        #expect(try live.objects.allSatisfy { $0["seconds"] as? Double ?? -1 >= 0 })
        #expect(try live.objects.last?["beatMilliseconds"] as? [Double] == [979.4921875])
    }

    @Test func reportsAFileThatPlaysNoDevice() throws {
        let missing = try CommandLineProgram.run(["info", "--replay", folder.path("none")])
        #expect(missing.status == 3 && missing.errorOutput.contains("none\" cannot be opened"))
        let garbage = try folder.write("no capture at all\n".utf8, to: "garbage")
        let refused = try CommandLineProgram.run(["info", "--replay", garbage, "--json"])
        #expect(refused.status == 3, "\(refused)")
        #expect(refused.errorOutput.hasPrefix("halo: ") && refused.output.contains("\"error\""))
    }

    /// Names of a device that could control the terminal, and wide ones.
    @Test(arguments: [
        "R02_\u{1B}[31mred\u{1B}]0;title\u{7}", "R02_\u{9B}31m\u{85}", "R02_指輪指輪指輪指輪指輪指輪",
        "R02_\u{202E}abc", "R02_👩‍👩‍👧‍👦🇩🇪e\u{301}",
    ])
    func escapesNames(name: String) throws {
        let path = try folder.write(Self.capture(name).utf8, to: "a.halo")
        let scan = ["scan", "--for", "3s", "--replay", path]
        let others = [
            ["info", "--replay", path], ["find", "--replay", path],
            ["info", "--json", "--replay", path], ["find", "--json", "--replay", path],
            ["live", "spo2", "--replay", path, "--for", "3s"],
            ["info", "--replay", path, "--device", name, "--wait", "1s"],
            ["info", "--replay", path, "--device", name + "x", "--wait", "1s"],
        ]
        // All verbs print one of the names, and the lists all of them.
        for arguments in [scan, scan + ["--json"]] + (name.contains("\u{1B}") ? others : []) {
            let outcome = try CommandLineProgram.run(arguments)
            let bad = (outcome.output + outcome.errorOutput).unicodeScalars.filter {
                $0.value < 0x20 && $0 != "\n" || 0x7F..<0xA0 ~= $0.value || $0 == "\u{202E}"
            }
            #expect(bad.isEmpty, "\(arguments): \(outcome.output.debugDescription)")
            for line in outcome.lines where arguments.contains("--json") {
                let object = try JSONSerialization.jsonObject(with: Data(line.utf8))
                guard let row = object as? [String: Any], row["name"] is String,
                    row["type"] as? String != "setting"
                else { continue }
                #expect(row["name"] as? String == name)
            }
        }
        let found = try CommandLineProgram.run(scan + ["--json"])
        #expect(try found.object["name"] as? String == name)
    }

    /// A capture of a ring that advertises a name.
    static func capture(_ name: String) -> String {
        let bytes = Array(name.utf8)
        let text = ([UInt8(bytes.count + 1), 9] + bytes).map {
            let digits = String($0, radix: 16, uppercase: true)
            return digits.count == 1 ? "0" + digits : digits
        }.joined(separator: " ")
        return """
            halo-capture 2
            * advertised rssi -50
            < adv 02 01 06 11 06 9E CA DC 24 0E E5 A9 E0 93 F3 A3 B5 F0 FF 40 6E
            < scan \(text)
            * connected mtu 247
            * offers 6e40fff0-b5a3-f393-e0a9-e50e24dcca9e \
            6e400002-b5a3-f393-e0a9-e50e24dcca9e command write
            * offers 6e40fff0-b5a3-f393-e0a9-e50e24dcca9e \
            6e400003-b5a3-f393-e0a9-e50e24dcca9e notify
            * subscribed uart
            > uart command 03 00 00 00 00 00 00 00 00 00 00 00 00 00 00 03
            < uart notified 03 53 00 00 00 00 00 00 00 00 00 00 00 00 00 56

            """
    }

    // MARK: The place

    @Test(arguments: [
        ["--replay", "a", "--virtual"], ["--replay", "a", "--fake-bluez"],
        ["--replay", "a", "--adapter", "hci0"], ["--virtual", "--adapter", "hci0"],
        ["--virtual", "--bus", "unix:path=/a"], ["--fake-bluez", "--bus", "unix:path=/a"],
        ["--virtual=r99"], ["--virtual=r02,r03"], ["--virtual=seed=x"], ["--virtual=days=-1"],
        ["--virtual=days=61"], ["--virtual=speed=100001"], ["--virtual=speed=0"],
        ["--virtual=color=red"], ["--virtual=,"],
        ["--virtual=seed=1,seed=2"], ["--virtual=r02,days=1,days=1"],
        ["--virtual=strap,fault=lost-slots"], ["--virtual=fault=none"], ["--virtual=r02,fault"],
        ["--wait", "0s"], ["--wait", "20"], ["--wait", "25h"], ["--bus", "nowhere"],
    ])
    func refusesWrongPlaces(options: [String]) async throws {
        for verb in [["scan"], ["info"], ["live", "hr"], ["settings"], ["find"], ["send", "03"]] {
            let outcome = try await CommandLineProgram.call(verb + options)
            #expect(outcome.status == 2, "\(verb) \(outcome)")
            #expect(outcome.errorOutput.hasPrefix("halo: ") && outcome.output == "")
            #expect(outcome.errorOutput.hasSuffix("\n'halo help \(verb[0])' says more.\n"))
        }
    }

    @Test func aSeedIsAPerson() throws {
        let first = try Self.name(["--virtual=r02,seed=7"])
        #expect(try first == Self.name(["--virtual=seed=7,R02"]))
        #expect(try first != Self.name(["--virtual=r02,seed=8"]))
    }

    /// Faults of a ring, one or several, also next to devices that have none.
    @Test(arguments: [
        ("r02", "37", false), ("r02,fault=refused-ability", "37", true),
        ("fault=Stress-Log:refuse", "37", true),
        ("r02,fault=refused-ability,fault=lost-slots", "37", true),
        ("fault=battery:refuse,seed=4,r02,fault=refused-ability", "37", true),
        ("fault=battery:refuse,seed=4,r02,fault=refused-ability", "03", true),
        ("fault=battery:delay=1s", "03", false),
    ])
    func aVirtualRingHasFaults(_ virtual: String, _ request: String, _ isRefused: Bool) throws {
        let outcome = try CommandLineProgram.run(
            ["send", request, "--virtual=\(virtual)", "--device", "ring", "--json"])
        #expect(outcome.status == 0, "\(outcome)")
        #expect(outcome.output.contains("EE00000000") == isRefused)
    }

    /// The seed picks the anomalies of a bad week, and it is the same one each time.
    @Test func aBadWeekIsThatOfItsSeed() throws {
        let weeks = try (0..<8).map { seed in
            let run = { (request: String) in
                try CommandLineProgram.run(
                    ["send", request, "--virtual=r02,fault=bad-week,seed=\(seed)", "--json"])
            }
            let outcome = try run("37")
            if seed == 0 { #expect(try outcome.output == run("37").output) }
            return outcome.output.contains("B7EE")
        }
        #expect(weeks.contains(true) && weeks.contains(false))
    }

    #if os(Linux)
    @Test(arguments: [
        ["scan"], ["info"], ["live", "hr"], ["settings"], ["settings", "goals"], ["find"],
        ["workout", "start"], ["send", "03"], ["record", "--out", "/nowhere/a"],
    ])
    func reportsThatThereIsNoBluetooth(verb: [String]) throws {
        let address = "unix:path=\(folder.path("none"))"
        for environment in [[:], ["DBUS_SYSTEM_BUS_ADDRESS": address]] {
            let bus = environment.isEmpty ? ["--bus", address] : []
            let outcome = try CommandLineProgram.run(
                verb + bus + ["--json"], environment: environment)
            #expect(outcome.status == 3, "\(outcome)")
            let error = try outcome.object
            #expect(error["type"] as? String == "error" && error["status"] as? Int == 3)
            let advice = try #require(error["advice"] as? String)
            #expect(advice.contains("'halo doctor'") && advice.contains("--virtual"))
            #expect(outcome.errorOutput.hasPrefix("halo: Bluetooth cannot be used: "))
            #expect(outcome.errorOutput.contains(folder.path("none")))
        }
    }
    #endif
}
