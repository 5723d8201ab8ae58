import HaloDevices
import HaloProtocol
import HaloSimulator

extension DeviceKind {
    static let strip = DeviceKind(
        name: "strip", withArticle: "an LED strip", classification: .family(.ledStrip),
        services: DeviceFamily.ledStrip.services, models: ["strip"], measures: [],
        simulated: VirtualLEDStrip.self
    ) { _, _ in
        VirtualLEDStrip()
    } connect: {
        (found, transport, setsClock) async throws(DeviceError) -> any ConnectedDevice in
        let strip = try await LEDStrip.connect(to: found.identity, over: transport)
        if setsClock { try await strip.setClock() }
        return ConnectedStrip(strip: strip, name: found.nameOrAddress)
    }
}

struct ConnectedStrip: ConnectedDevice {
    let strip: LEDStrip
    let name: String

    func disconnect() async { await strip.disconnect() }

    nonisolated(nonsending) func show(
        _ console: inout Console
    ) async throws(Failure) -> ExitStatus {
        let state: LEDStripState? = try await using { () async throws(DeviceError) in
            try await self.state(orTimeout: true)
        }
        let facts = DeviceFacts(
            kind: DeviceKind.strip.name, name: name, address: strip.identity.rawValue,
            information: DeviceInformation())
        let row = ["state", state.map { "\($0)" } ?? "not reported"]
        facts.print([row], StripPrinter.members(state), &console)
        return .success
    }

    func measure(
        _ kind: LiveKind, _ report: @escaping @Sendable (LiveReading) -> Void
    ) async throws(DeviceError) {
        throw DeviceError(.notSupported)
    }

    /// The state; `nil` if the strip reports none.
    ///
    /// - Parameter orTimeout: `true` if a strip that does not reply reports none; otherwise its
    ///   timeout is thrown.
    nonisolated(nonsending) func state(
        orTimeout: Bool = false
    ) async throws(DeviceError) -> LEDStripState? {
        do throws(DeviceError) {
            return try await strip.state()
        } catch {
            guard error.kind == .notSupported || orTimeout && error.kind == .timedOut else {
                throw error
            }
            return nil
        }
    }

    nonisolated(nonsending) func use(
        for duration: Duration, days: Int, _ console: inout Console
    ) async throws(DeviceError) {
        let end = strip.time.now() + duration
        let progress = console.progress("watching the strip")
        try await receive(until: end, strip.time, progress) {
            (showProgress) async throws(DeviceError) in
            while strip.time.now() < end {
                do throws(DeviceError) {
                    _ = try await state(orTimeout: true)
                } catch {
                    guard error.kind == .disconnected else { throw error }
                    try await strip.waitUntilConnected()
                }
                showProgress()
                let rest = end.duration(since: strip.time.now())
                // A cancelled task is noticed by the next request.
                try? await strip.time.clock.sleep(for: min(rest, Self.interval))
            }
        }
    }

    private static let interval = Duration.seconds(1)
}

enum StripPrinter {
    /// The members of an object; all are `null` for a strip that reports no state.
    static func members(_ state: LEDStripState?) -> JSONObject {
        var (colour, white): (String?, Int?) = (nil, nil)
        var (mode, speed): (String?, Int?) = (nil, nil)
        switch state?.light {
        case nil: break
        case .colour(let light): colour = "\(light)"
        case .white(let brightness): white = brightness
        case .animation(let animation, let time): (mode, speed) = (animation.optionName, time)
        case .unknown(let number, let time): (mode, speed) = ("unknown (\(number))", time)
        }
        return [
            "isOn": state?.isOn, "color": colour, "white": white, "mode": mode, "speed": speed,
            "lastColor": state.map { "\($0.lastColour)" },
        ]
    }
}

extension LEDStripMode {
    /// The mode as options name it: `seven-colour-fade`.
    var optionName: String { label.description.split(separator: " ").joined(separator: "-") }
}

extension VirtualLEDStrip: ControlledDevice {
    static let keys = [
        SimulatorKey(
            "p", "turn an LED strip on or off, as its remote control does",
            [.switchOn, .switchOff])
    ]

    var name: String { options.name }

    mutating func execute(_ command: SimulatorCommand, percent: Int?) -> String? {
        switch command {
        case .switchOn where !isOn:
            setPower(isOn: true)
            return "the strip is on"
        case .switchOff where isOn:
            setPower(isOn: false)
            return "the strip is off"
        default: return nil
        }
    }

    func deviceLight(at now: Moment) -> DeviceLight? {
        guard isOn else { return DeviceLight(colour: .black, words: "off") }
        let light = light(at: now)
        let colour = LEDColour(
            red: max(light.colour.red, light.white), green: max(light.colour.green, light.white),
            blue: max(light.colour.blue, light.white))
        return DeviceLight(colour: colour, words: "\(light)")
    }
}

extension SimulatorCommand {
    static let switchOn = SimulatorCommand(word: "switch-on", words: "turn an LED strip on")
    static let switchOff = SimulatorCommand(word: "switch-off", words: "turn an LED strip off")
}
