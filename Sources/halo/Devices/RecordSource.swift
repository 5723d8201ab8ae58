import HaloCapture
import HaloDevices
import HaloProtocol
import HaloSimulator
import HaloTransport

#if os(Linux)
import HaloBlueZ
#endif

/// A device that `halo record` records.
protocol RecordSource: Sendable {
    /// The value of the capture's `device:` tag.
    var device: CaptureText? { get }

    /// Checks that the device's transport works, before a file is created.
    nonisolated(nonsending) func prepare() async throws(DeviceError)

    /// Uses the device for about that time, and records its link; returns the elapsed time of the
    /// transport. With `endingWithReader`, the recording ends when the reader of standard output
    /// closes it.
    nonisolated(nonsending) func record(
        to recorder: CaptureRecorder, for duration: Duration, endingWithReader: Bool
    ) async throws(DeviceError) -> Duration
}

/// The names of kinds of devices, as options take them.
enum DeviceNames {
    static let ring = "ring"
    static let strap = "strap"
    /// The kinds of virtual devices: the models of rings, and the strap.
    static let virtual = RingProfile.modelNames + [strap]
}

/// The wearer and the options of this program's virtual devices: a seed is the same person in every
/// verb.
enum VirtualDevices {
    static func wearer(seed: UInt64) -> Wearer { Wearer(seed: seed, restingHeartRate: 54) }

    static func ringOptions(seed: UInt64) -> VirtualRingOptions {
        VirtualRingOptions(seed: seed, batteryPercent: 83)
    }
}

/// A virtual device on virtual time.
struct VirtualSource: RecordSource {
    private let name: String
    /// The ring, or `nil` for a strap.
    private let profile: RingProfile?
    private let seed: UInt64

    private static let wornDays = 2
    /// Two days after the beginning of the wearer's week.
    private static let wornSeconds = 2 * 86_400

    /// A device by one of ``DeviceNames/virtual``.
    init?(_ name: String, seed: UInt64) {
        self.name = name.lowercased()
        self.seed = seed
        profile = RingProfile.named(name)
        guard profile != nil || self.name == DeviceNames.strap else { return nil }
    }

    var device: CaptureText? { CaptureText("virtual \(name), seed \(seed)") }

    nonisolated(nonsending) func prepare() async throws(DeviceError) {}

    nonisolated(nonsending) func record(
        to recorder: CaptureRecorder, for duration: Duration, endingWithReader: Bool
    ) async throws(DeviceError) -> Duration {
        let air = VirtualBluetooth(
            seed: seed,
            startingAt: VirtualBluetooth.defaultStart.advanced(bySeconds: Self.wornSeconds))
        let wearer = VirtualDevices.wearer(seed: seed)
        let transport = RecordingTransport(air, to: recorder)
        if let profile {
            air.add(
                VirtualRing(
                    profile, wearer: wearer, days: Self.wornDays,
                    options: VirtualDevices.ringOptions(seed: seed)))
            try await RecordedUse.ring(over: transport, days: Self.wornDays, for: duration)
        } else {
            air.add(VirtualHeartRateSensor(location: .chest, wearer: wearer))
            try await RecordedUse.strap(over: transport, for: duration)
        }
        return air.time.now().duration(since: .origin)
    }
}

#if os(Linux)
/// A device that BlueZ finds, on the air or on a private bus.
struct BlueZSource: RecordSource {
    private enum Choice {
        case ring, strap
        case address(PeripheralIdentity)
    }

    private let choice: Choice
    private let options: BlueZOptions

    private static let historyDays = 2
    /// The time to scan for an address.
    private static let scanTimeout: Duration = .seconds(30)

    /// A device by its kind or its address; the nearest ring if left out.
    init?(device: String?, _ options: BlueZOptions) {
        self.options = options
        switch device {
        case nil, DeviceNames.ring: choice = .ring
        case DeviceNames.strap: choice = .strap
        case let address?:
            let parts = address.split(separator: ":", omittingEmptySubsequences: false)
            guard parts.count == 6,
                parts.allSatisfy({ $0.count == 2 && UInt8($0, radix: 16) != nil })
            else { return nil }
            choice = .address(PeripheralIdentity(address.uppercased()))
        }
    }

    var device: CaptureText? { nil }

    nonisolated(nonsending) func prepare() async throws(DeviceError) { _ = try await transport() }

    nonisolated(nonsending) private func transport() async throws(DeviceError) -> BlueZTransport {
        do throws(BLEError) {
            return try await BlueZTransport(options)
        } catch {
            throw DeviceError(error)
        }
    }

    nonisolated(nonsending) func record(
        to recorder: CaptureRecorder, for duration: Duration, endingWithReader: Bool
    ) async throws(DeviceError) -> Duration {
        let time = SystemTime()
        let begun = time.now()
        let work = Task { () -> DeviceError? in
            do throws(DeviceError) {
                try await use(RecordingTransport(transport(), to: recorder), duration)
                return nil
            } catch {
                return error
            }
        }
        // A signal or the reader ends the recording, and the device is disconnected all the same.
        let isEnded = Locked(false)
        _ = ProgramEnding.watch(watchesReader: endingWithReader) { _ in
            isEnded.withLock { $0 = true }
            work.cancel()
        }
        if let error = await work.value {
            guard error.kind == .cancelled, isEnded.withLock({ $0 }) else { throw error }
        }
        return time.now().duration(since: begun)
    }

    private func use(
        _ transport: some BLETransport, _ duration: Duration
    ) async throws(DeviceError) {
        switch choice {
        case .ring:
            try await RecordedUse.ring(over: transport, days: Self.historyDays, for: duration)
        case .strap: try await RecordedUse.strap(over: transport, for: duration)
        case .address(let identity) where try await isRing(identity, over: transport):
            try await RecordedUse.ring(
                identity, over: transport, days: Self.historyDays, for: duration)
        case .address(let identity):
            try await RecordedUse.strap(identity, over: transport, for: duration)
        }
    }

    /// Classifies a device by its advertisement.
    private func isRing(
        _ identity: PeripheralIdentity, over transport: some BLETransport
    ) async throws(DeviceError) -> Bool {
        do throws(BLEError) {
            let discovery = try await transport.find(
                ScanFilter(identities: [identity]), timeout: Self.scanTimeout)
            return discovery.recognition.classification == .ring
        } catch {
            throw DeviceError(error)
        }
    }
}
#endif

/// The use of a device while it is recorded, over any transport.
enum RecordedUse {
    /// Connects to a ring, by default the nearest one, reads its history, and measures the heart
    /// rate until the time is over.
    static nonisolated(nonsending) func ring(
        _ identity: PeripheralIdentity? = nil, over transport: some BLETransport, days: Int,
        for duration: Duration
    ) async throws(DeviceError) {
        let end = transport.time.now() + duration
        let ring =
            if let identity {
                try await Ring.connect(to: identity, over: transport)
            } else {
                try await Ring.connect(over: transport)
            }
        do throws(DeviceError) {
            try await use(ring, days: days, until: end)
        } catch {
            await disconnect { await ring.disconnect() }
            throw error
        }
        await disconnect { await ring.disconnect() }
    }

    private static nonisolated(nonsending) func use(
        _ ring: Ring, days: Int, until end: Moment
    ) async throws(DeviceError) {
        _ = try await ring.battery()
        _ = try await ring.deviceInformation()
        _ = try await ring.history(days: days)
        while ring.time.now() < end {
            let begun = ring.time.now()
            // Reports, not readings: the first reading takes half a minute, and the time may be
            // over before.
            var reports = ring.reports(of: .heartRate).makeAsyncIterator()
            while ring.time.now() < end, try await reports.next() != nil {}
            // The sequence ends at once in a cancelled task.
            if Task.isCancelled { throw DeviceError(.cancelled) }
            // A measurement that takes no time would be repeated for ever.
            if ring.time.now() == begun { break }
        }
        _ = try await ring.battery()
    }

    /// Connects to a strap, by default the nearest one, and receives its measurements until the
    /// time is over.
    static nonisolated(nonsending) func strap(
        _ identity: PeripheralIdentity? = nil, over transport: some BLETransport,
        for duration: Duration
    ) async throws(DeviceError) {
        let end = transport.time.now() + duration
        let strap =
            if let identity {
                try await HeartRateSensor.connect(to: identity, over: transport)
            } else {
                try await HeartRateSensor.connect(over: transport)
            }
        do throws(DeviceError) {
            try await use(strap, until: end, on: transport.time)
        } catch {
            await disconnect { await strap.disconnect() }
            throw error
        }
        await disconnect { await strap.disconnect() }
    }

    private static nonisolated(nonsending) func use(
        _ strap: HeartRateSensor, until end: Moment, on time: any TransportTime
    ) async throws(DeviceError) {
        _ = try await strap.deviceInformation()
        _ = try await strap.location()
        do throws(DeviceError) {
            _ = try await strap.battery()
        } catch {
            // The battery service is optional.
            guard error.kind == .notSupported else { throw error }
        }
        var measurements = strap.measurements.makeAsyncIterator()
        while time.now() < end, try await measurements.next() != nil {}
    }

    /// Waits for the disconnection. A cancelled task does not wait, so another one does.
    private static nonisolated(nonsending) func disconnect(
        _ body: @escaping @Sendable () async -> Void
    ) async {
        guard Task.isCancelled else { return await body() }
        await Task { await body() }.value
    }
}
