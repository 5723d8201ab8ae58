import HaloCapture
import HaloDevices
import HaloHealth
import HaloProtocol

struct ReportVerb: Verb {
    private let source: HistorySource
    private let output: FilePath
    private let age: Int?

    private static let ageOption = Option.number(
        "age", "YEARS", in: 1...120, "the wearer's age, for heart-rate zones")

    static let syntax = VerbSyntax(
        "report", "makes a page for a browser, with charts of what a ring has stored",
        forms: ["FILE"], takesFiles: true,
        options: HistorySource.options + [ageOption, CommonOptions.force],
        deviceOptions: DeviceRequest.options,
        json: """
            one JSON object: type (report), ring, since, through, failures, path, bytes
            """,
        difference: "something could not be read from the ring",
        examples: [
            "halo report week.html", "halo report year.html --stored --days 365",
        ],
        """
        Makes one HTML file: each week at a glance, and a section for each day with the night, the
        heart rate, steps, blood oxygen, stress, variability and temperature. Of more than 31 days,
        it has trends by week and month, and each month at a glance. It needs no other file, no
        script and no network, and prints well. Missing values are marked, with the reason. The page
        makes no diagnosis.

        Without --stored the last days are read from a ring, and nothing else is kept. A page has
        at most \(HealthReport.mostDays) days. 'halo demo --report FILE' makes one without a ring.
        With - as FILE, the page goes to standard output.
        """)

    init(_ arguments: ParsedArguments) throws(Failure) {
        guard let path = try arguments.words(atMost: 1).first?.path else {
            throw .wrongUsage("say where the page goes, as in 'halo report week.html'")
        }
        output = path
        source = try HistorySource(arguments)
        if let input = source.input { try FileArguments.check(path, differsFrom: input) }
        age = try arguments.value(of: Self.ageOption)
    }

    func run(_ console: inout Console) async throws(Failure) -> ExitStatus {
        try OutputFile.prepare(output, &console)
        let read = try await source.read(
            Set(HistoryKind.allCases), daysBefore: HealthReport.daysBefore, &console)
        let history = read.history
        let report = HealthReport(
            history, since: read.first, through: read.days.upperBound, ring: read.ring,
            battery: read.battery,
            logging: read.logging, ageYears: age, remark: source.remark(on: read))
        let (page, days) = report.page()
        if days == nil, source.isStored {
            let (first, last) = (read.days.lowerBound, read.days.upperBound)
            throw Failure(
                .notFound,
                "the file has no values of \(first == last ? "\(first)" : "\(first) to \(last)")",
                advice: "'halo history --rings' lists its rings with the days of their values.")
        }
        try OutputFile.write(page, to: output, &console)
        history.remarkOnFailures(&console)
        let count = days.map { $0.lowerBound.daysAgo(from: $0.upperBound) + 1 } ?? 0
        console.write(
            type: "report",
            [
                "ring": read.ring, "since": days.map { "\($0.lowerBound)" },
                "through": days.map { "\($0.upperBound)" },
                "failures": history.failures.map { "\($0)" }, "path": output.text,
                "bytes": page.count,
            ],
            or: "\(TextLayout.count(count, "day")) of \(read.ring.printable) in "
                + "\(output.text.printable)\n")
        return history.isComplete ? .success : .difference
    }
}
