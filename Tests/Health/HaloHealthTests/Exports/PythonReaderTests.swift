#if os(Linux) || os(macOS)
import HaloDevices
import HaloHealth
import HaloProtocol
import TestSupport
import Testing

/// Exports as Python's own readers read them.
@Suite(.passesTime, .enabled(if: PythonReader.isInstalled, "python3 is not installed"))
struct PythonReaderTests {
    static let names = [
        "R02_A1B2", "a,b", #"say "hi""#, "=1+1", "a\nb", #"a\ b\"#, "Аня 🙂", "a=b", "#1",
        "\0\u{9B}",
        "'", " a ",
    ]

    static func bytes(_ exporter: HistoryExporter) -> [UInt8] {
        var exporter = exporter
        var bytes: [UInt8] = []
        exporter.append(.sample, to: &bytes)
        return bytes
    }

    static func clean(_ name: String) -> String {
        String(
            String.UnicodeScalarView(
                name.unicodeScalars.map { $0.properties.generalCategory == .control ? " " : $0 }))
    }

    @Test func csvComesBack() async throws {
        let text = try await PythonReader.run(
            PythonReader.csv, Self.names.flatMap { Self.bytes(.csv(of: .workouts, ring: $0)) })
        let header =
            "ring|time|utc|sport|seconds|metres|kilocalories|steps|average_bpm|lowest_bpm|"
            + "highest_bpm"
        let rest = "2026-01-05T17:30:12||type 2, perhaps a walk|1830|2400|151.5|3100|118||140"
        let rows = Self.names.flatMap { name in
            [header, "\(Self.clean(name == "=1+1" ? "'=1+1" : name))|\(rest)"]
        }
        #expect(text.split(separator: "\n").map(String.init) == rows)
    }

    @Test func csvHasAsManyCellsInEachRow() async throws {
        let tables = HistoryTable.allCases.map { Self.bytes(.csv(of: $0, ring: "a,\"b\"")) }
        let text = try await PythonReader.run(PythonReader.csv, tables.flatMap { $0 })
        let counts = text.split(separator: "\n").map { $0.count { $0 == "|" } }
        let wanted = tables.flatMap { table in
            let lines = table.split(separator: UInt8(ascii: "\n"))
            let commas = lines.first?.count { $0 == UInt8(ascii: ",") } ?? 0
            return lines.map { _ in commas }
        }
        #expect(counts == wanted)
    }

    @Test func jsonComesBack() async throws {
        let script = PythonReader.json + "\n    print(value['ring'].encode().hex())"
        let text = try await PythonReader.run(
            script,
            Self.names.flatMap { Self.bytes(.jsonLines(of: [.temperature, .workouts], ring: $0)) })
        let lines = text.split(separator: "\n").map(String.init)
        #expect(lines.count == 4 * Self.names.count)
        for (index, name) in Self.names.enumerated() where lines.count > 4 * index + 3 {
            let hexadecimal = name.utf8.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
            #expect(lines[4 * index + 1] == hexadecimal.joined())
            let (temperature, workout) = (lines[4 * index], lines[4 * index + 2])
            #expect(temperature.hasPrefix("celsius=35.75|minutes=30|ring="))
            let end = "|time='2026-01-05T04:30:00'|type='temperature'|utc='2026-01-05T03:30:00Z'"
            #expect(temperature.hasSuffix(end))
            #expect(workout.hasPrefix("averageBPM=118|highestBPM=140|kilocalories=151.5|"))
            #expect(workout.contains("|lowestBPM=None|"))
        }
    }

    @Test func jsonOfAllTablesIsRead() async throws {
        let text = try await PythonReader.run(PythonReader.json, Self.bytes(.jsonLines()))
        #expect(text.split(separator: "\n").count == 11)
    }
}
#endif
