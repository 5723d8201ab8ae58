import HaloDevices
import HaloProtocol
import HaloTransport

/// `halo live`: a chart of what a device measures now.
struct LiveVerb: Verb {
    private let request: DeviceRequest
    private let kind: LiveKind
    private let duration: Duration?
    private let count: Int?

    private static let longestWarmUp = Duration.seconds(300)
    private static let countOption = Option.number(
        "count", "N", in: 1 ... .max, "ends after this number of values")

    static let syntax = VerbSyntax(
        "live", "shows what a device measures now", forms: ["KIND"],
        words: LiveKind.allCases.map(\.rawValue),
        options: [CommonOptions.duration, countOption] + DeviceRequest.options,
        json: """
            one JSON object a line: type value (kind, value, unit, beatMilliseconds, details, \
            seconds) or type state (state: warming-up, not-worn, link-lost, other, missed; \
            details, beatMilliseconds, seconds)
            """,
        """
        Measures, and shows a chart; without a terminal, a line for each value. KIND is hr, spo2,
        stress, hrv, temperature, motion or raw. A strap measures hr only. Not all rings measure
        everything: raw and motion were seen on rings with a BlueX chip.

        A ring needs some 26 seconds for the first heart rate, and a minute for its variability.
        Most rings end a measurement within a minute; it is started again. At Ctrl-C the
        measurement is stopped, and the device disconnected. With --for or --count and without a
        terminal, a virtual device measures on virtual time, in no time.
        """)

    init(_ arguments: ParsedArguments) throws(ArgumentError) {
        guard let word = try arguments.words(atMost: 1).first?.text else {
            throw .wrongUsage(
                "say what to measure: \(LiveKind.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        kind = try Choice.value(
            word, of: "halo live", from: LiveKind.allCases.map(\.rawValue), LiveKind.init(rawValue:)
        )
        request = try DeviceRequest(arguments)
        duration = try arguments.value(of: CommonOptions.duration)
        count = try arguments.value(of: Self.countOption)
    }

    func run(_ console: inout Console) async throws(Failure) -> ExitStatus {
        ProgramEnding.cancelsTask()
        // A bounded number of values for another program need not take real time.
        let isBounded = duration != nil || count != nil
        let access = try await DeviceAccess(
            request, isShown: !isBounded || LiveView.isPossible, &console)
        let device = try await access.connect(
            DeviceKind.measuring(kind), setsClock: false)
        try await device.whileConnected { () async throws(Failure) in
            try await show(device, access.transport.time, &console)
        }
        return .success
    }

    private static var warmsUpForEver: Failure {
        Failure(
            .unusable, "no value came in \(longestWarmUp.words)",
            advice: "'halo info' shows what this device can measure.")
    }

    /// Measures, and adds the events that a function makes of the readings.
    private func measure<Value>(
        _ device: any ConnectedDevice, _ events: LiveEvents<Value>,
        _ event: @escaping @Sendable (LiveReading) -> Value
    ) -> Task<Void, Never> {
        Task { [kind] in
            do throws(DeviceError) {
                try await device.measure(kind) { events.add(event($0)) }
                events.finish()
            } catch {
                events.fail(Failure(error))
            }
        }
    }

    private nonisolated(nonsending) func show(
        _ device: any ConnectedDevice, _ time: any TransportTime, _ console: inout Console
    ) async throws(Failure) {
        let view = console.isJSON ? nil : LiveView(&console)
        defer { view?.close() }
        let isDrawn = view?.isInteractive == true
        let events = LiveEvents<(LiveReading, Moment)>(interval: isDrawn ? LiveView.interval : nil)
        let begun = time.now()
        // Before the measurement, with which virtual time may run ahead.
        let timer = duration.map { time.schedule(at: begun + $0) { events.finish() } }
        // A person who watches decides when to give up.
        let warmUpTimeout =
            isDrawn
            ? nil
            : time.schedule(at: begun + Self.longestWarmUp) { events.fail(Self.warmsUpForEver) }
        let measuring = measure(device, events) { reading in
            if case .warmingUp = reading.content {} else { warmUpTimeout?.cancel() }
            return (reading, reading.moment ?? time.now())
        }
        var picture = LivePicture(kind, of: device.name)
        var printer = LivePrinter(kind)
        var failure: Failure?
        for await event in events.stream {
            // What comes behind the last value that was asked for is left out.
            if let count, picture.valueCount >= count { break }
            switch event {
            case .value((let reading, let moment)):
                let seconds = moment.duration(since: begun) / .seconds(1)
                let dropped = events.takeDropped()
                let missed = dropped > 0 ? [LiveReading(.missed(dropped))] : []
                for reading in missed + [reading] {
                    picture.receive(reading, at: seconds)
                    if !isDrawn { printer.print(reading, seconds, &console) }
                }
                if !isDrawn { console.flush() }
                if let count, picture.valueCount >= count { events.finish() }
            case .tick:
                let seconds = time.now().duration(since: begun) / .seconds(1)
                view?.draw { picture.lines(at: seconds, $0, $1) }
            case .failed(let error): failure = error
            }
        }
        timer?.cancel()
        warmUpTimeout?.cancel()
        // The measurement is stopped on the ring before it is disconnected.
        measuring.cancel()
        await measuring.value
        view?.close()
        await device.waitUntilStopped()
        if let failure { throw failure }
        if isDrawn { console.write(picture.summary + "\n") }
    }
}

/// Prints live values, a line each.
private struct LivePrinter {
    private let kind: LiveKind
    /// The words of the last line, which are not repeated while nothing changes.
    private var last: String?

    init(_ kind: LiveKind) { self.kind = kind }

    mutating func print(_ reading: LiveReading, _ seconds: Double, _ console: inout Console) {
        if console.isJSON { return writeJSON(reading, seconds, &console) }
        let time = (ChartNumber.text(seconds, decimals: 1) ?? "?").rightAligned(8)
        let beats = reading.beats.map { ChartNumber.text($0, decimals: 0) ?? "?" }
        let behind = beats.isEmpty ? "" : "  beats \(beats.joined(separator: " ")) ms"
        var words = reading.content.words ?? ""
        if case .value(let value, let details) = reading.content {
            let number = ChartNumber.text(value, decimals: kind.quantity.decimals) ?? "?"
            let unit = kind.quantity.unit == "" ? "" : " \(kind.quantity.unit)"
            words = "\(number)\(unit)" + (details.map { "  \($0)" } ?? "")
        } else if words == last {
            return
        }
        last = words
        console.write("\(time)  \(words.printable)\(behind)\n")
    }

    private func writeJSON(
        _ reading: LiveReading, _ seconds: Double, _ console: inout Console
    ) {
        let behind: JSONValue.Members = [
            ("beatMilliseconds", .array(reading.beats.map { .decimal($0) })),
            ("seconds", .decimal(seconds)),
        ]
        func state(_ state: String, _ details: String? = nil) {
            console.write(
                type: "state",
                [
                    ("kind", .string(kind.rawValue)), ("state", .string(state)),
                    ("details", .text(details)),
                ] + behind)
        }
        switch reading.content {
        case .warmingUp: state("warming-up")
        case .value(let value, let details):
            console.write(
                type: "value",
                [
                    ("kind", .string(kind.rawValue)), ("value", .decimal(value)),
                    ("unit", .string(kind.quantity.unit)), ("details", .text(details)),
                ] + behind)
        case .notWorn: state("not-worn")
        case .linkLost: state("link-lost")
        case .other(let details): state("other", details)
        case .missed(let count): state("missed", "\(count)")
        }
    }
}
