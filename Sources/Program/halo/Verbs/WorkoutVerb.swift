import HaloDevices
import HaloProtocol

/// `halo workout`: starts, pauses, resumes and ends a workout on a ring.
struct WorkoutVerb: Verb {
    private enum Step: String, CaseIterable, Sendable {
        case start, pause, resume, stop

        var action: WorkoutControl.Action {
            switch self {
            case .start: .start
            case .pause: .pause
            case .resume: .resume
            case .stop: .end
            }
        }

        var words: String {
            switch self {
            case .start: "has started"
            case .pause: "is paused"
            case .resume: "goes on"
            case .stop: "has ended"
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
        "biking": "cycle", "hike": "hiking",
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
        "workout", "starts, pauses, resumes and ends a workout",
        forms: [Step.allCases.map(\.rawValue).joined(separator: "|")],
        words: Step.allCases.map(\.rawValue), options: [sportOption] + DeviceRequest.options,
        json: """
            one JSON object: type (workout), step, sport, start (the key of the record, or null)
            """,
        """
        The workout runs on the ring, which measures and stores by itself: it goes on while
        nothing is connected. Workouts of 20 seconds were not stored, workouts of a minute were.
        Seen on an R10 only.
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
        let (step, sport) = (step, sport)
        let (answer, name) = try await request.withRing(&console) {
            (ring, _) async throws(Failure) in
            let answer = try await using { () async throws(DeviceError) in
                try await ring.ask(WorkoutControl.Request(step.action, sport))
            }
            return (answer, ring.displayName)
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
            console.write("\(name.printable): the workout \(step.words)\n")
        }
        return .success
    }
}
