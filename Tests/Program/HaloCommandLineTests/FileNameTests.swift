import Foundation
import HaloCapture
import TestSupport
import Testing

@testable import halo

/// Names of files that are no UTF-8, and names that look like options.
@Suite(.waitsForPrograms) struct FileNameTests {
    private static let log = FixtureFolder.url("Captures/Containers/uart.btsnoop")
    private static let session = FixtureFolder.url("Sessions/R10Workout.halo")

    // MARK: Bytes

    @Test(arguments: [
        "import in --out out", "scrub in --out out", "export in --as pcap --out out",
        "record --virtual=strap --for 2s --out out", "import in --json --out out",
    ])
    func opensAndWritesNamesThatAreNoText(_ command: String) throws {
        let name = { (word: String) in "$'\(word)\\xff\\xe2\\x28'" }
        let words = command.split(separator: " ").map { word in
            ["in", "out"].contains(word) ? name(String(word)) : String(word)
        }
        let (outcome, file) = try CommandLineProgram.runShell(
            """
            cp "$1" \(name("in")) && "$0" \(words.joined(separator: " ")) || exit
            mv \(name("out")) plain
            """, [Self.log.path], thenReading: "plain")
        #expect(outcome.status == 0, "\(outcome.errorOutput)")
        #expect(file.count > 100)
        let escaped = command.contains("--json") ? #"out\\xFF\\xE2("# : #"out\xFF\xE2("#
        #expect(outcome.output.contains(escaped), "\(outcome.output)")
    }

    @Test(arguments: ["import", "decode", "replay", "scrub", "export --as pcap --out out"])
    func showsANameThatIsNoTextEscaped(_ verb: String) throws {
        let outcome = try CommandLineProgram.runShell(
            "\"$0\" \(verb) $'no/\\xff\\xfe' --json; ls")
        #expect(outcome.status == 0, "ls ends with 0")
        #expect(outcome.errorOutput.contains(#""no/\xFF\xFE" cannot be opened: "#))
    }

    @Test func writesBesideANameThatIsNoText() throws {
        let (outcome, file) = try CommandLineProgram.runShell(
            "cp \"$1\" $'\\xff.halo'; \"$0\" scrub $'\\xff.halo' && mv $'\\xff.scrubbed.halo' a",
            [Self.session.path], thenReading: "a")
        #expect(outcome.status == 0 && file.count > 100)
        #expect(outcome.output.contains(#"written: "\xFF.scrubbed.halo""#))
    }

    #if os(Linux)
    @Test func handsBytesToACommand() throws {
        let outcome = try CommandLineProgram.runShell(
            """
            export WORD=$'\\xfe'
            "$0" simulate strap --fake-bluez -- \
                bash -c '[[ $(printf %s "$0$WORD" | od -An -tx1) == " ff fe" ]]' $'\\xff'
            """)
        #expect(outcome.status == 0, "\(outcome.errorOutput)")
    }
    #endif

    /// Its escape has digits, and they are not the bytes of a packet.
    @Test func takesAByteThatIsNoTextForNoHexadecimal() throws {
        for verb in ["send --virtual", "decode"] {
            for byte in ["ff", "80", "bc"] {
                let outcome = try CommandLineProgram.runShell("\"$0\" \(verb) $'\\x\(byte)'")
                #expect(outcome.status == (verb == "decode" ? 1 : 2), "\(outcome)")
                #expect(!outcome.output.contains(byte.uppercased()), "\(outcome)")
            }
        }
    }

    @Test func refusesAnOptionThatIsNoText() throws {
        let outcome = try CommandLineProgram.runShell(
            "\"$0\" import a $'--\\xff'; \"$0\" import a --device $'\\xff'; \"$0\" $'\\xff'")
        #expect(outcome.status == 2)
        #expect(outcome.errorOutput.contains(#"unknown option '--\xFF'"#))
        #expect(outcome.errorOutput.contains(#"or 'all', not '\xFF'"#))
        #expect(outcome.errorOutput.contains(#"unknown verb '\xFF'"#))
    }

    // MARK: Options

    /// Every option that takes a value.
    private static let options = [
        "import a --out", "import a --device", "import a --map", "import a --format",
        "decode --as", "decode --direction", "decode --file", "decode a.b --device",
        "replay a --against", "replay a --map", "scrub a --out", "scrub a --seed",
        "scrub a --keep", "scrub a --format", "export a --as", "export a --out",
        "export a --device", "record --device", "record --adapter", "record --bus",
        "record --for", "record --out", "record -o", "demo --seed", "demo --days",
        "demo --model",
        "doctor --bus", "doctor --adapter", "live -d", "scan --for",
    ]
    private static let simulatorOptions = [
        "simulate ring --bus", "simulate ring --adapter", "simulate ring --model",
        "simulate ring --seed", "simulate ring --with", "simulate ring --adapters",
    ]

    @Test(arguments: options + simulatorOptions)
    func takesNoOptionForAValue(_ option: String) throws {
        let folder = TestFolder()
        let name = option.split(separator: " ").last.map(String.init) ?? ""
        for value in ["--json", "-o", "--"] {
            let outcome = try CommandLineProgram.runShell(
                "cd \"$1\" && \"$0\" \(option) \(value)", [folder.path])
            #expect(outcome.status == 2)
            #expect(outcome.errorOutput.contains("\(name) takes a "), "\(outcome.errorOutput)")
            // A letter has no form with a value that begins with `-`.
            let advised = name.hasPrefix("--") ? "\(name)=" : "--"
            #expect(
                outcome.errorOutput.contains(", not '\(value)'; if it is one, write \(advised)"))
        }
        #expect(try folder.names == [])
    }

    @Test(arguments: ["import", "scrub", "export", "decode"])
    func refusesAnOptionWithOneDash(_ verb: String) throws {
        let outcome = try CommandLineProgram.run([verb, "a", "-x", "b"])
        #expect(outcome.status == 2)
        #expect(outcome.errorOutput.contains("unknown option '-x'; a file of this name is ./-x\n"))
    }

    /// A file whose name begins with a dash, in all ways in which it can be meant.
    @Test(arguments: ["./--json", "=--json", "./-o", "=-o", "=--json=x", "=-"])
    func writesAFileThatLooksLikeAnOption(_ value: String) throws {
        let option = value.hasPrefix("=") ? "--out\(value)" : "--out \(value)"
        let name = value.hasPrefix("=") ? "./\(value.dropFirst())" : value
        let (outcome, file) = try CommandLineProgram.runShell(
            "\"$0\" import \"$1\" \(option) > printed && "
                + "if [[ -e \(name) ]]; then mv -- \(name) a; else mv printed a; fi",
            [Self.log.path], thenReading: "a")
        #expect(outcome.status == 0, "\(outcome.errorOutput)")
        #expect(try Capture(reading: file).lines.count > 20)
    }

    @Test func readsAFileThatLooksLikeAnOption() throws {
        let outcome = try CommandLineProgram.runShell(
            """
            cp "$1" ./--json; cp "$1" ./-
            "$0" import ./--json > a && "$0" import -- --json > b && "$0" decode ./- > c &&
                "$0" decode --file=--json > c && "$0" decode --file ./- > c && cat a b
            """, [Self.log.path])
        #expect(outcome.status == 0, "\(outcome.errorOutput)")
        #expect(outcome.output.contains("\"--json\": btsnoop"))
    }

    @Test func takesValuesBehindAnEqualsSign() throws {
        let path = Self.log.path
        let outcome = try CommandLineProgram.run(
            ["import", path, "--map=0x10=2a19,17=2a38", "--format=btsnoop", "--json"])
        #expect(outcome.status == 0, "\(outcome.errorOutput)")
        #expect(outcome.output.contains("\"uuid\":\"2A19\""))
        for wrong in [["--json=1"], ["--json="], ["--out="], ["--advertisements=yes"]] {
            let refused = try CommandLineProgram.run(["import", path] + wrong)
            #expect(refused.status == 2, "\(wrong)")
        }
        #expect(try CommandLineProgram.run(["scrub", path, "--seed=-1"]).status == 2)
    }
}
