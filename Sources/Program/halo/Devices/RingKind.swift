import HaloDevices
import HaloProtocol
import HaloSimulator
import HaloTransport

extension DeviceKind {
    static let ring = DeviceKind(
        name: "ring", withArticle: "a ring", classification: .ring,
        services: [RingServices.uart, RingServices.bigData, StandardServices.humanInterface],
        models: RingProfile.optionNames,
        measures: LiveKind.allCases, simulated: VirtualRing.self
    ) { model, wear in
        RingProfile.named(model).map { profile in
            var options = VirtualWear.ringOptions(seed: wear.seed)
            if let percent = wear.batteryPercent { options.batteryPercent = percent }
            for fault in wear.faults { options.add(fault) }
            return wear.days.map {
                VirtualRing(profile, wearer: wear.wearer, days: $0, options: options)
            } ?? VirtualRing(profile, wearer: wear.wearer, options: options)
        }
    } connect: {
        (found, transport, setsClock) async throws(DeviceError) -> any ConnectedDevice in
        // Looking at a ring changes nothing.
        let options = setsClock ? RingOptions() : RingOptions(clock: .leave)
        return ConnectedRing(ring: try await Ring.connect(to: found, over: transport, options))
    }
}

extension Ring {
    /// Connects to a device that was found, also if it is not recognised as a ring.
    static nonisolated(nonsending) func connect(
        to found: Discovery, over transport: some BLETransport, _ options: RingOptions
    ) async throws(DeviceError) -> Ring {
        if let ring = RingDiscovery(found) {
            return try await connect(to: ring, over: transport, options: options)
        }
        return try await connect(to: found.identity, over: transport, options: options)
    }

    /// The name, or the address of a ring without one.
    var displayName: String { name ?? identity.rawValue }
}

extension ConnectedDevice {
    /// Remarks that the clock of a ring was left alone, because it shows another day.
    func remarkOnOldClock(_ console: inout Console) {
        guard let shift = (self as? ConnectedRing)?.ring.clockShift else { return }
        console.remark("the ring's clock is \(shift); \(DeviceRequest.clockWasLeft)")
    }
}

struct ConnectedRing: ConnectedDevice {
    let ring: Ring

    var name: String { ring.displayName }

    func disconnect() async { await ring.disconnect() }

    func waitUntilStopped() async {
        // A request after the stop is answered. A cancelled task does not wait, so another one
        // does.
        await Task { _ = try? await ring.battery() }.value
    }

    nonisolated(nonsending) func show(
        _ console: inout Console
    ) async throws(Failure) -> ExitStatus {
        let (battery, information) = try await using { () async throws(DeviceError) in
            (try await chargeIfReported(), try await ring.deviceInformation())
        }
        let facts = DeviceFacts(
            kind: DeviceKind.ring.name, name: ring.name, address: ring.identity.rawValue,
            battery: battery, information: information)
        let abilities = RingAbilities(ring: ring)
        let (firmware, hardware) = (ring.firmware?.description, ring.hardware?.description)
        let versions = [
            ["firmware", firmware ?? "not reported"], ["hardware", hardware ?? "not reported"],
        ]
        // The Device Information service repeats the versions.
        let others = facts.informationRows.filter { row in
            !versions.contains { $0.last == row.last }
        }
        let rows = versions + [["battery", battery.map { "\($0)" } ?? "not reported"]] + others
        facts.print(
            rows + abilities.rows,
            ["firmware": firmware, "hardware": hardware] + abilities.members, &console)
        if !console.isJSON { console.write("\n\(console.style.strong("Settings"))\n") }
        console.flush()
        return try await SettingsPrinter.printAll(of: ring, isComplete: false, &console)
    }

    /// The charge of the battery; `nil` for a ring that refuses to report it.
    private nonisolated(nonsending) func chargeIfReported() async throws(DeviceError)
        -> BatteryCharge?
    {
        do throws(DeviceError) {
            return try await ring.battery()
        } catch {
            guard error.kind == .notSupported else { throw error }
            return nil
        }
    }

    func measure(
        _ kind: LiveKind, _ report: @escaping @Sendable (LiveReading) -> Void
    ) async throws(DeviceError) {
        try await kind.measure(on: ring, report)
    }

    nonisolated(nonsending) func use(
        for duration: Duration, days: Int, _ console: inout Console
    ) async throws(DeviceError) {
        _ = try await ring.battery()
        _ = try await ring.deviceInformation()
        do {
            var reading = console.progress("reading the history")
            defer { reading.end() }
            _ = try await ring.history(days: days) { reading.show($0.fraction, "\($0)") }
        }
        // The history of a week can take longer than the time, and a ring needs half a minute for
        // its first heart rate.
        let end = ring.time.now() + duration
        let progress = console.progress("measuring the heart rate")
        let hasValue = Locked(false)
        try await receive(until: end, ring.time, progress) {
            (showProgress) async throws(DeviceError) in
            while ring.time.now() < end {
                let begun = ring.time.now()
                // Reports, not readings: the first reading takes half a minute, and the time may be
                // over before.
                var reports = ring.reports(of: .heartRate).makeAsyncIterator()
                while ring.time.now() < end, let report = try await reports.next() {
                    showProgress()
                    if case .reading = report { hasValue.withLock { $0 = true } }
                }
                // The sequence ends at once in a cancelled task, and a measurement that takes no
                // time would be repeated for ever.
                if Task.isCancelled || ring.time.now() == begun { break }
            }
        }
        _ = try await ring.battery()
        remarkOnNoValue(hasValue.withLock { $0 }, "ring", &console)
    }
}

extension RingProfile {
    static let optionNames = all.map(\.optionName)

    var optionName: String { model.lowercased() }

    static func named(_ model: String) -> RingProfile? {
        all.first { $0.optionName == model.lowercased() }
    }
}

extension Option<RingProfile> {
    static func profile(_ name: String, _ help: String) -> Option {
        .choice(
            name, "MODEL", from: RingProfile.optionNames,
            "\(help). One of: \(RingProfile.optionNames.joined(separator: " "))",
            RingProfile.named)
    }
}

extension VirtualRing: ControlledDevice {
    static let keys: [SimulatorKey] = [
        .wear, .drain,
        SimulatorKey("c", "put the ring on its charger, or take it off", [.dock, .undock]),
        SimulatorKey("g", .walk), SimulatorKey("s", .sleep), SimulatorKey("t", .tap),
    ]
    static let commands =
        keys.flatMap(\.commands) + [.longPress, .swipeUp, .swipeDown, .battery]

    mutating func execute(_ command: SimulatorCommand, percent: Int?) -> String? {
        switch command {
        case .takeOff where isWorn:
            takeOff()
            return "the ring is off the finger"
        case .putOn where !isWorn:
            putOn()
            return "the ring is on the finger"
        case .drain: return setCharge(max(batteryPercent - 20, 0))
        case .battery: return percent.map { setCharge($0) }
        case .dock where !isDocked:
            dock()
            return "the ring is on its charger"
        case .undock where isDocked:
            undock()
            return "the ring is off its charger"
        case .walk:
            return walk(minutes: 10)
                ? "its wearer walks" : "no walk: its wearer is already moving, or the day is over"
        case .sleep:
            return fallAsleep(minutes: 60)
                ? "its wearer sleeps" : "no nap: its wearer is already asleep, or close to bedtime"
        case .tap: return touched(.tap)
        case .longPress: return touched(.longPress)
        case .swipeUp: return touched(.swipeUp)
        case .swipeDown: return touched(.swipeDown)
        default: return nil
        }
    }

    private mutating func touched(_ kind: RingNotification.Touch) -> String? {
        guard Capabilities(nil, profile.functions).touch == true else { return nil }
        touch(kind)
        return settings.touch.app == .report
            ? "the ring reports a \(kind.label)" : "the ring does not report its touches"
    }

    private mutating func setCharge(_ percent: Int) -> String {
        setBattery(percent: percent)
        return "the battery has \(batteryPercent) %"
    }
}

extension SimulatorCommand {
    static let dock = SimulatorCommand(word: "dock", words: "put the ring on its charger")
    static let undock = SimulatorCommand(word: "undock", words: "take the ring off its charger")
    static let walk = SimulatorCommand(word: "walk", words: "go for a walk of 10 minutes")
    static let sleep = SimulatorCommand(word: "sleep", words: "fall asleep for an hour")
    static let tap = SimulatorCommand(word: "tap", words: "tap the ring")
    static let longPress = SimulatorCommand(word: "long-press", words: "press the ring for long")
    static let swipeUp = SimulatorCommand(word: "swipe-up", words: "swipe up on the ring")
    static let swipeDown = SimulatorCommand(word: "swipe-down", words: "swipe down on the ring")
}
