import HaloCapture
import HaloDevices
import HaloProtocol
import HaloSimulator
import HaloTransport

/// Where `halo record` finds a device, and how that is used.
protocol RecordSource: Sendable {
    /// The option that asks for it.
    static var option: String { get }
    /// What can stand behind the option.
    static var values: [String] { get }
    /// What it is, for the usage.
    static var summary: String { get }

    /// A source, by what stands behind the option.
    init(_ value: String, seed: UInt64) throws(UsageError)

    /// What the `device:` tag says.
    var device: CaptureText? { get }

    /// Uses the device for about so long, recorded; answers how long it took there.
    nonisolated(nonsending) func record(
        to recorder: CaptureRecorder, for duration: Duration
    ) async throws(DeviceError) -> Duration
}

/// Devices that do not exist, on virtual time.
struct VirtualSource: RecordSource {
    static let option = "--virtual"
    static let strap = "strap"
    static var values: [String] { DemoOptions.profiles.map(\.name) + [strap] }
    static let summary = "a virtual ring or chest strap, on virtual time"

    private let kind: String
    /// The ring; nothing for a strap.
    private let profile: RingProfile?
    private let seed: UInt64

    init(_ value: String, seed: UInt64) throws(UsageError) {
        kind = value.lowercased()
        profile = DemoOptions.profiles.first { [kind] in $0.name == kind }?.profile
        self.seed = seed
        guard profile != nil || kind == Self.strap else {
            throw UsageError(
                reason: "\(Self.option) needs one of \(Self.values.joined(separator: ", ")), "
                    + "not '\(value)'")
        }
    }

    var device: CaptureText? { CaptureText("virtual \(kind), seed \(seed)") }

    nonisolated(nonsending) func record(
        to recorder: CaptureRecorder, for duration: Duration
    ) async throws(DeviceError) -> Duration {
        let air = VirtualBluetooth(
            seed: seed,
            startingAt: VirtualBluetooth.defaultStart.advanced(bySeconds: Self.wornSeconds))
        let wearer = Wearer(seed: seed, restingHeartRate: 54)
        let transport = RecordingTransport(air, to: recorder)
        if let profile {
            air.add(
                VirtualRing(
                    profile, wearer: wearer, days: Self.wornDays,
                    options: VirtualRingOptions(seed: seed, batteryPercent: 83)))
            try await RecordedUse.ring(over: transport, days: Self.wornDays, for: duration)
        } else {
            air.add(VirtualHeartRateSensor(location: .chest, wearer: wearer))
            try await RecordedUse.strap(over: transport, for: duration)
        }
        return air.time.now().duration(since: .origin)
    }

    private static let wornDays = 2
    /// Two days after the beginning of the wearer's week.
    private static let wornSeconds = 2 * 86_400
}

/// What `halo record` does with a device, wherever that is.
enum RecordedUse {
    /// Reads what a ring has stored, and has it measure the heart rate until the time is over.
    static nonisolated(nonsending) func ring(
        over transport: some BLETransport, days: Int, for duration: Duration
    ) async throws(DeviceError) {
        let end = transport.time.now() + duration
        let ring = try await Ring.connect(over: transport)
        _ = try await ring.battery()
        _ = try await ring.deviceInformation()
        _ = try await ring.history(days: days)
        while transport.time.now() < end {
            let begun = transport.time.now()
            var beats = ring.measure(.heartRate).makeAsyncIterator()
            while transport.time.now() < end, try await beats.next() != nil {}
            // A measurement that takes no time would not end.
            if transport.time.now() == begun { break }
        }
        _ = try await ring.battery()
        await ring.disconnect()
    }

    /// Listens to a strap until the time is over.
    static nonisolated(nonsending) func strap(
        over transport: some BLETransport, for duration: Duration
    ) async throws(DeviceError) {
        let end = transport.time.now() + duration
        let strap = try await HeartRateSensor.connect(over: transport)
        _ = try await strap.deviceInformation()
        _ = try await strap.location()
        _ = try await strap.battery()
        var beats = strap.measurements.makeAsyncIterator()
        while transport.time.now() < end, try await beats.next() != nil {}
        await strap.disconnect()
    }
}
