import HaloCapture
import HaloDevices
import HaloHealth
import HaloProtocol
import HaloTransport

struct HistoryVerb: Verb {
    private let source: HistorySource
    private let choice: HistoryChoice?
    private let folder: FilePath?
    private let isInflux: Bool
    private let assumesZone: Bool
    private let isCurrent: Bool
    private let listsRings: Bool

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
        and none that is older than usual for its kind; of a file, at the present time
        """)

    private static let ringsOption = Flag(
        "rings", "lists the rings of the file, with the days of their values")

    static let syntax = VerbSyntax(
        "history", "shows what a ring has stored: pictures, JSON, CSV, line protocol",
        forms: ["[KIND]"], words: HistoryChoice.words,
        options: HistorySource.options
            + [
                csvOption, influxOption, zoneOption, currentOption, ringsOption,
                CommonOptions.force,
            ],
        deviceOptions: DeviceRequest.options,
        json: """
            one JSON object a line: one for each value (type, ring, time, utc, minutes and the \
            value with its unit), one of type battery (percent, isCharging), one for each day with \
            day as KIND, and a last one of type history (ring, address, today, readAt, \
            secondsFromUTC, unsupported, failures, freshness of each kind, days with the outcome \
            for each kind and readUntil of one that was not read to its end, missing days of each \
            kind with the reason, written)
            """,
        difference: "something could not be read from the ring",
        examples: [
            "halo history --virtual=r10",
            "halo history sleep --days 1 --json",
            "halo history --stored --csv week",
            "halo history hr --day yesterday",
            "halo history --stored --since 2026-01-05 --until 2026-01-11",
            "halo history --current --days 2 --json",
        ],
        """
        Reads the last days from a ring, and draws them. Only 'halo sync' saves them. A
        ring holds a week at most, and most rings hold some kinds for less; what is missing is
        marked, and never drawn as zero. Nothing is changed on the ring, not even its clock, unless
        --set-clock is given.

        Without a kind, the last day is drawn, with a line for each day; with one there is a chart
        for each day, or each night and nap. Kinds: \(HistoryChoice.words.joined(separator: ", ")).
        Abbreviations such as hr, hrv, spo2 and steps are taken as well. battery lists the charges
        at each read, and day has a line a day: steps, sleep, resting heart rate …

        --days, --since and --until select the days, two of them together as well, and --day
        selects one.

        --stored shows the file of 'halo sync', as many days as you like; so does --file with its
        name. If it has several rings, --rings lists them, and --device selects one.

        Times are those of the ring's clock. JSON and CSV have the time in UTC beside it,
        if the clock's offset is known; line protocol has it instead.
        """)

    init(_ arguments: ParsedArguments) throws(Failure) {
        choice = try arguments.words(atMost: 1).first.map { (word) throws(Failure) in
            try Choice.value(
                word.text, of: "history", from: HistoryChoice.words, or: HistoryKind.shortNames,
                HistoryChoice.init(named:))
        }
        source = try HistorySource(arguments)
        assumesZone = arguments.has(Self.zoneOption)
        isInflux = arguments.has(Self.influxOption)
        folder = try arguments.value(of: Self.csvOption)
        isCurrent = arguments.has(Self.currentOption)
        listsRings = arguments.has(Self.ringsOption)
        if listsRings, !source.isStored {
            throw .wrongUsage("--rings is for a file: --stored or --file FILE")
        }
        if folder?.isStandard == true { throw .wrongUsage("--csv takes a folder") }
        if isInflux, choice == .day {
            throw .wrongUsage("line protocol has no days; --csv and --json have")
        }
        if folder != nil, isInflux { throw .wrongUsage("give either --influx or --csv") }
        if folder == nil, arguments.has(CommonOptions.force) {
            throw .wrongUsage("--force is for files: --csv FOLDER")
        }
    }

    func run(_ console: inout Console) async throws(Failure) -> ExitStatus {
        if listsRings { return try list(&console) }
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
        let read = try await source.read(kinds, &console)
        return try show(read, &console)
    }

    /// Prints a line for each ring of the file.
    private func list(_ console: inout Console) throws(Failure) -> ExitStatus {
        let rings = try source.rings()
        for (ring, days) in rings where console.isJSON {
            console.write(
                type: "ring",
                [
                    "ring": ring.displayName, "address": ring.identity.rawValue,
                    "since": days.map { "\($0.lowerBound)" },
                    "through": days.map { "\($0.upperBound)" }, "readAt": ring.lastRead.iso8601,
                ])
        }
        if console.isJSON { return .success }
        let rows = rings.map { ring, days in
            [
                ring.displayName.printable, ring.identity.rawValue.printable,
                days.map { "\($0.lowerBound) to \($0.upperBound)" } ?? "no values",
                "read at \(ring.lastRead)",
            ]
        }
        for line in TextLayout.lines(of: rows, width: console.tableWidth) {
            console.write(line + "\n")
        }
        return .success
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
            console.write(type: "history", members(read, written))
        } else {
            for file in written {
                let count = TextLayout.count(file.values, "value")
                console.write("\(file.path.text.printable): \(count)\n")
            }
        }
        return history.isComplete ? .success : .difference
    }

    // MARK: Other programs

    /// Appends the values of a read part by part, and the charges of the battery.
    private func append(
        _ kinds: Set<HistoryKind>, of read: HistorySource.Read, to exporter: inout HistoryExporter,
        _ write: ([UInt8]) throws(Failure) -> Void
    ) throws(Failure) {
        var bytes: [UInt8] = []
        if isCurrent {
            exporter.append(Self.current(read), to: &bytes)
            exporter.append(Self.currentCharges(read), to: &bytes)
            return try write(bytes)
        }
        // Only rows of days compare with earlier days.
        let hasDays = exporter.tables.contains(.day)
        try read.parts(kinds, hasDays ? HealthReport.daysBefore : 0) {
            (history, days) throws(Failure) in
            bytes.removeAll(keepingCapacity: true)
            exporter.append(history, days: hasDays ? days : nil, to: &bytes)
            try write(bytes)
        }
        bytes.removeAll()
        exporter.append(read.battery, to: &bytes)
        try write(bytes)
    }

    /// The values of now. Those of a file were current when it was read, and may be old.
    private static func current(_ read: HistorySource.Read) -> RingHistory {
        var history = read.history
        if let now = read.now, let readAt = history.readAt, now > readAt {
            history.readAt = now
            if now.date != history.today { history.totals = nil }
        }
        return history.currentValues(logging: read.logging)
    }

    /// The last charge, unless it is more than a day old.
    private static func currentCharges(
        _ read: HistorySource.Read
    ) -> [TimedSample<BatteryCharge>] {
        read.battery.suffix(1).filter { charge in
            read.now.map { $0.secondsSince1970 <= charge.time.secondsSince1970 + 86_400 } ?? true
        }
    }

    private var assumedSecondsFromUTC: Int? {
        assumesZone ? SystemTime().wallClock().secondsFromUTC : nil
    }

    private var kinds: Set<HistoryKind> {
        choice?.kindsToRead ?? Set(HistoryKind.allCases)
    }

    /// The tables of the choice. Without one, rows of days are only in a file of their own: they
    /// repeat the others.
    private var tables: [HistoryTable] {
        choice?.tables ?? (folder == nil ? HistoryTable.stored : HistoryTable.allCases)
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
        try append(kinds, of: read, to: &exporter) { bytes in console.write(bytes) }
        guard exporter.omittedRowCount > 0 else { return }
        console.remark(
            "\(TextLayout.count(exporter.omittedRowCount, "value")) left out: their time in UTC is "
                + "not known; --assume-zone assumes this computer's time zone")
    }

    private func writeTables(
        of read: HistorySource.Read, into folder: FilePath, _ console: inout Console
    ) throws(Failure) -> [Written] {
        let lacking = HistoryChoice.kinds.filter(read.history.unsupported.contains)
            .flatMap { HistoryChoice.kind($0).kindsToRead }
        let tables = tables.filter { !($0.kind.map(lacking.contains) ?? false) }
        try folder.makeFolder(mode: 0o755)
        var written: [Written] = []
        for table in tables {
            var exporter = HistoryExporter.csv(
                of: table, ring: read.ring, assumedSecondsFromUTC: assumedSecondsFromUTC)
            var file = try OutputFile(folder.file(of: table), &console)
            let kinds = table.kind.map { [$0] } ?? (table == .day ? kinds : [])
            try append(kinds, of: read, to: &exporter) { (bytes) throws(Failure) in
                try file.write(bytes)
            }
            try file.commit()
            written.append((folder.file(of: table), file.length, exporter.rowCount))
        }
        return written
    }

    private func members(
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
                    "readUntil": history.readEnd(of: day.kind, on: day.date)?.iso8601,
                ]
            },
            "missing": missing(read),
            "written": JSONObject.list(written) { file in
                ["path": file.path.text, "bytes": file.bytes, "values": file.values]
            },
        ]
    }

    /// The days without values of each kind that was asked for, with the reasons.
    private func missing(_ read: HistorySource.Read) -> [JSONObject] {
        let reasons = MissingReasons(read.history)
        let days = Self.days(of: read)
        let asked = HistoryChoice.kinds.filter { kinds.contains($0) && $0 != .workouts }
        return asked.flatMap { kind in
            reasons.missingDays(of: kind, on: days).map { run in
                [
                    "kind": kind.rawValue, "since": "\(run.first)", "through": "\(run.last)",
                    "reason": run.reason.code, "text": run.reason.sentence(of: kind),
                ]
            }
        }
    }

    // MARK: Pictures

    private func lines(
        of read: HistorySource.Read, _ console: Console
    ) -> [String] {
        let history = read.history
        let summaries = DaySummary.all(Self.days(of: read), in: history)
        let (width, style) = (console.width, console.style)
        let isToday = read.days.upperBound >= history.today
        let picture =
            history.readAt.flatMap {
                isToday ? HistoryPicture(history, until: $0, width: width, style: style) : nil
            }
            ?? HistoryPicture(
                history, of: min(read.days.upperBound, history.today), width: width, style: style)
        var parts = [
            picture.heading(
                read.ring.printable,
                [history.readAt.map { "read at \($0)" } ?? "read on \(history.today)"])
        ]
        switch choice {
        case .kind(let kind): parts += charts(of: kind, read, console)
        case .battery: parts.append(Self.table(read.battery, console))
        case .day: parts.append(Self.days(summaries.map(\.date), in: history, console))
        case nil:
            let days = Array(summaries.drop { $0.isEmpty && $0.notSynced == nil })
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

    /// A line for each day, with the figures of the table of days.
    private static func days(
        _ dates: [CivilDate], in history: RingHistory, _ console: Console
    ) -> [String] {
        let figures = HealthFigures(history)
        func text<Value>(_ figure: Figure<Value>, _ words: (Value) -> String?) -> String {
            figure.value.flatMap(words) ?? "–"
        }
        func whole(_ value: Double) -> String? { ChartNumber.text(value, decimals: 0) }
        let rows = dates.map { date in
            let day = figures.day(date)
            let until = history.readEnd(on: date).map(ReportText.clock)
            return [
                ReportText.day(date), text(day.steps) { ReportText.grouped($0) },
                text(day.night) { ReportText.hours($0.asleepMinutes) },
                text(day.restingBeatsPerMinute, whole), text(day.heartRateVariability, whole),
                text(day.oxygen) { "\($0.lowestPercent)" }, text(day.stress, whole),
                until.map { "until \($0)" } ?? "",
            ]
        }
        let head = ["Days", "steps", "sleep", "rest", "HRV", "SpO₂", "stress", ""]
        return aligned([head] + rows).enumerated().map { index, line in
            index == 0 ? console.style.strong(line) : line
        }
    }

    /// The lines of a table whose numbers are aligned to the right, and its first and last column
    /// to the left.
    private static func aligned(_ rows: [[String]]) -> [String] {
        let numbers = 1..<(rows[0].count - 1)
        let widths = numbers.map { column in rows.map { $0[column].columnCount }.max() ?? 0 }
        let rows = rows.map { row in
            let cells = zip(row[numbers], widths).map { $0.rightAligned(toColumns: $1) }
            return [row[0]] + cells + [row[row.count - 1]]
        }
        return TextLayout.lines(of: rows)
    }

    /// A line for each charge of the battery.
    private static func table(
        _ charges: [TimedSample<BatteryCharge>], _ console: Console
    ) -> [String] {
        let rows = charges.map { ["\($0.time)", "\($0.value)"] }
        let lines = TextLayout.lines(of: rows, width: console.tableWidth)
        return lines.isEmpty ? ["no charge is stored"] : lines
    }

    /// A chart for each day, or for each night and nap, or a line for each workout.
    private func charts(
        of choice: HistoryKind, _ read: HistorySource.Read, _ console: Console
    ) -> [[String]] {
        let history = read.history
        switch choice {
        case .sleep:
            return history[.sleep].map { record in
                let picture = HistoryPicture(
                    history, of: record.end.date, width: console.width, style: console.style)
                return picture.chart(of: record, titled: ReportText.day(record.end.date))
            } + (history[.sleep].isEmpty ? [["no night or nap is stored"]] : [])
        case .workouts:
            let rows = history[.workouts].map(WorkoutVerb.row)
            let lines = TextLayout.lines(of: rows, width: console.tableWidth)
            return [lines.isEmpty ? ["no workout is stored"] : lines]
        case .heartRate, .activity, .bloodOxygen, .stress, .heartRateVariability, .temperature,
            .totals:
            if history.unsupported.contains(choice) { return [] }
            return charts(ofDays: Self.days(of: read), choice, history, console)
        }
    }

    /// A chart for each day with values, and a line for each of the others; one line for all days
    /// of a gap between two reads.
    private func charts(
        ofDays days: [CivilDate], _ choice: HistoryKind, _ history: RingHistory, _ console: Console
    ) -> [[String]] {
        func picture(_ day: CivilDate) -> HistoryPicture {
            HistoryPicture(history, of: day, width: console.width, style: console.style)
        }
        let missing = MissingReasons(history).missingDays(of: choice, on: days)
        let gaps = missing.compactMap { run in
            run.reason.sentenceOfGap(of: choice).map { sentence in
                let dates = ReportText.shortPeriod(run.first, run.last)
                return (day: run.first, lines: picture(run.first).heading(dates, [sentence]))
            }
        }
        let charts = days.compactMap { day in
            picture(day).chart(
                of: choice, titled: ReportText.day(day), history.until(day).map { [$0] } ?? []
            ).map { (day: day, lines: $0) }
        }
        if charts.isEmpty, gaps.isEmpty {
            return [[days.count > 1 ? "no values in these \(days.count) days" : "no values"]]
        }
        let others = missing.filter { $0.reason.sentenceOfGap(of: choice) == nil }.flatMap { run in
            (0...run.first.daysAgo(from: run.last)).compactMap { run.first.advanced(byDays: $0) }
                .map {
                    (day: $0, lines: picture($0).heading(ReportText.day($0), [run.reason.word]))
                }
        }
        return (gaps + charts + others).sorted { $0.day < $1.day }.map(\.lines)
    }

    private func ceased(of read: HistorySource.Read) -> [Freshness] {
        // What came until a day in the past says nothing of now.
        guard read.days.upperBound >= read.history.today else { return [] }
        return read.history.freshness(logging: read.logging).filter {
            kinds.contains($0.kind) && $0.hasCeased
        }
    }

    private static func dates(_ days: ClosedRange<CivilDate>) -> [CivilDate] {
        (0...days.lowerBound.daysAgo(from: days.upperBound)).prefix(mostDaysOfAGap)
            .compactMap { days.upperBound.advanced(byDays: -$0) }.reversed()
    }

    /// The days that were read, or have a value, and those between them that were not read. A gap
    /// of more than a month stays one, unless it is one between two reads.
    private static func days(of read: HistorySource.Read) -> [CivilDate] {
        let history = read.history
        let reasons = MissingReasons(history)
        let there = history.datesWithValues.filter { $0 <= history.today }
            .union(history.coverage.days.map(\.date))
        // Days of a file of which nothing is known were not read, each of them.
        if there.isEmpty, read.first != nil { return dates(read.days) }
        let known = there.union(read.first.map { [$0] } ?? []).sorted()
        let gaps = zip(known, known.dropFirst()).map { last, next -> [CivilDate] in
            let dates = (1..<max(last.daysAgo(from: next), 1))
            guard let first = last.advanced(byDays: 1), dates.count < mostDaysOfAGap else {
                return []
            }
            let isGap = reasons.reason(for: .heartRate, on: first).sentenceOfGap(of: .heartRate)
            return dates.count > 30 && isGap == nil
                ? [] : dates.compactMap { last.advanced(byDays: $0) }
        }
        return (known + gaps.joined()).sorted()
    }

    private static let mostDaysOfAGap = 3660
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
