/// A column of a table.
struct ExportColumn {
    enum Role {
        /// The beginning on the ring's clock, and in UTC.
        case time, utc
        /// A word of few: a tag in InfluxDB. Tags precede fields.
        case tag
        case field
        /// Another time or day, which InfluxDB's lines leave out.
        case note
    }

    let name: StaticString
    let role: Role

    private static func columns(_ names: [(StaticString, Role)]) -> [ExportColumn] {
        [ExportColumn(name: "time", role: .time), ExportColumn(name: "utc", role: .utc)]
            + names.map { ExportColumn(name: $0.0, role: $0.1) }
    }

    private static func samples(_ fields: StaticString...) -> [ExportColumn] {
        columns([("minutes", .field)] + fields.map { ($0, .field) })
    }

    static func columns(of table: HistoryTable) -> [ExportColumn] {
        switch table {
        case .heartRate: samples("bpm")
        case .stress: samples("score")
        case .heartRateVariability: samples("milliseconds")
        case .activity: samples("steps", "metres", "kilocalories")
        case .bloodOxygen: samples("lowest_percent", "highest_percent")
        case .temperature: samples("celsius")
        case .sleep:
            columns([
                ("period", .tag), ("minutes", .field), ("minutes_asleep", .field),
                ("end", .note), ("end_utc", .note),
            ])
        case .sleepStages:
            columns([("stage", .tag), ("minutes", .field), ("sleep_start", .note)])
        case .workouts:
            columns([
                ("sport", .tag), ("seconds", .field), ("metres", .field),
                ("kilocalories", .field), ("steps", .field), ("average_bpm", .field),
                ("lowest_bpm", .field), ("highest_bpm", .field),
            ])
        case .totals:
            columns([
                ("day", .note), ("steps", .field), ("running_steps", .field), ("metres", .field),
                ("kilocalories", .field), ("active_minutes", .field),
            ])
        }
    }
}
