import HaloDevices
import HaloHealth
import HaloProtocol
import HaloTransport

struct LiveVerb: Verb {
    private let request: DeviceRequest
    private let kind: LiveKind
    private let duration: Duration?
    private let count: Int?
    /// The strap as which a ring's heart rate is served.
    private let strap: StrapRequest?

    /// The time for a first value; `nil` for touches, which come when the wearer likes, and for a
    /// person who watches a device, and decides when to give up.
    static func longestWarmUp(
        _ console: Console, of kind: LiveKind = .heartRate, isDrawn: Bool
    ) -> Duration? {
        if kind == .touch { return nil }
        if console.isReplaying { return .seconds(60) }
        return isDrawn ? nil : .seconds(300)
    }

    private static let countOption = Option.number(
        "count", "N", in: 1 ... .max, "ends after this number of values")

    static let syntax = VerbSyntax(
        "live", "shows what a device measures now", forms: ["KIND"],
        words: LiveKind.words,
        options: [CommonOptions.duration, countOption, DeviceRequest.setClock]
            + StrapRequest.options,
        deviceOptions: DeviceRequest.options,
        json: """
            one JSON object a line: type value (kind, value, unit if there is one, \
            beatMilliseconds, isBeatNew, details, seconds, time) or type state (state: warming-up, \
            not-worn, link-lost, other, missed; details, beatMilliseconds, isBeatNew, seconds, time)
            """,
        difference: "the link was lost at the end, or for more than a tenth of the time",
        examples: [
            "halo live hr",
            "halo live spo2 --count 1 --json",
            "halo live hr --as-strap",
        ],
        """
        Measures, and shows a chart; without a terminal, a line for each value. KIND is heart-rate
        (hr), blood-oxygen (spo2), stress, heart-rate-variability (hrv), temperature, motion, raw
        or touch. A strap measures hr, and hrv as the RMSSD of the intervals between its beats over
        a minute. Not all rings measure everything: raw and motion were seen on rings with a BlueX
        chip and on R08, touch on R08. With --set-clock a ring reports its abilities, and what it
        cannot measure is refused at once. A ring reports its touches after 'halo settings touch
        app=report'; each one is counted.

        A ring needs about 26 seconds for the first heart rate, and a minute for its variability.
        Most rings end a measurement within a minute; it is then restarted. Ctrl-C, or q at a
        terminal, stops the measurement and disconnects the device. With --for or --count
        and without a terminal, a virtual device measures on virtual time, almost instantly.

        With --as-strap, programs for heart-rate straps find the ring as one: on a phone, another
        computer, or another adapter of this one, but not through the same adapter. A virtual
        ring is on no adapter, and its strap is on this computer's.
        """)

    init(_ arguments: ParsedArguments) throws(Failure) {
        kind = try arguments.value(
            ofWord: "what to measure", of: "live", from: LiveKind.words,
            or: HistoryKind.shortNames.filter { LiveKind(named: $0) != nil },
            LiveKind.init(named:))
        request = try DeviceRequest(arguments)
        duration = try arguments.value(of: CommonOptions.duration)
        count = try arguments.value(of: Self.countOption)
        strap = try StrapRequest(arguments, measuring: kind)
    }

    func run(_ console: inout Console) async throws(Failure) -> ExitStatus {
        // A bounded number of values for another program need not take real time.
        let isBounded = duration != nil || count != nil
        let access = try await DeviceAccess(
            request, isShown: !isBounded || LiveView.isPossible || strap != nil,
            isForOthers: strap != nil, &console)
        let found =
            strap == nil
            ? try await access.find(DeviceKind.measuring(kind), for: kind.quantity.title)
            : try await access.find([.ring], for: "--as-strap")
        let device = try await access.connect(to: found)
        return try await device.whileConnected(&console) { (console) async throws(Failure) in
            device.remarkOnOldClock(&console)
            try refuseLackingAbility(of: device)
            try await remarkOnTouchSetting(of: device, &console)
            let served = try await strap?.serve(through: access, &console)
            let result = await Result.catching { () async throws(Failure) in
                try await show(device, servedAs: served, access.transport.time, &console)
            }
            await served?.end()
            return try result.get()
        }
    }

    private func refuseLackingAbility(of device: any ConnectedDevice) throws(Failure) {
        guard let ring = (device as? ConnectedRing)?.ring, kind.ability(of: ring) == false else {
            return
        }
        throw Failure(
            .unusable, "\(device.name) reports that it cannot measure \(kind.quantity.title)",
            advice: "'halo info --set-clock' shows what this ring can do.")
    }

    /// Remarks that a ring reports no touches with its current setting.
    private nonisolated(nonsending) func remarkOnTouchSetting(
        of device: any ConnectedDevice, _ console: inout Console
    ) async throws(Failure) {
        guard kind == .touch, let ring = (device as? ConnectedRing)?.ring else { return }
        let setting = try await using { () async throws(DeviceError) in
            try await ring.setting(.touch)
        }
        guard setting.app != .report else { return }
        console.remark(
            "\(device.name) reports no touches: they control \(setting.app.label); "
                + "'halo settings touch app=\(TouchGesture.App.report.label)' changes that")
    }

    private static func warmsUpForEver(_ longest: Duration) -> Failure {
        var failure = Failure(
            .unusable, "no value came in \(longest.words)",
            advice: "'halo info --set-clock' shows what a ring can measure.")
        failure.cause = .silent
        return failure
    }

    private nonisolated(nonsending) func show(
        _ device: any ConnectedDevice, servedAs strap: ServedStrap?, _ time: any TransportTime,
        _ console: inout Console
    ) async throws(Failure) -> ExitStatus {
        let view = LiveView(&console)
        let isDrawn = view != nil
        let events = LiveEvents<(LiveReading, Moment)>(interval: isDrawn ? LiveView.interval : nil)
        let hasKeys = view?.readKeys { if $0 == "q" { events.finish() } } == true
        let doubt = (device as? ConnectedRing).flatMap { kind.doubt(about: $0.ring) }
        if let doubt, !isDrawn { console.remark("\(device.name) might not measure this: \(doubt)") }
        let (begun, clock) = (time.now(), time.wallClock())
        // Before the measurement, with which virtual time may run ahead.
        let timer = duration.map { time.schedule(at: begun + $0) { events.finish() } }
        let warmUpTimeout = Self.longestWarmUp(console, of: kind, isDrawn: isDrawn).map { longest in
            time.schedule(at: begun + longest) { events.fail(Self.warmsUpForEver(longest)) }
        }
        let measuring = events.run { [kind] () async throws(DeviceError) in
            try await device.measure(kind) { reading in
                if case .warmingUp = reading.content {} else { warmUpTimeout?.cancel() }
                strap?.receive(reading)
                events.add((reading, reading.moment ?? time.now()))
            }
        }
        let hosting = strap?.onFailure(events.fail)
        var picture = LivePicture(
            kind, of: device.name, warmUp: device is ConnectedRing ? kind.warmUp : nil,
            doubt: doubt.map(Self.sentence), keys: hasKeys ? "q or Ctrl-C" : "Ctrl-C")
        var printer = LivePrinter(kind: kind, begun: clock)
        var failure: Failure?
        func elapsed(at moment: Moment) -> Double { moment.duration(since: begun) / .seconds(1) }
        live: for await event in events.stream {
            switch event {
            case .value((let reading, let moment)):
                let seconds = elapsed(at: moment)
                let gap = [events.takeDropped()].filter { $0 > 0 }.map { LiveReading(.missed($0)) }
                for reading in gap + [reading] {
                    picture.receive(reading, at: seconds)
                    if !isDrawn { printer.print(reading, seconds, &console) }
                }
                if !isDrawn { console.flush() }
                if let count, picture.valueCount >= count { break live }
            case .tick:
                let seconds = elapsed(at: time.now())
                view?.draw { picture.lines(at: seconds, also: strap?.words, $0, $1) }
            case .failed(let error): failure = error
            }
        }
        let end = elapsed(at: time.now())
        for timer in [timer, warmUpTimeout] { timer?.cancel() }
        // The measurement is stopped on the ring before it is disconnected.
        for task in [measuring, hosting] { task?.cancel() }
        await measuring.value
        view?.close()
        await device.waitUntilStopped()
        // The information of a strap does not say what it lacks.
        if device is ConnectedStrap, failure?.cause == .notSupported { failure?.advice = nil }
        if let failure { throw failure.advised(doubt.map(Self.sentence)) }
        return conclude(picture, at: end, isDrawn: isDrawn, &console)
    }

    private static func sentence(_ doubt: String) -> String {
        "This ring might not measure it: \(doubt)."
    }

    private func conclude(
        _ picture: LivePicture, at end: Double, isDrawn: Bool, _ console: inout Console
    ) -> ExitStatus {
        if isDrawn {
            console.write(picture.summary + "\n")
        } else if picture.valueCount == 0, duration != nil, !Task.isCancelled {
            console.remark("time ran out before a value came; try a longer --for")
        }
        let (status, remark) = picture.losses.conclusion(at: end)
        if let remark { console.remark(remark) }
        return status
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
