import HaloDevices
import HaloHealth
import HaloProtocol

struct WorkoutVerb: Verb {
    /// The words, with the action on the ring; the list changes nothing.
    private static let steps: [(word: String, action: WorkoutControl.Action?)] = [
        ("start", .start), ("pause", .pause), ("resume", .resume), ("stop", .end), ("list", nil),
    ]
    private static let words = steps.map(\.word)

    private let request: DeviceRequest
    private let step: (word: String, action: WorkoutControl.Action?)
    private let sport: Sport

    private static let sports = Sport.allCases.map { word("\($0)") }

    private static let synonyms = [
        "running": "run", "jogging": "run", "walking": "walk", "cycling": "cycle",
        "biking": "cycle", "bike": "cycle", "bicycle": "cycle",
    ]

    /// Returns a name as a word of the command line: `rope-skipping`.
    private static func word(_ name: String) -> String {
        name.reduce(into: "") { word, letter in
            word += letter.isUppercase ? "-" + letter.lowercased() : String(letter)
        }
    }

    private static func sport(named name: String) -> Sport? {
        let name = synonyms[name.lowercased()] ?? name
        return Sport.allCases.first { ["\($0)", word("\($0)")].contains(name) }
    }

    private static let sportOption = Option<Sport>.choice(
        "sport", "NAME", from: sports,
        """
        the sport (default: walk). Give the same one in every step. One of: \
        \(sports.joined(separator: " "))
        """
    ) { name in sport(named: name) }

    static let syntax = VerbSyntax(
        "workout", "starts, pauses, resumes and ends a workout, and lists stored ones",
        forms: [words.joined(separator: "|")], words: words,
        options: [sportOption, DeviceRequest.setClock],
        deviceOptions: DeviceRequest.options,
        json: """
            one JSON object: type (workout), step, sport, start (the key of the record, or null); \
            with list one for each workout, as 'halo history workouts' has it: type (workouts), \
            ring, time, utc, sport, seconds, metres, kilocalories, steps, averageBPM, lowestBPM, \
            highestBPM
            """,
        examples: [
            "halo workout start --sport running",
            "halo workout stop --sport running",
        ],
        """
        The workout runs on the ring, which measures and stores by itself: it continues while
        nothing is connected. Workouts of 20 seconds were not stored, workouts of a minute were.
        Seen on an R10 only. A ring confirms a step, but does not report whether a workout was
        running. list prints the workouts that the ring has stored, with times of the ring's clock,
        which --set-clock sets first.
        """)

    init(_ arguments: ParsedArguments) throws(Failure) {
        // The name of the action will do, too.
        step = try arguments.value(
            ofWord: "what to do", of: "workout", from: Self.words
        ) { word in
            Self.steps.first { $0.word == word || $0.action.map { "\($0)" } == word }
        }
        sport = try arguments.value(of: Self.sportOption) ?? .walk
        request = try DeviceRequest(arguments)
    }

    func run(_ console: inout Console) async throws(Failure) -> ExitStatus {
        try await request.withRing(&console) {
            (ring, console) async throws(Failure) in
            ConnectedRing(ring: ring).remarkOnOldClock(&console)
            guard let action = step.action else { return try await list(ring, &console) }
            let answer = try await using { () async throws(DeviceError) in
                try await ring.ask(WorkoutControl.Request(action, sport))
            }
            guard case .value(let reply) = answer else {
                throw Failure(
                    .unusable, "\(ring.displayName) refused the request",
                    advice: "Workouts have been seen on an R10 only.")
            }
            console.write(
                type: "workout",
                [
                    "step": step.word, "sport": "\(sport)",
                    "start": reply.start.map { "\($0)" },
                ],
                or: "\(ring.displayName.printable) has confirmed: \(step.word)\n")
            return .success
        }
    }

    private nonisolated(nonsending) func list(
        _ ring: Ring, _ console: inout Console
    ) async throws(Failure) -> ExitStatus {
        let workouts = try await using { () async throws(DeviceError) in
            try await ring.log(.workouts)
        }
        if console.isJSON {
            var history = RingHistory(today: ring.time.wallClock().local.date)
            history[.workouts] = workouts
            var bytes: [UInt8] = []
            var exporter = HistoryExporter.jsonLines(of: [.workouts], ring: ring.displayName)
            exporter.append(history, to: &bytes)
            console.write(bytes)
            return .success
        }
        let rows = workouts.map(Self.row)
        for line in TextLayout.lines(of: rows, width: console.tableWidth) {
            console.write(line + "\n")
        }
        if workouts.isEmpty { console.remark("\(ring.displayName) has no stored workouts") }
        return .success
    }

    static func row(_ workout: WorkoutRecord) -> [String] {
        let heart = [workout.lowestBeatsPerMinute, workout.highestBeatsPerMinute].compactMap(\.self)
        return [
            workout.start.map { "\($0)" } ?? "no date", workout.sport.map { "\($0)" } ?? "unknown",
            workout.duration.map { "\(Int(($0 / .seconds(60)).rounded())) min" } ?? "",
            workout.steps.map { TextLayout.count($0, "step") } ?? "",
            workout.metres.map { "\($0) m" } ?? "",
            workout.kilocalories.flatMap { ChartNumber.text($0, decimals: 0) }.map { "\($0) kcal" }
                ?? "",
            ReportText.range(heart).map { "\($0) bpm" } ?? "",
        ]
    }
}
