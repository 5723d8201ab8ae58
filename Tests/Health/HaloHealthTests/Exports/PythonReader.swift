#if os(Linux) || os(macOS)
import Foundation
import TestSupport

/// Readers of exports in Python: its own of CSV and JSON, and the packages in the folder that the
/// environment variable `HALO_EXPORT_READERS` names.
enum PythonReader {
    static let isInstalled = (try? program("import csv, json").runAndWait().status) == 0
    static let hasPackages =
        (try? program("import line_protocol_parser, pandas").runAndWait().status) == 0

    struct Failure: Error {
        let output: String
    }

    /// Runs a script with the bytes as its standard input; returns what it prints.
    static func run(_ script: String, _ bytes: [UInt8]) async throws -> String {
        let outcome = try await program(script).run(input: bytes)
        guard outcome.status == 0 else { throw Failure(output: outcome.output) }
        return outcome.output
    }

    private static func program(_ script: String) throws -> OutsideProgram {
        try OutsideProgram(
            "python3", ["-c", script],
            environment: [
                "PYTHONPATH": ProcessInfo.processInfo.environment["HALO_EXPORT_READERS"] ?? "",
                "PYTHONDONTWRITEBYTECODE": "1",
            ])
    }

    /// Prints the cells of each row, joined by bars.
    static let csv = """
        import csv, io, sys
        text = io.TextIOWrapper(sys.stdin.buffer, encoding="utf-8", newline="")
        for row in csv.reader(text, strict=True):
            print("|".join(row))
        """

    /// Prints the values of each object in the order of their names.
    static let json = """
        import json, sys
        for line in sys.stdin.buffer:
            value = json.loads(line.decode("utf-8"))
            print("|".join(f"{key}={value[key]!r}" for key in sorted(value)))
        """

    /// Prints the values of each row as `lines` does, and before the rows the types of the columns,
    /// as pandas reads them from tables with dates. Empty cells are left out.
    static let pandas = """
        import io, pandas, sys
        for part in sys.stdin.buffer.read().split(b"\\0")[:-1]:
            table, text = part.decode("utf-8").split("\\n", 1)
            dates = {"time", "utc", "end", "end_utc", "sleep_start", "day"}
            dates = [name for name in text.split("\\r\\n", 1)[0].split(",") if name in dates]
            rows = pandas.read_csv(io.StringIO(text), parse_dates=dates,
                dtype={"kilocalories": float})
            print(table, *(f"{name}={kind}" for name, kind in rows.dtypes.items()), sep="|")
            for row in rows.drop(columns=dates[:1] + dates[2:]).to_dict("records"):
                moment = row.pop("utc")
                moment = "missing" if pandas.isna(moment) else moment.value
                values = "".join(
                    f"|{name}={row[name]!r}" for name in sorted(row) if not pandas.isna(row[name]))
                print(f"{table}{values}|{moment}")
        """

    /// Prints the measurement, the tags and fields in the order of their names, and the nanoseconds
    /// of each line, as line_protocol_parser reads them.
    static let lines = """
        import line_protocol_parser, sys
        for line in sys.stdin.buffer.read().decode("utf-8").split("\\n")[:-1]:
            point = line_protocol_parser.parse_line(line)
            values = sorted((point["tags"] | point["fields"]).items())
            values = "".join(f"|{name}={value!r}" for name, value in values)
            print(f"{point['measurement']}{values}|{point['time']}")
        """
}
#endif
