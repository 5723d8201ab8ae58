import HaloDevices
import HaloHealth
import HaloProtocol
import HaloTransport

struct LiveVerb: Verb {
    private let request: DeviceRequest
    private let kind: LiveKind
    private let duration: Duration?
    private let count: Int?

    /// The time for a first value; `nil` for a person who watches a device, and decides when to
    /// give up.
    static func longestWarmUp(_ console: Console, isDrawn: Bool) -> Duration? {
        if console.isReplaying { return .seconds(60) }
        return isDrawn ? nil : .seconds(300)
    }

    private static let countOption = Option.number(
        "count", "N", in: 1 ... .max, "ends after this number of values")

    static let syntax = VerbSyntax(
        "live", "shows what a device measures now", forms: ["KIND"],
        words: LiveKind.allCases.map(\.rawValue),
        options: [CommonOptions.duration, countOption, DeviceRequest.setClock],
        deviceOptions: DeviceRequest.options,
        json: """
            one JSON object a line: type value (kind, value, unit if there is one, \
            beatMilliseconds, isBeatNew, details, seconds, time) or type state (state: warming-up, \
            not-worn, link-lost, other, missed; details, beatMilliseconds, isBeatNew, seconds, time)
            """,
        examples: [
            "halo live hr",
            "halo live spo2 --count 1 --json",
        ],
        """
        Measures, and shows a chart; without a terminal, a line for each value. KIND is hr, spo2,
        stress, hrv, temperature, motion or raw. A strap measures hr, and hrv as the RMSSD of the
        intervals between its beats over a minute. Not all rings measure everything: raw and motion
        were seen on rings with a BlueX chip. With --set-clock a ring reports its abilities, and
        what it cannot measure is refused at once.

        A ring needs about 26 seconds for the first heart rate, and a minute for its variability.
        Most rings end a measurement within a minute; it is then restarted. Ctrl-C, or q at a
        terminal, stops the measurement and disconnects the device. With --for or --count
        and without a terminal, a virtual device measures on virtual time, almost instantly.
        """)

    init(_ arguments: ParsedArguments) throws(Failure) {
        kind = try arguments.value(
            ofWord: "what to measure", of: "halo live", from: LiveKind.allCases.map(\.rawValue),
            LiveKind.init(rawValue:))
        request = try DeviceRequest(arguments)
        duration = try arguments.value(of: CommonOptions.duration)
        count = try arguments.value(of: Self.countOption)
    }

    func run(_ console: inout Console) async throws(Failure) -> ExitStatus {
        // A bounded number of values for another program need not take real time.
        let isBounded = duration != nil || count != nil
        let access = try await DeviceAccess(
            request, isShown: !isBounded || LiveView.isPossible, &console)
        let device = try await access.connect(
            to: access.find(DeviceKind.measuring(kind), for: kind.quantity.title))
        try await device.whileConnected(&console) { (console) async throws(Failure) in
            device.remarkOnOldClock(keptBy: "'halo sync' before it", &console)
            try refuseLackingAbility(of: device)
            try await show(device, access.transport.time, &console)
        }
        return .success
    }

    private func refuseLackingAbility(of device: any ConnectedDevice) throws(Failure) {
        guard let ring = (device as? ConnectedRing)?.ring, kind.ability(of: ring) == false else {
            return
        }
        throw Failure(
            .unusable, "\(device.name) reports that it cannot measure \(kind.quantity.title)",
            advice: "'halo info --set-clock' shows what this ring can do.")
    }

    private static func warmsUpForEver(_ longest: Duration) -> Failure {
        var failure = Failure(
            .unusable, "no value came in \(longest.words)",
            advice: "'halo info --set-clock' shows what a ring can measure.")
        failure.cause = .silent
        return failure
    }

    private nonisolated(nonsending) func show(
        _ device: any ConnectedDevice, _ time: any TransportTime, _ console: inout Console
    ) async throws(Failure) {
        let view = LiveView(&console)
        let isDrawn = view != nil
        let events = LiveEvents<(LiveReading, Moment)>(interval: isDrawn ? LiveView.interval : nil)
        let hasKeys = view?.readKeys { if $0 == "q" { events.finish() } } == true
        let doubt = (device as? ConnectedRing).flatMap { kind.doubt(about: $0.ring) }
        if let doubt, !isDrawn { console.remark("\(device.name) might not measure this: \(doubt)") }
        let (begun, clock) = (time.now(), time.wallClock())
        // Before the measurement, with which virtual time may run ahead.
        let timer = duration.map { time.schedule(at: begun + $0) { events.finish() } }
        let longest = Self.longestWarmUp(console, isDrawn: isDrawn)
        let warmUpTimeout = longest.map { longest in
            time.schedule(at: begun + longest) { events.fail(Self.warmsUpForEver(longest)) }
        }
        let measuring = events.run { [kind] () async throws(DeviceError) in
            try await device.measure(kind) { reading in
                if case .warmingUp = reading.content {} else { warmUpTimeout?.cancel() }
                events.add((reading, reading.moment ?? time.now()))
            }
        }
        var picture = LivePicture(
            kind, of: device.name, warmUp: device is ConnectedRing ? kind.warmUp : nil,
            doubt: doubt.map(Self.sentence),
            keys: hasKeys ? "q or Ctrl-C" : "Ctrl-C")
        var printer = LivePrinter(kind: kind, begun: clock)
        var failure: Failure?
        func elapsed(at moment: Moment) -> Double { moment.duration(since: begun) / .seconds(1) }
        live: for await event in events.stream {
            switch event {
            case .value((let reading, let moment)):
                let seconds = elapsed(at: moment)
                let dropped = events.takeDropped()
                let missed = dropped == 0 ? [] : [LiveReading(.missed(dropped))]
                for reading in missed + [reading] {
                    picture.receive(reading, at: seconds)
                    if !isDrawn { printer.print(reading, seconds, &console) }
                }
                if !isDrawn { console.flush() }
                if let count, picture.valueCount >= count { break live }
            case .tick:
                let seconds = elapsed(at: time.now())
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
        // The information of a strap does not say what it lacks.
        if device is ConnectedStrap, failure?.cause == .notSupported { failure?.advice = nil }
        if let failure { throw failure.advised(doubt.map(Self.sentence)) }
        conclude(picture, isDrawn: isDrawn, &console)
    }

    private static func sentence(_ doubt: String) -> String {
        "This ring might not measure it: \(doubt)."
    }

    private func conclude(_ picture: LivePicture, isDrawn: Bool, _ console: inout Console) {
        if isDrawn {
            console.write(picture.summary + "\n")
        } else if picture.valueCount == 0, duration != nil, !Task.isCancelled {
            console.remark("time ran out before a value came; try a longer --for")
        }
    }
}

private struct LivePrinter {
    let kind: LiveKind
    /// The time of day when the measurement began.
    let begun: WallClock
    /// The words of the last line, which are not repeated while nothing changes.
    var last: String?

    mutating func print(_ reading: LiveReading, _ seconds: Double, _ console: inout Console) {
        if console.isJSON { return writeJSON(reading, seconds, &console) }
        let time = LiveReading.column(ofSeconds: seconds)
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
        let time = begun.local.advanced(bySeconds: Int(seconds.rounded(.down)))
        let clock = WallClock(local: time, secondsFromUTC: begun.secondsFromUTC)
        let behind: JSONObject = [
            "beatMilliseconds": reading.beats, "isBeatNew": reading.areBeatsNew, "seconds": seconds,
            "time": clock.iso8601,
        ]
        let kind: JSONObject = ["kind": self.kind.rawValue]
        guard case .value(let value, let details) = reading.content else {
            return console.write(type: "state", kind + reading.content.stateMembers + behind)
        }
        let name = self.kind.quantity.unit
        let unit: JSONObject = name == "" ? [:] : ["unit": name]
        console.write(
            type: "value",
            kind + ["value": value] + unit + ["details": details] + behind)
    }
}

extension WallClock {
    /// The time in ISO 8601, as `2026-01-05T09:00:07+01:00`.
    fileprivate var iso8601: String { "\(local.date)T\(local.time)\(offset)" }
}
