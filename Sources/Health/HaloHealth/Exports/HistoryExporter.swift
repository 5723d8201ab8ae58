public import HaloDevices

/// An exporter of histories as text for other programs: CSV, JSON lines, or InfluxDB's line
/// protocol.
///
///     var bytes: [UInt8] = []
///     var exporter = HistoryExporter.csv(of: .heartRate)
///     exporter.append(history, to: &bytes)
///
/// A long history can be appended in parts, for example month by month: each `append` adds the rows
/// of one part, and the caller writes and empties its buffer in between. A part's rows are in the
/// order of the history; parts that overlap give rows twice.
///
/// Times are those of the ring's clock, as `2026-01-05T09:00:00`, and beside it in UTC, as
/// `2026-01-05T08:00:00Z`, if that is known. `minutes` is the length of the period that begins
/// then, and for which the value stands: of a heart rate, the ring's usual interval at the most.
/// `assumedSecondsFromUTC` is the offset of the ring's clock for values of which it is not
/// known.
public struct HistoryExporter: Sendable {
    private var writers: [RowWriter]

    private init(
        _ tables: [HistoryTable], _ format: HistoryFormat, ring: String?, assuming offset: Int?
    ) {
        writers = tables.map { RowWriter($0, format, ring: ring, assuming: offset) }
    }

    /// Returns an exporter of one table as CSV (RFC 4180), with a line of column names.
    ///
    /// Values that are not known are empty. In the name of the ring, control characters become
    /// spaces; a name that begins with `=`, `+`, `-` or `@`, and would be a formula in a
    /// spreadsheet, gets an apostrophe before it.
    ///
    /// - Parameter ring: The content of a first column `ring`; there is none if it is left out.
    public static func csv(
        of table: HistoryTable, ring: String? = nil, assumedSecondsFromUTC: Int? = nil
    ) -> HistoryExporter {
        HistoryExporter([table], .csv, ring: ring, assuming: assumedSecondsFromUTC)
    }

    /// Returns an exporter of tables as JSON lines: each value is an object on a line of its own,
    /// with its table as `type`, and the name of the ring as `ring`. Values that are not known are
    /// `null`.
    public static func jsonLines(
        of tables: [HistoryTable] = HistoryTable.stored, ring: String? = nil,
        assumedSecondsFromUTC: Int? = nil
    ) -> HistoryExporter {
        HistoryExporter(tables, .jsonLines, ring: ring, assuming: assumedSecondsFromUTC)
    }

    /// Returns an exporter of tables as InfluxDB's line protocol, with timestamps in nanoseconds.
    ///
    /// The measurement is the table; the ring, the stage of sleep, the sport, and whether sleep was
    /// a night or a nap are tags. Backslashes in the name of the ring become slashes, and control
    /// characters spaces: a tag cannot have them.
    ///
    /// Values whose time in UTC is not known, and not assumed, are left out, and counted in
    /// ``omittedRowCount``.
    public static func lineProtocol(
        of tables: [HistoryTable] = HistoryTable.stored, ring: String? = nil,
        assumedSecondsFromUTC: Int? = nil
    ) -> HistoryExporter {
        HistoryExporter(tables, .influx, ring: ring, assuming: assumedSecondsFromUTC)
    }

    /// The tables, in their order.
    package var tables: [HistoryTable] { writers.map(\.table) }

    /// The number of values that were written.
    public var rowCount: Int { writers.reduce(0) { $0 + $1.rows } }

    /// The number of values that were left out, because line protocol needs UTC.
    public var omittedRowCount: Int { writers.reduce(0) { $0 + $1.rowsWithoutUTC } }

    /// Appends the values of a history to the bytes, and before the first ones the line of column
    /// names, if the format has one.
    ///
    /// - Parameter days: The days of which rows are written; `nil` for all. The table
    ///   ``HistoryTable/day`` then has a row for each of them, also for one without values. Values
    ///   of at most 35 earlier days are for figures that compare, so a part of a long history
    ///   should have them.
    public mutating func append(
        _ history: RingHistory, days: ClosedRange<CivilDate>? = nil, to bytes: inout [UInt8]
    ) {
        let shown = days.map { history.limited(to: $0) } ?? history
        for index in writers.indices {
            swap(&bytes, &writers[index].bytes)
            if writers[index].table == .day {
                writers[index].appendDays(of: history, days ?? history.days)
            } else {
                writers[index].append(shown)
            }
            swap(&bytes, &writers[index].bytes)
        }
    }

    /// Appends charges of the ring's battery, which a history does not have, to the bytes.
    public mutating func append(
        _ battery: [TimedSample<BatteryCharge>], to bytes: inout [UInt8]
    ) {
        for index in writers.indices where writers[index].table == .battery {
            swap(&bytes, &writers[index].bytes)
            writers[index].append(battery)
            swap(&bytes, &writers[index].bytes)
        }
    }
}

extension RingHistory {
    /// The days from the first one with a value on; `nil` without any.
    fileprivate var days: ClosedRange<CivilDate>? {
        let dates = datesWithValues.filter { $0 <= today }
        return dates.min().map { $0...today }
    }
}

extension RowWriter {
    fileprivate mutating func append(_ battery: [TimedSample<BatteryCharge>]) {
        appendHeader()
        for charge in battery where begin(charge.time, secondsFromUTC: charge.secondsFromUTC) {
            whole(charge.value.percent)
            flag(charge.value.isCharging)
            end()
        }
    }

    fileprivate mutating func appendDays(
        of history: RingHistory, _ days: ClosedRange<CivilDate>?
    ) {
        guard hasRowsOfDays else { return }
        appendHeader()
        guard let days else { return }
        let figures = HealthFigures(history)
        var day = days.lowerBound
        while day <= days.upperBound {
            append(figures.day(day), until: history.readEnd(on: day))
            guard let next = day.advanced(byDays: 1) else { return }
            day = next
        }
    }

    /// Writes a row in the order of the columns of ``HistoryTable/day``.
    private mutating func append(_ figures: DailyFigures, until: CivilDateTime?) {
        begin(day: figures.day)
        time(until)
        whole(figures.steps.value)
        whole(figures.metres.value)
        decimal(figures.kilocalories.value)
        let night = figures.night.value
        time(night?.fellAsleep)
        time(night?.woke)
        whole(night?.asleepMinutes)
        whole(night?.lightMinutes)
        whole(night?.deepMinutes)
        whole(night?.remMinutes)
        whole(night?.awakeMinutes)
        whole(figures.naps.value?.asleepMinutes)
        tenths(figures.restingBeatsPerMinute)
        whole(figures.lowestBeatsPerMinute.value)
        tenths(figures.averageBeatsPerMinute)
        whole(figures.highestBeatsPerMinute.value)
        tenths(figures.heartRateVariability)
        whole(figures.oxygen.value?.lowestPercent)
        tenths(figures.oxygen.map(\.averagePercent))
        tenths(figures.temperatureDeviation)
        tenths(figures.stress)
        end()
    }

    /// Writes a mean with one decimal: more are not in the values.
    private mutating func tenths(_ figure: Figure<Double>) {
        decimal(figure.value.map { ($0 * 10).rounded() / 10 })
    }

    fileprivate mutating func append(_ history: RingHistory) {
        appendHeader()
        switch table {
        case .heartRate:
            let rates = history[.heartRate]
            append(rates.withLoggedMinutes() ?? rates) { $0.whole($1) }
        case .stress: append(history[.stress]) { $0.whole($1) }
        case .heartRateVariability: append(history[.heartRateVariability]) { $0.whole($1) }
        case .activity:
            append(history[.activity]) {
                $0.whole($1.steps)
                $0.whole($1.metres)
                $0.decimal($1.kilocalories)
            }
        case .bloodOxygen:
            append(history[.bloodOxygen]) {
                $0.whole($1.lowestPercent)
                $0.whole($1.highestPercent)
            }
        case .temperature: append(history[.temperature]) { $0.decimal($1) }
        case .sleep: for record in history[.sleep] { append(record) }
        case .sleepStages: for record in history[.sleep] { appendStages(of: record) }
        case .workouts: for workout in history[.workouts] { append(workout) }
        case .totals: appendTotals(of: history)
        case .battery, .day: break
        }
    }

    private mutating func append<Value>(
        _ samples: [TimedSample<Value>], _ values: (inout RowWriter, Value) -> Void
    ) {
        for sample in samples where begin(sample.time, secondsFromUTC: sample.secondsFromUTC) {
            whole(sample.minutes)
            values(&self, sample.value)
            end()
        }
    }

    private mutating func append(_ record: SleepRecord) {
        guard begin(record.start, secondsFromUTC: record.secondsFromUTC) else { return }
        word(record.isNap ? "nap" : "night")
        whole((Int(record.end.secondsSince1970) - Int(record.start.secondsSince1970)) / 60)
        whole(record.minutesAsleep > 0 ? record.minutesAsleep : nil)
        time(record.end)
        utc(record.end, secondsFromUTC: record.secondsFromUTC)
        end()
    }

    private mutating func appendStages(of record: SleepRecord) {
        for stage in record.stages
        where begin(stage.time, secondsFromUTC: stage.secondsFromUTC) {
            word(stage.value.rawValue)
            whole(stage.minutes)
            time(record.start)
            end()
        }
    }

    private mutating func append(_ workout: WorkoutRecord) {
        guard begin(workout.start, secondsFromUTC: workout.secondsFromUTC) else { return }
        word(workout.sport?.label)
        whole(workout.duration.map { Int(clamping: $0.saturatedComponents.seconds) })
        whole(workout.metres)
        decimal(workout.kilocalories)
        whole(workout.steps)
        whole(workout.averageBeatsPerMinute)
        whole(workout.lowestBeatsPerMinute)
        whole(workout.highestBeatsPerMinute)
        end()
    }

    private mutating func appendTotals(of history: RingHistory) {
        guard let totals = history.totals,
            begin(history.readAt, secondsFromUTC: history.secondsFromUTC)
        else { return }
        day(history.today)
        whole(totals.steps)
        whole(totals.runningSteps)
        whole(totals.metres)
        decimal(totals.kilocalories)
        whole(totals.activeTime.wholeMinutes)
        end()
    }
}
