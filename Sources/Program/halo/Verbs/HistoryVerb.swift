import HaloCapture
import HaloDevices
import HaloHealth
import HaloProtocol
import HaloTransport

struct HistoryVerb: Verb {
    private let source: HistorySource
    private let choice: HistoryKind?
    private let folder: FilePath?
    private let isInflux: Bool
    private let assumesZone: Bool
    private let isCurrent: Bool

    private static let csvOption = Option.file(
        "csv", place: "FOLDER",
        "writes a CSV file for each kind into a folder, which is created if necessary")
    private static let influxOption = Flag(
        "influx", "prints lines of InfluxDB's line protocol")
    private static let zoneOption = Flag(
        "assume-zone",
        """
        assumes this computer's time zone for values whose time in UTC is not known; line \
        protocol leaves them out otherwise
        """)
    private static let currentOption = Flag(
        "current",
        """
        with --json, --csv or --influx: each kind's last value only, for sleep the last night, \
        and none that is older than usual for its kind
        """)

    static let syntax = VerbSyntax(
        "history", "shows what a ring has stored: pictures, JSON, CSV, line protocol",
        forms: ["[KIND]"], words: HistoryChoice.words,
        options: HistorySource.options
            + [csvOption, influxOption, zoneOption, currentOption, CommonOptions.force],
        deviceOptions: DeviceRequest.options,
        json: """
            one JSON object a line: one for each value (type, ring, time, utc, minutes and the \
            value with its unit), one of type battery (percent, is_charging), and a last one of \
            type history (ring, address, today, readAt, secondsFromUTC, unsupported, failures, \
            freshness of each kind, days with the outcome for each kind, written)
            """,
        difference: "something could not be read from the ring",
        examples: [
            "halo history --virtual=r10",
            "halo history sleep --days 1 --json",
            "halo history --stored --csv week",
            "halo history --current --days 2 --json",
        ],
        """
        Reads the last days from a ring, and draws them. Only 'halo sync' saves them. A
        ring holds a week at most, and most rings hold some kinds for less; what is missing is
        marked, and never drawn as zero. Nothing is changed on the ring, not even its clock, unless
        --set-clock is given.

        Without a kind, the last day is drawn, with a line for each day; with one there is a chart
        for each day, or each night and nap. Kinds: \(HistoryChoice.words.joined(separator: ", ")).

        --stored shows the file of 'halo sync', as many days as you like; so does --file with its
        name. If it has several rings, --device selects one.

        Times are those of the ring's clock. JSON and CSV have the time in UTC beside it,
        if the clock's offset is known; line protocol has it instead.
        """)

    init(_ arguments: ParsedArguments) throws(Failure) {
        choice = try arguments.words(atMost: 1).first.map { (word) throws(Failure) in
            try Choice.value(
                word.text, of: "halo history", from: HistoryChoice.words,
                HistoryChoice.kind(named:))
        }
        source = try HistorySource(arguments)
        assumesZone = arguments.has(Self.zoneOption)
        isInflux = arguments.has(Self.influxOption)
        folder = try arguments.value(of: Self.csvOption)
        isCurrent = arguments.has(Self.currentOption)
        if isCurrent, source.isStored {
            throw .wrongUsage("--current needs a ring; the values of a file may be old")
        }
        if folder?.isStandard == true { throw .wrongUsage("--csv takes a folder") }
        if folder != nil, isInflux { throw .wrongUsage("give either --influx or --csv") }
        if folder == nil, arguments.has(CommonOptions.force) {
            throw .wrongUsage("--force is for files: --csv FOLDER")
        }
    }

    func run(_ console: inout Console) async throws(Failure) -> ExitStatus {
        if console.isJSON, isInflux {
            throw Failure(.wrongUsage, "give either --json or --influx")
        }
        if isCurrent, !console.isJSON, !isInflux, folder == nil {
            throw Failure(.wrongUsage, "--current is for --json, --csv and --influx")
        }
        if let folder {
            for table in tables {
                try OutputFile.prepare(folder.file(of: table), &console)
            }
        }
        let read = try await source.read(HistoryChoice.kinds(of: choice), &console)
        return try show(read, &console)
    }

    /// A file that was written, with its length and the number of its values.
    private typealias Written = (path: FilePath, bytes: Int, values: Int)

    private func show(
        _ read: HistorySource.Read, _ console: inout Console
    ) throws(Failure) -> ExitStatus {
        let history = read.history
        history.remarkOnFailures(&console)
        var written: [Written] = []
        if let folder {
            written = try writeTables(of: read, into: folder, &console)
        } else if console.isJSON || isInflux {
            try printRows(of: read, &console)
        } else {
            for line in lines(of: read, console) { console.write(line + "\n") }
        }
        if console.isJSON {
            console.write(type: "history", Self.members(read, written))
        } else {
            for file in written {
                let count = TextLayout.count(file.values, "value")
                console.write("\(file.path.text.printable): \(count)\n")
            }
        }
        return history.isComplete ? .success : .difference
    }

    // MARK: Other programs

    private func wanted(
        of history: RingHistory, _ logging: [HistoryKind: Bool]
    ) -> RingHistory {
        isCurrent ? history.currentValues(logging: logging) : history
    }

    private var assumedSecondsFromUTC: Int? {
        assumesZone ? SystemTime().wallClock().secondsFromUTC : nil
    }

    private var tables: [HistoryTable] {
        HistoryTable.allCases.filter { HistoryChoice.kinds(of: choice).contains($0.kind) }
    }

    private func printRows(
        of read: HistorySource.Read, _ console: inout Console
    ) throws(Failure) {
        var exporter =
            console.isJSON
            ? HistoryExporter.jsonLines(
                of: tables, ring: read.ring, assumedSecondsFromUTC: assumedSecondsFromUTC)
            : .lineProtocol(
                of: tables, ring: read.ring, assumedSecondsFromUTC: assumedSecondsFromUTC)
        try read.parts(HistoryChoice.kinds(of: choice)) { (history) throws(Failure) in
            var bytes: [UInt8] = []
            exporter.append(wanted(of: history, read.logging), to: &bytes)
            console.write(bytes)
        }
        if console.isJSON, choice == nil {
            for charge in read.battery {
                console.write(type: "battery", Self.members(charge, read.ring))
            }
        }
        guard exporter.omittedRowCount > 0 else { return }
        console.remark(
            "\(TextLayout.count(exporter.omittedRowCount, "value")) left out: their time in UTC is "
                + "not known; --assume-zone assumes this computer's time zone")
    }

    private func writeTables(
        of read: HistorySource.Read, into folder: FilePath, _ console: inout Console
    ) throws(Failure) -> [Written] {
        let lacking = HistoryChoice.kinds.filter(read.history.unsupported.contains)
            .flatMap(HistoryChoice.kinds(of:))
        let tables = tables.filter { !lacking.contains($0.kind) }
        try folder.makeFolder(mode: 0o755)
        var written: [Written] = []
        for table in tables {
            var exporter = HistoryExporter.csv(
                of: table, ring: read.ring, assumedSecondsFromUTC: assumedSecondsFromUTC)
            var file = try OutputFile(folder.file(of: table), &console)
            try read.parts([table.kind]) { (history) throws(Failure) in
                var bytes: [UInt8] = []
                exporter.append(wanted(of: history, read.logging), to: &bytes)
                try file.write(bytes)
            }
            try file.commit()
            written.append((folder.file(of: table), file.length, exporter.rowCount))
        }
        return written
    }

    private static func members(
        _ charge: TimedSample<BatteryCharge>, _ ring: String
    ) -> JSONObject {
        [
            "ring": ring, "time": charge.time.iso8601, "utc": charge.utc.map { "\($0.iso8601)Z" },
            "percent": charge.value.percent, "is_charging": charge.value.isCharging,
        ]
    }

    private static func members(
        _ read: HistorySource.Read, _ written: [Written]
    ) -> JSONObject {
        let history = read.history
        return [
            "ring": read.ring, "address": read.address.rawValue, "today": "\(history.today)",
            "readAt": history.readAt?.iso8601,
            "secondsFromUTC": history.secondsFromUTC.map { Double($0) },
            "unsupported": history.unsupported.map(\.rawValue).sorted(),
            "failures": history.failures.map { "\($0)" },
            "freshness": JSONObject.list(history.freshness(logging: read.logging)) { kind in
                [
                    "kind": kind.kind.rawValue, "state": kind.state.rawValue,
                    "lastValue": kind.lastValue?.iso8601,
                ]
            },
            "days": JSONObject.list(history.coverage.days) { day in
                [
                    "kind": day.kind.rawValue, "date": "\(day.date)",
                    "outcome": day.outcome.rawValue,
                ]
            },
            "written": JSONObject.list(written) { file in
                ["path": file.path.text, "bytes": file.bytes, "values": file.values]
            },
        ]
    }

    // MARK: Pictures

    private func lines(
        of read: HistorySource.Read, _ console: Console
    ) -> [String] {
        let history = read.history
        let summaries = DaySummary.all(Self.days(of: history), in: history)
        let (width, style) = (console.width, console.style)
        let picture =
            history.readAt.map { HistoryPicture(history, until: $0, width: width, style: style) }
            ?? HistoryPicture(history, of: history.today, width: width, style: style)
        var parts = [
            picture.heading(
                read.ring.printable,
                [history.readAt.map { "read at \($0)" } ?? "read on \(history.today)"])
        ]
        if let choice {
            parts += charts(of: choice, history, console)
        } else {
            let days = Array(summaries.drop { $0.isEmpty })
            parts += [picture.heartRate, picture.steps, picture.night]
            let count = summaries.count - days.count
            let earlier = "\(TextLayout.count(count, "earlier day")) without values"
            parts.append(picture.week(days, earlier: count > 0 ? earlier : nil))
        }
        let lacking = HistoryChoice.kinds.filter(history.unsupported.contains)
        var words = lacking.map { "the ring does not store \($0)" }
        words += ceased(of: read).map { "\($0)" }
        return Array((parts + [words]).filter { !$0.isEmpty }.joined(separator: [""]))
    }

    /// A chart for each day, or for each night and nap, or a line for each workout.
    private func charts(
        of choice: HistoryKind, _ history: RingHistory, _ console: Console
    ) -> [[String]] {
        switch choice {
        case .sleep:
            return history.sleep.map { record in
                let picture = HistoryPicture(
                    history, of: record.end.date, width: console.width, style: console.style)
                return picture.chart(of: record, titled: ReportText.day(record.end.date))
            } + (history.sleep.isEmpty ? [["no night or nap is stored"]] : [])
        case .workouts:
            let rows = history.workouts.map(WorkoutVerb.row)
            let lines = TextLayout.lines(of: rows, width: console.tableWidth)
            return [lines.isEmpty ? ["no workout is stored"] : lines]
        case .heartRate, .activity, .bloodOxygen, .stress, .heartRateVariability, .temperature,
            .totals:
            if history.unsupported.contains(choice) { return [] }
            let reasons = MissingReasons(history)
            let days = Self.days(of: history)
            let pictures = days.map { day in
                let picture = HistoryPicture(
                    history, of: day, width: console.width, style: console.style)
                let title = ReportText.day(day)
                let chart = picture.chart(of: choice, titled: title)
                let missing = chart == nil ? reasons.reason(for: choice, on: day).word : ""
                return (chart: chart, missing: picture.heading(title, [missing]))
            }
            if pictures.allSatisfy({ $0.chart == nil }) {
                return [[days.count > 1 ? "no values of these \(days.count) days" : "no values"]]
            }
            return pictures.map { $0.chart ?? $0.missing }
        }
    }

    private func ceased(of read: HistorySource.Read) -> [Freshness] {
        let kinds = HistoryChoice.kinds(of: choice)
        return read.history.freshness(logging: read.logging).filter {
            kinds.contains($0.kind) && $0.hasCeased
        }
    }

    /// The days that were read, or have a value, and those between them that were not read. A gap
    /// of more than a month stays one.
    private static func days(of history: RingHistory) -> [CivilDate] {
        let known = history.datesWithValues.filter { $0 <= history.today }
            .union(history.coverage.days.map(\.date)).sorted()
        let gaps = zip(known, known.dropFirst()).map { last, next in
            let count = last.daysAgo(from: next)
            return count > 31 ? [] : (1..<count).compactMap { last.advanced(byDays: $0) }
        }
        return (known + gaps.joined()).sorted()
    }
}

extension CivilDateTime {
    /// As `2026-01-05T09:00:00`.
    fileprivate var iso8601: String { "\(date)T\(time)" }
}

extension FilePath {
    fileprivate func file(of table: HistoryTable) -> FilePath {
        appending("/\(table.rawValue).csv")
    }
}
