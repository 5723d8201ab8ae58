import HaloDevices
import HaloProtocol

/// `halo workout`: starts, pauses, resumes and ends a workout on a ring, and lists stored ones.
struct WorkoutVerb: Verb {
    private enum Step: String, CaseIterable, Sendable {
        case start, pause, resume, stop, list

        /// The action on the ring and what it means; `nil` for the list, which changes nothing.
        var control: (action: WorkoutControl.Action, words: String)? {
            switch self {
            case .start: (.start, "has started")
            case .pause: (.pause, "is paused")
            case .resume: (.resume, "goes on")
            case .stop: (.end, "has ended")
            case .list: nil
            }
        }
    }

    private let request: DeviceRequest
    private let step: Step
    private let sport: Sport

    private static let sports = Sport.allCases.map { word("\($0)") }

    /// The words that people have for sports with another name.
    private static let synonyms = [
        "running": "run", "jogging": "run", "walking": "walk", "cycling": "cycle",
        "biking": "cycle",
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
        the sport; walk if left out. Give the same one in every step. One of: \
        \(sports.joined(separator: " "))
        """
    ) { name in sport(named: name) }

    static let syntax = VerbSyntax(
        "workout", "starts, pauses, resumes and ends a workout, and lists stored ones",
        forms: [Step.allCases.map(\.rawValue).joined(separator: "|")],
        words: Step.allCases.map(\.rawValue), options: [sportOption],
        deviceOptions: DeviceRequest.options,
        json: """
            one JSON object: type (workout), step, sport, start (the key of the record, or null); \
            with list one for each workout: type (stored-workout), sport, start, seconds, steps, \
            metres, kilocalories, leastBPM, meanBPM, mostBPM
            """,
        examples: [
            "halo workout start --sport running",
            "halo workout stop --sport running",
        ],
        """
        The workout runs on the ring, which measures and stores by itself: it goes on while
        nothing is connected. Workouts of 20 seconds were not stored, workouts of a minute were.
        Seen on an R10 only. list prints the workouts that the ring has stored, with times of the
        ring's clock.
        """)

    init(_ arguments: ParsedArguments) throws(ArgumentError) {
        let words = Step.allCases.map(\.rawValue)
        guard let word = try arguments.words(atMost: 1).first?.text else {
            throw .wrongUsage("say what to do: \(words.joined(separator: ", "))")
        }
        step = try Choice.value(word, of: "halo workout", from: words, Step.init(rawValue:))
        sport = try arguments.value(of: Self.sportOption) ?? .walk
        request = try DeviceRequest(arguments)
    }

    func run(_ console: inout Console) async throws(Failure) -> ExitStatus {
        try await request.withRing(&console) { (ring, console) async throws(Failure) in
            guard let control = step.control else { return try await list(ring, &console) }
            let answer = try await using { () async throws(DeviceError) in
                try await ring.ask(WorkoutControl.Request(control.action, sport))
            }
            guard case .value(let reply) = answer else {
                throw Failure(DeviceError(.notSupported, command: WorkoutControl.facts.name))
            }
            if console.isJSON {
                console.write(
                    type: "workout",
                    [
                        ("step", .string(step.rawValue)), ("sport", .string("\(sport)")),
                        ("start", .text(reply.start.map { "\($0)" })),
                    ])
            } else {
                console.write("\(ring.displayName.printable): the workout \(control.words)\n")
            }
            return .success
        }
    }

    // MARK: Stored workouts

    private nonisolated(nonsending) func list(
        _ ring: Ring, _ console: inout Console
    ) async throws(Failure) -> ExitStatus {
        let workouts = try await using { () async throws(DeviceError) in
            try await ring.workouts()
        }
        if console.isJSON {
            for workout in workouts {
                console.write(type: "stored-workout", Self.members(workout))
            }
            return .success
        }
        for line in TextLayout.lines(of: workouts.map(Self.row)) { console.write(line + "\n") }
        if workouts.isEmpty { console.remark("\(ring.displayName) has stored no workout") }
        return .success
    }

    private static func row(_ workout: WorkoutRecord) -> [String] {
        let heart = [workout.lowestBeatsPerMinute, workout.highestBeatsPerMinute].compactMap(\.self)
        return [
            workout.start.map { "\($0)" } ?? "no date", workout.sport.map { "\($0)" } ?? "unknown",
            workout.duration.map { "\(Int(($0 / .seconds(60)).rounded())) min" } ?? "",
            workout.steps.map { TextLayout.count($0, "step") } ?? "",
            workout.metres.map { "\($0) m" } ?? "",
            workout.kilocalories.flatMap { ChartNumber.text($0, decimals: 0) }.map { "\($0) kcal" }
                ?? "",
            DemoText.range(heart).map { "\($0) bpm" } ?? "",
        ]
    }

    private static func members(_ workout: WorkoutRecord) -> JSONValue.Members {
        func number(_ value: Int?) -> JSONValue { value.map { .number($0) } ?? .null }
        return [
            ("sport", .text(workout.sport.map { "\($0)" })),
            ("start", .text(workout.start.map { "\($0)" })),
            ("seconds", number(workout.duration.map { Int($0 / .seconds(1)) })),
            ("steps", number(workout.steps)), ("metres", number(workout.metres)),
            ("kilocalories", workout.kilocalories.map { .decimal($0) } ?? .null),
            ("leastBPM", number(workout.lowestBeatsPerMinute)),
            ("meanBPM", number(workout.averageBeatsPerMinute)),
            ("mostBPM", number(workout.highestBeatsPerMinute)),
        ]
    }
}
