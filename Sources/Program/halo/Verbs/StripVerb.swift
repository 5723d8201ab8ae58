import HaloDevices
import HaloProtocol
import HaloTransport

struct StripVerb: Verb {
    private enum Word: String, CaseIterable {
        case on, off, color, white, mode, fade, status, pulse
    }

    private let request: DeviceRequest
    private let word: Word
    /// The change of the strip; none for `status` and `pulse`.
    private let change:
        nonisolated(nonsending) @Sendable (LEDStrip) async throws(DeviceError) -> Void
    private let duration: Duration?
    private let heart: DeviceRequest.Device?

    private static let brightnessOption = Option.number(
        "brightness", "PERCENT", in: 0...100,
        "for color and white (default: 100). The strip has none: colours are darkened")
    private static let speedOption = Option.number(
        "speed", "N", in: 1...255, "for mode: the time per step; 1 is the fastest (default: 10)")
    private static let overOption = Option.duration(
        "over", "for fade: how long it takes, like 90s or 10m (default: 3s)")
    private static let heartOption = Option<DeviceRequest.Device>(
        "heart", .text("WHICH"),
        """
        for pulse: whose heart rate, as in --device; by default, the remembered or nearest ring or \
        strap
        """
    ) { (argument) throws(Failure) in
        try DeviceRequest.Device(argument.text, of: "--heart")
    }

    private static let modes = LEDStripMode.allCases.filter { $0 != .steady }

    static let syntax = VerbSyntax(
        "strip", "controls an LED strip, which can pulse with a heart rate",
        forms: [
            "on|off|status|pulse", "color COLOR", "fade COLOR", "white", "mode NAME",
        ],
        words: Word.allCases.map(\.rawValue),
        secondWords: [
            "color": NamedColour.names, "fade": NamedColour.names, "mode": modes.map(\.optionName),
        ],
        options: [
            brightnessOption, speedOption, overOption, heartOption, CommonOptions.duration,
        ],
        deviceOptions: DeviceRequest.options,
        json: """
            one JSON object a line: type strip (isOn, color, white, mode, speed, lastColor; all \
            null if the strip reports no state), or, for pulse, type pulse (bpm, null \
            with a state; state and details as in 'halo live'; seconds)
            """,
        examples: [
            "halo strip color orange",
            "halo strip pulse --for 10m",
        ],
        """
        Controls an LED strip with a Triones controller, as the HappyLighting app does, and prints
        what the strip reports afterwards. With --for, status asks again every 10 seconds, and
        prints what has changed.

        COLOR is three or six hexadecimal digits, as f80 or '#ff8000', or one of
        \(NamedColour.names.joined(separator: " ")). NAME is one of
        \(modes.map(\.optionName).joined(separator: " ")).

        pulse beats with the heart rate of a ring or a strap, until Ctrl-C or for --for; the colour
        goes from blue to red. At the end the strip shows its earlier light again. A remembered ring
        or strap is the one whose heart rate it follows.
        """)

    init(_ arguments: ParsedArguments) throws(Failure) {
        word = try arguments.value(
            ofWord: "what to do", of: "strip", from: Word.allCases.map(\.rawValue), atMost: 2,
            Word.init(rawValue:))
        let other = arguments.allWords.dropFirst().first?.text
        let percent = try arguments.value(of: Self.brightnessOption) ?? 100
        let speed = try arguments.value(of: Self.speedOption) ?? 10
        let over = try arguments.value(of: Self.overOption) ?? .seconds(3)
        heart = try arguments.value(of: Self.heartOption)
        if case .kind(let kind)? = heart, !kind.measures.contains(.heartRate) {
            throw .wrongUsage("--heart needs a heart rate; \(kind.withArticle) has none")
        }
        duration = try arguments.value(of: CommonOptions.duration)
        request = try DeviceRequest(arguments)
        let brightness = Double(percent) / 100
        switch word {
        case .on: change = { (strip) async throws(DeviceError) in try await strip.turnOn() }
        case .off: change = { (strip) async throws(DeviceError) in try await strip.turnOff() }
        case .status, .pulse: change = { (_) async throws(DeviceError) in }
        case .white:
            change = { (strip) async throws(DeviceError) in
                try await strip.setWhite(brightness: brightness)
            }
        case .color:
            let colour = try Self.colour(other, word)
            change = { (strip) async throws(DeviceError) in
                try await strip.set(colour, brightness: brightness)
            }
        case .fade:
            let colour = try Self.colour(other, word)
            change = { (strip) async throws(DeviceError) in
                try await strip.fade(to: colour, over: over)
            }
        case .mode:
            let mode = try Self.mode(other)
            change = { (strip) async throws(DeviceError) in
                try await strip.start(mode, speed: UInt8(clamping: speed))
            }
        }
        if let other, ![.color, .fade, .mode].contains(word) {
            throw .wrongUsage("unexpected argument '\(other)'")
        }
        for (option, words) in Self.uses where arguments.has(option) && !words.contains(word) {
            let list = TextLayout.alternatives(words.map(\.rawValue))
            throw .wrongUsage("\(option.facts.word) is for \(list)")
        }
    }

    private static let uses: [(option: any VerbOption, words: [Word])] = [
        (brightnessOption, [.color, .white]), (speedOption, [.mode]), (overOption, [.fade]),
        (heartOption, [.pulse]), (CommonOptions.duration, [.pulse, .status]),
    ]

    private static func colour(
        _ text: String?, _ word: Word
    ) throws(Failure) -> LEDColour {
        guard let text else { throw .wrongUsage("\(word.rawValue) takes a colour") }
        let named = NamedColour.all.first { $0.name == text.lowercased() }
        if let named { return named.colour }
        if let colour = try? LEDColour(parsing: text) { return colour }
        throw .wrongUsage(
            "a colour is three or six hexadecimal digits, or "
                + Choice.refusal(of: text, among: NamedColour.names))
    }

    private static func mode(_ text: String?) throws(Failure) -> LEDStripMode {
        guard let text else { throw .wrongUsage("mode takes the name of a mode") }
        return try Choice.value(
            text, of: "strip mode", from: modes.map(\.optionName)
        ) { name in modes.first { $0.optionName == name.lowercased() } }
    }

    // MARK: Running

    func run(_ console: inout Console) async throws(Failure) -> ExitStatus {
        let isShown = word == .pulse && (duration == nil || LiveView.isPossible)
        let access = try await DeviceAccess(request, isShown: isShown, &console)
        let (found, wearable) = try await find(access)
        let device = try await access.connect(to: found)
        guard let strip = device as? ConnectedStrip else {
            throw Failure(.unusable, "\(device.name) is not an LED strip")
        }
        try await device.whileConnected(&console) { (console) async throws(Failure) in
            try await runAction(strip, wearable, access, &console)
        }
        return .success
    }

    /// Finds the strip. A device that is remembered for all verbs is taken if it is one; if it is
    /// not, it is the device whose heart rate `pulse` follows.
    private nonisolated(nonsending) func find(
        _ access: DeviceAccess
    ) async throws(Failure) -> (strip: Discovery, heart: DeviceRequest.Device) {
        if request.isNamed { return (try await access.find([.strip]), .any) }
        switch request.device {
        case .any, .kind(.strip): return (try await access.find([.strip]), .any)
        case .kind: break
        case .name, .address:
            let found = try await access.find()
            if found.kind == .strip { return (found, .any) }
        }
        return (try await access.find([.strip], .any), request.device)
    }

    private nonisolated(nonsending) func runAction(
        _ device: ConnectedStrip, _ wearable: DeviceRequest.Device, _ access: DeviceAccess,
        _ console: inout Console
    ) async throws(Failure) {
        let (strip, name) = (device.strip, device.name)
        if word == .pulse {
            let heart = try await access.connect(
                to: access.find(DeviceKind.measuring(.heartRate), self.heart ?? wearable))
            return try await heart.whileConnected(&console) { (console) async throws(Failure) in
                try await StripPulse(strip: strip, heart: heart, duration: duration).run(&console)
            }
        }
        if word == .status, let duration {
            return try await follow(device, for: duration, &console)
        }
        let state = try await using { () async throws(DeviceError) in
            try await change(strip)
            return try await device.state(orTimeout: word != .status)
        }
        Self.print(state, name, &console)
    }

    private nonisolated(nonsending) func follow(
        _ device: ConnectedStrip, for duration: Duration, _ console: inout Console
    ) async throws(Failure) {
        let (strip, name) = (device.strip, device.name)
        let events = LiveEvents<LEDStripState>(interval: nil)
        let timer = strip.time.schedule(at: strip.time.now() + duration) { events.finish() }
        defer { timer.cancel() }
        // The states of a strip that does not reply never begin.
        var last = try await using { () async throws(DeviceError) in try await device.state() }
        Self.print(last, name, &console)
        guard last != nil else { return }
        let watching = events.run { () async throws(DeviceError) in
            var states = strip.states.makeAsyncIterator()
            while let state = try await states.next() { events.add(state) }
        }
        defer { watching.cancel() }
        for await event in events.stream {
            switch event {
            case .value(let state):
                if state == last { continue }
                last = state
                Self.print(state, name, &console)
            case .tick: break
            case .failed(let failure): throw failure
            }
        }
    }

    private static func print(
        _ state: LEDStripState?, _ name: String, _ console: inout Console
    ) {
        let words = state.map { "\($0)" } ?? "reports no state"
        console.write(
            type: "strip", StripPrinter.members(state), or: "\(name.printable): \(words)\n")
        console.flush()
    }
}

private enum NamedColour {
    static let all: [(name: String, colour: LEDColour)] = [
        ("red", LEDColour(red: 255)), ("green", LEDColour(green: 255)),
        ("blue", LEDColour(blue: 255)), ("yellow", LEDColour(red: 255, green: 255)),
        ("cyan", LEDColour(green: 255, blue: 255)), ("magenta", LEDColour(red: 255, blue: 255)),
        ("orange", LEDColour(red: 255, green: 96)), ("purple", LEDColour(red: 128, blue: 255)),
        ("pink", LEDColour(red: 255, green: 64, blue: 128)), ("white", .white), ("black", .black),
    ]

    static let names = all.map(\.name)
}

/// A strip that beats with a heart, until the task is cancelled or the time is over.
struct StripPulse {
    let strip: LEDStrip
    let heart: any ConnectedDevice
    let duration: Duration?

    /// The time between two pictures: a beat is to be seen.
    private static let pictureInterval = Duration.milliseconds(50)

    nonisolated(nonsending) func run(_ console: inout Console) async throws(Failure) {
        let before = try? await strip.state()
        let result = await Result.catching { () async throws(Failure) in
            if before?.isOn == false {
                try await using { () async throws(DeviceError) in try await strip.turnOn() }
            }
            try await beat(&console)
        }
        await restore(before, &console)
        try result.get()
    }

    /// Shows the earlier light again, also in a cancelled task.
    private nonisolated(nonsending) func restore(
        _ state: LEDStripState?, _ console: inout Console
    ) async {
        guard let state else { return }
        let restoring = Task { [strip] in
            await Result.catching { () async throws(DeviceError) in try await strip.restore(state) }
        }
        guard case .failure(let error) = await restoring.value else { return }
        console.remark("the strip does not show its earlier light again: \(error.sentence)")
    }

    private func measure(
        _ pulse: Locked<LEDPulse>, _ events: LiveEvents<(LiveReading, Moment)>
    ) -> Task<Void, Never> {
        events.run { [heart, strip] () async throws(DeviceError) in
            try await heart.measure(.heartRate) { reading in
                let now = reading.moment ?? strip.time.now()
                if let rate = Self.beatsPerMinute(reading.content) {
                    pulse.withLock { $0.receive(beatsPerMinute: rate, at: now) }
                }
                events.add((reading, now))
            }
        }
    }

    private nonisolated(nonsending) func beat(_ console: inout Console) async throws(Failure) {
        let view = LiveView(&console)
        let isDrawn = view != nil
        let events = LiveEvents<(LiveReading, Moment)>(
            interval: isDrawn ? Self.pictureInterval : nil)
        let time = strip.time
        let begun = time.now()
        // Before the measurement, with which virtual time may run ahead.
        let timer = duration.map { time.schedule(at: begun + $0) { events.finish() } }
        let pulse = Locked(LEDPulse())
        let measuring = measure(pulse, events)
        let playing = events.run { [strip] () async throws(DeviceError) in
            try await strip.play(
                LEDEffect { _ in pulse.withLock { $0.colour(at: strip.time.now()) } })
        }
        let tasks = [measuring, playing]
        var picture = PulsePicture(name: heart.name, isColoured: console.style.isOn)
        var hasValue = false
        var failure: Failure?
        var last: String?
        for await event in events.stream {
            switch event {
            case .value((let reading, let moment)):
                picture.receive(reading)
                if case .value = reading.content { hasValue = true }
                if isDrawn { continue }
                // A state is printed when it begins.
                let words = reading.content.words
                if words == nil || words != last {
                    Self.print(reading.content, moment.duration(since: begun), &console)
                }
                last = words
            case .tick:
                let colour = pulse.withLock { $0.colour(at: time.now()) }
                view?.draw { picture.lines(colour, $0, $1) }
            case .failed(let error): failure = error
            }
        }
        timer?.cancel()
        for task in tasks { task.cancel() }
        for task in tasks { await task.value }
        view?.close()
        await heart.waitUntilStopped()
        if let failure, !Task.isCancelled { throw failure }
        if duration != nil { heart.remarkOnNoValue(hasValue, "device", &console) }
    }

    /// The heart rate after a report; 0 without a heart, and `nil` if the last one goes on.
    private static func beatsPerMinute(_ content: LiveReading.Content) -> Int? {
        switch content {
        case .value(let rate, _): Int(rate)
        case .notWorn, .linkLost: 0
        case .warmingUp, .other, .missed: nil
        }
    }

    private static func print(
        _ content: LiveReading.Content, _ elapsed: Duration, _ console: inout Console
    ) {
        let seconds = elapsed / .seconds(1)
        let rate: Int? = if case .value(let rate, _) = content { Int(rate) } else { nil }
        let words = rate.map { "\($0) bpm" } ?? content.words ?? ""
        console.write(
            type: "pulse",
            ["bpm": rate] + content.stateMembers + ["seconds": seconds],
            or: "\(LiveReading.column(ofSeconds: seconds))  \(words.printable)\n")
        console.flush()
    }
}

private struct PulsePicture {
    /// The name of the device that measures.
    let name: String
    /// `true` if the picture shows the colour of the light, and otherwise its brightness only.
    let isColoured: Bool
    var state = StyledText(LiveReading.Content.warmingUp.words ?? "", .yellow)

    mutating func receive(_ reading: LiveReading) {
        if case .value(let rate, _) = reading.content {
            state = StyledText("\(Int(rate)) bpm", .heartRate(rate))
        } else if let words = reading.content.words {
            state = StyledText(words, .yellow)
        }
    }

    func lines(_ colour: LEDColour, _ size: TerminalSize, _ glyphs: GlyphSet) -> [StyledText] {
        let light = colour.bar(columns: size.columns, colours: true)
        let rows = max(size.rows - 2, 1)
        // Without colours, the brighter the light, the higher it stands.
        let lit = isColoured ? rows : colour.lit(of: rows)
        let line =
            StyledText(name, .strong) + StyledText("  ") + state
            + StyledText("  \(colour)", .faint)
        return Array(repeating: StyledText(""), count: rows - lit)
            + Array(repeating: light, count: lit) + [line, StyledText("Ctrl-C to quit", .faint)]
    }
}
