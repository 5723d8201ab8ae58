import HaloCapture
import HaloDevices
import HaloProtocol
import HaloSimulator
import HaloTransport

/// Where `halo record` finds a device, and how that is used.
protocol RecordSource: Sendable {
    /// What the `device:` tag says.
    var device: CaptureText? { get }

    /// Sees whether anything can be recorded here at all, before a file is made for it.
    nonisolated(nonsending) func prepare() async throws(DeviceError)

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

    nonisolated(nonsending) func prepare() async throws(DeviceError) {}

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
