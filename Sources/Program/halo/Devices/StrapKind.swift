import HaloDevices
import HaloProtocol
import HaloSimulator
import HaloTransport

extension DeviceKind {
    static let strap = DeviceKind(
        name: "strap", withArticle: "a strap", classification: .heartRateSensor,
        services: [StandardServices.heartRate], models: ["strap"],
        measures: [.heartRate, .heartRateVariability], simulated: VirtualHeartRateSensor.self
    ) { _, wear in
        var sensor = VirtualHeartRateSensor(location: .chest, wearer: wear.wearer)
        if let percent = wear.batteryPercent { sensor.setBattery(percent: percent) }
        return sensor
    } connect: {
        (found, transport, _) async throws(DeviceError) -> any ConnectedDevice in
        ConnectedStrap(
            strap: try await HeartRateSensor.connect(to: found.identity, over: transport),
            name: found.nameOrAddress)
    }
}

struct ConnectedStrap: ConnectedDevice {
    let strap: HeartRateSensor
    let name: String

    func disconnect() async { await strap.disconnect() }

    nonisolated(nonsending) func show(
        _ console: inout Console
    ) async throws(Failure) -> ExitStatus {
        let (information, location, battery) = try await using { () async throws(DeviceError) in
            try await reported()
        }
        let facts = DeviceFacts(
            kind: DeviceKind.strap.name, name: name, address: strap.identity.rawValue,
            battery: battery, information: information)
        let place = location.map { "\($0)" }
        let rows = [
            ["battery", battery.map { "\($0)" } ?? "not reported"],
            ["worn", place ?? "not reported"],
        ]
        facts.print(rows + facts.informationRows, ["location": place], &console)
        return .success
    }

    /// What the strap reports. The place where it is worn and the battery's service are optional.
    private nonisolated(nonsending) func reported() async throws(DeviceError)
        -> (DeviceInformation, BodySensorLocation.Location?, BatteryCharge?)
    {
        (
            try await strap.deviceInformation(),
            try await ifReported { () async throws(DeviceError) in try await strap.location() },
            try await ifReported { () async throws(DeviceError) in try await strap.battery() }
        )
    }

    /// Reads a value; `nil` if the strap does not have it, or refuses it.
    private nonisolated(nonsending) func ifReported<Value>(
        _ read: nonisolated(nonsending) () async throws(DeviceError) -> Value?
    ) async throws(DeviceError) -> Value? {
        do throws(DeviceError) {
            return try await read()
        } catch {
            // Two steps: one condition crashes the optimiser (Architecture.md, "Optimised code").
            if error.kind == .notSupported { return nil }
            if error.bleError?.kind == .refused { return nil }
            throw error
        }
    }

    func measure(
        _ kind: LiveKind, _ report: @escaping @Sendable (LiveReading) -> Void
    ) async throws(DeviceError) {
        var reports = strap.reports.makeAsyncIterator()
        var window = BeatWindow()
        while let next = try await reports.next() {
            let reading =
                kind == .heartRateVariability
                ? LiveReading(of: next, variabilityOf: &window) : LiveReading(of: next)
            if let reading { report(reading) }
            guard window.hasNoBeats else { continue }
            report(LiveReading(.other("the strap reports no intervals between beats")))
            throw DeviceError(.notSupported, command: "intervals between beats")
        }
    }

    nonisolated(nonsending) func use(
        for duration: Duration, days: Int, _ console: inout Console
    ) async throws(DeviceError) {
        _ = try await reported()
        let end = strap.time.now() + duration
        let progress = console.progress("measuring the heart rate")
        let hasValue = Locked(false)
        try await receive(until: end, strap.time, progress) {
            (showProgress) async throws(DeviceError) in
            var measurements = strap.measurements.makeAsyncIterator()
            while strap.time.now() < end, try await measurements.next() != nil {
                showProgress()
                hasValue.withLock { $0 = true }
            }
        }
        remarkOnNoValue(hasValue.withLock { $0 }, "strap", &console)
    }
}

extension VirtualHeartRateSensor: ControlledDevice {
    static let keys: [SimulatorKey] = [.wear, .drain]
    static let commands = keys.flatMap(\.commands) + [.battery]

    var name: String { options.name }

    mutating func execute(_ command: SimulatorCommand, percent: Int?) -> String? {
        switch command {
        case .takeOff where isWorn:
            takeOff()
            return "the strap is off the skin"
        case .putOn where !isWorn:
            putOn()
            return "the strap is on the skin"
        case .drain: return setCharge(max(batteryPercent - 20, 0))
        case .battery: return percent.map { setCharge($0) }
        default: return nil
        }
    }

    private mutating func setCharge(_ percent: Int) -> String {
        setBattery(percent: percent)
        return "the battery has \(batteryPercent) %"
    }
}
