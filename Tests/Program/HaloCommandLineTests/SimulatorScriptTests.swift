import HaloProtocol
import HaloSimulator
import TestSupport
import Testing

@testable import halo

/// The notation of commands for a simulated device.
@Suite(.computes) struct SimulatorScriptTests {
    private static let script = SimulatorScript(
        device: "a ring", known: DeviceKind.ring.commands + [.loseLink])

    private static func commands(_ line: String) throws -> [ScriptedCommand] {
        try script.commands(ofLine: Array(line.utf8), number: 7)
    }

    @Test func readsCommandsAndTimes() throws {
        let commands = try Self.commands(
            " 500ms take-off;20s LOSE-LINK ; \tput-on; ;1h battery 20;0s battery 0 # 2m; drain\r")
        #expect(
            commands == [
                ScriptedCommand(time: .milliseconds(500), command: .takeOff),
                ScriptedCommand(time: .seconds(20), command: .loseLink),
                ScriptedCommand(command: .putOn),
                ScriptedCommand(time: .seconds(3600), command: .battery, percent: 20),
                ScriptedCommand(time: .zero, command: .battery, percent: 0),
            ])
        #expect(try Self.commands("24h walk").first?.time == .seconds(86_400))
        #expect(try Self.commands("1m30s500ms walk").first?.time == .milliseconds(90_500))
        for line in ["", "  ", "# take-off", ";;", "\r"] { #expect(try Self.commands(line) == []) }
    }

    /// What cannot be read, the column, and a part of the message.
    private static let mistakes: [(line: String, column: Int, part: String)] = [
        ("tke-off", 1, "not 'tke-off'; did you mean 'take-off'?"),
        ("10s take-off; 20s putt-on", 19, "did you mean 'put-on'?"),
        ("é; 10s take-off", 1, "not 'é'"),
        ("10s take-off; é", 15, "not 'é'"),
        ("  switch-on", 3, "a ring takes one of take-off"),
        ("30s1m drain", 1, "not '30s1m'"), ("1s1s drain", 1, "not '1s1s'"),
        ("1m1min drain", 1, "not '1m1min'"),
        ("24h1ms drain", 1, "at most 24h"), ("1sx drain", 1, "not '1sx'"),
        ("10x drain", 1, "not '10x'"), ("10 drain", 1, "not '10'"), ("-1s drain", 1, "not '-1s'"),
        ("+1s drain", 1, "not '+1s'"), ("1.5s drain", 1, "not '1.5s'"),
        ("25h drain", 1, "at most 24h"), ("99999999999999999999s drain", 1, "at most 24h"),
        ("1s", 1, "no command after '1s'"), (" 1s ;drain", 2, "no command after '1s'"),
        ("1s 2s drain", 4, "not '2s'"),
        ("battery", 1, "battery takes a whole number from 0 to 100"),
        ("battery 101", 9, "from 0 to 100"), ("battery -1", 9, "from 0 to 100"),
        ("battery x", 9, "from 0 to 100"), ("battery 9223372036854775808", 9, "from 0 to 100"),
        ("drain 20", 7, "unexpected argument '20'; ';' separates commands"),
        ("take-off, put-on", 1, "not 'take-off,'; did you mean 'take-off'?"),
    ]

    @Test func namesTheColumnOfAMistake() {
        for (line, column, part) in Self.mistakes {
            do {
                let commands = try Self.commands(line)
                Issue.record("\(line) was read: \(commands)")
            } catch let problem as SimulatorScript.Problem {
                #expect(problem.line == 7 && problem.column == column, "\(line): \(problem)")
                #expect(problem.message.contains(part), "\(line): \(problem)")
            } catch {
                Issue.record(error)
            }
        }
    }

    /// Each key has commands that a script can name, and each command changes something on a model.
    @Test(arguments: DeviceKind.all) func keysHaveCommands(_ kind: DeviceKind) throws {
        #expect(Set(kind.keys.flatMap(\.commands)).isSubset(of: kind.commands))
        #expect(Set(kind.commands.map(\.word)).count == kind.commands.count)
        let wear = VirtualWear(wearer: VirtualWear.wearer(seed: 1), days: 0, seed: 1)
        let devices = try kind.models.map { try #require(DeviceKind.virtual($0, wear)) }
        for command in kind.commands {
            // A command that changes nothing has an opposite that does.
            let opposites = kind.keys.map(\.commands).first { $0.contains(command) } ?? [command]
            let changes = devices.contains { device in
                var device = device
                return opposites.contains { device.execute($0, percent: 5) != nil }
            }
            #expect(changes, "\(command)")
        }
    }

    @Test func aCommandChangesNothingTwice() {
        var ring = VirtualRing(.r02, days: 0)
        #expect(ring.execute(.putOn, percent: nil) == nil)
        #expect(ring.execute(.takeOff, percent: nil) == "the ring is off the finger")
        #expect(ring.execute(.takeOff, percent: nil) == nil)
        #expect(ring.execute(.undock, percent: nil) == nil)
        #expect(ring.execute(.dock, percent: nil) == "the ring is on its charger")
        #expect(ring.execute(.dock, percent: nil) == nil)
    }

    @Test func aBatteryIsDrainedToZero() {
        var (ring, strap) = (VirtualRing(.r02, days: 0), VirtualHeartRateSensor())
        for percent in [60, 40, 20, 0, 0] {
            #expect(ring.execute(.drain, percent: nil) == "the battery has \(percent) %")
        }
        for percent in [80, 60, 40, 20, 0, 0] {
            #expect(strap.execute(.drain, percent: nil) == "the battery has \(percent) %")
        }
    }

    /// The seed picks the anomalies of a bad week, and whether the ring is worn.
    @Test func aBadWeekChangesTheRing() {
        var areWorn: Set<Bool> = []
        for seed in 0..<1000 as Range<UInt64> {
            var options = VirtualWear.ringOptions(seed: seed)
            options.add(.badWeek)
            let week = VirtualRingOptions.badWeek(seed: seed)
            #expect(options.anomalies == week.anomalies && options.isWorn == week.isWorn)
            areWorn.insert(options.isWorn)
        }
        #expect(areWorn == [true, false])
    }

    /// The names of faults are without ambiguity.
    @Test func eachRequestHasOneName() {
        let commands = CommandCatalog.entries.filter { $0.request != nil }.map { "\($0.name)" }
        let records = BigDataCatalog.entries.filter { $0.requestID != nil }.map { "\($0.name)" }
        let names = (commands + records).map { $0.lowercased() }
        let twice = Set(names.filter { name in names.count { $0 == name } > 1 })
        #expect(twice == [])
    }
}
