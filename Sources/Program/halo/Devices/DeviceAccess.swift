import HaloCapture
import HaloDevices
import HaloProtocol
import HaloSimulator
import HaloTraffic
import HaloTransport

#if os(Linux)
import HaloBlueZ
#endif

/// The opened place of a device: a transport, and what must live as long as it.
struct DeviceAccess: Sendable {
    let transport: any BLETransport
    /// The value of a capture's `device:` tag, for a device that is not real.
    let source: CaptureText?
    private let request: DeviceRequest
    private let progress: Progress.Place
    /// The fake of a daemon, which ends with its last reference.
    private let daemon: (any Sendable)?

    /// The time after the first discovery in which a better one is waited for.
    private static let window: Duration = .milliseconds(1500)

    /// Opens the place.
    ///
    /// - Parameter isShown: `true` if a person looks at the device: time is real then, also for a
    ///   virtual device.
    init(
        _ request: DeviceRequest, isShown: Bool, _ console: inout Console
    ) async throws(Failure) {
        self.request = request
        progress = console.progressPlace
        switch request.place {
        case .virtual(let choice, let bus?):
            #if os(Linux)
            let daemon = try await bus.open(with: choice)
            transport = try await Self.transport(daemon.options)
            (source, self.daemon) = (CaptureText(choice.words), daemon)
            #else
            throw Failure(.unusable, "a fake of BlueZ's daemon needs Linux")
            #endif
        case .virtual(let choice, nil):
            transport = choice.air(isShown: isShown)
            (source, daemon) = (CaptureText(choice.words), nil)
        case .replay(let path):
            transport = VirtualBluetooth(try ReplayDevice(reading: path, &console))
            (source, daemon) = (nil, nil)
        case .bluetooth(let bus):
            #if os(Linux)
            let daemon = try await bus.open()
            transport = try await Self.transport(daemon.options)
            (source, self.daemon) = (nil, daemon)
            #else
            throw Failure(
                .unusable, "this program uses Bluetooth on Linux only",
                advice: "--virtual uses a virtual ring instead.")
            #endif
        }
    }

    #if os(Linux)
    private static func transport(_ options: BlueZOptions) async throws(Failure) -> BlueZTransport {
        do throws(BLEError) {
            return try await BlueZTransport(options)
        } catch {
            throw Failure(DeviceError(error))
        }
    }
    #endif

    // MARK: Finding

    /// A device that was found.
    struct Found: Sendable {
        let discovery: Discovery

        var identity: PeripheralIdentity { discovery.identity }
        /// The name, or the address of a device without one.
        var name: String { discovery.name ?? identity.rawValue }
        /// The kind; a device that is not recognised is taken for one of the first kind.
        var kind: DeviceKind { DeviceKind.of(discovery) ?? DeviceKind.all[0] }
    }

    /// Finds the device, or another one in its place, which has to be of one of these kinds.
    ///
    /// - Parameter purpose: What needs one of these kinds, in the sentence of an error.
    nonisolated(nonsending) func find(
        _ kinds: [DeviceKind] = DeviceKind.all, for purpose: String = "that",
        _ other: DeviceRequest.Device? = nil, over transport: (any BLETransport)? = nil
    ) async throws(Failure) -> Found {
        let found = try await best(kinds, other ?? request.device, transport ?? self.transport)
        guard kinds.contains(found.kind) else {
            let wanted = TextLayout.alternatives(kinds.map { $0.withArticle })
            throw Failure(
                .unusable, "\(found.name) is \(found.kind.withArticle); \(purpose) needs \(wanted)")
        }
        return found
    }

    private nonisolated(nonsending) func best(
        _ kinds: [DeviceKind], _ device: DeviceRequest.Device, _ transport: any BLETransport
    ) async throws(Failure) -> Found {
        let words = device.words(of: kinds)
        do throws(DeviceError) {
            var finder = DeviceFinder(
                transport, device.filter, connected: DeviceKind.all.flatMap { $0.services },
                timeout: request.wait, window: Self.window
            ) { device.certainty(of: $0, among: kinds) }
            let best = try await waiting(
                "looking for a \(words)", limit: request.wait, on: progress
            ) { () async throws(DeviceError) in try await finder.best() }
            return Found(discovery: best)
        } catch {
            guard error.kind == .notFound || error.kind == .timedOut else { throw Failure(error) }
            // The search may be for less than the user knows.
            let isRemembered = !request.isNamed && device == request.device && device != .any
            let remark =
                isRemembered
                ? "HALO_DEVICE or 'halo use' asks for it; --device asks for another one. " : ""
            throw Failure(
                .notFound, "no \(words) was found in \(request.wait.words)",
                advice: remark + request.place.adviceOnNothingFound)
        }
    }

    /// Finds the device, which has to be of one of these kinds, and connects to it.
    ///
    /// - Parameters:
    ///   - purpose: What needs one of these kinds, in the sentence of an error.
    ///   - other: A device in place of the one that was asked for.
    ///   - transport: A transport around that of the place, which records for example.
    ///   - setsClock: `true` if a device with a clock gets the time of this computer.
    nonisolated(nonsending) func connect(
        _ kinds: [DeviceKind] = DeviceKind.all, for purpose: String = "that",
        _ other: DeviceRequest.Device? = nil, over transport: (any BLETransport)? = nil,
        setsClock: Bool
    ) async throws(Failure) -> any ConnectedDevice {
        try await connect(
            to: find(kinds, for: purpose, other, over: transport), over: transport,
            setsClock: setsClock)
    }

    /// Connects to a device that was found.
    nonisolated(nonsending) func connect(
        to found: Found, over transport: (any BLETransport)? = nil, setsClock: Bool
    ) async throws(Failure) -> any ConnectedDevice {
        try await using { () async throws(DeviceError) in
            try await waiting(
                "connecting to \(found.name)", on: progress
            ) { () async throws(DeviceError) in
                try await found.kind.connect(found, transport ?? self.transport, setsClock)
            }
        }
    }
}

extension DeviceRequest.Device {
    /// The filter that leaves out most other devices.
    fileprivate var filter: ScanFilter {
        switch self {
        case .address(let identity): ScanFilter(identities: [identity])
        case .any, .kind, .name: .all
        }
    }
}

extension DeviceRequest.Place {
    /// What to do if there is no such device in the place.
    fileprivate var adviceOnNothingFound: String {
        switch self {
        case .bluetooth:
            """
            Is it charged, near, and not connected to a phone? 'halo scan' shows what is around, \
            'halo doctor' whether Bluetooth works, and --virtual uses a virtual device.
            """
        case .virtual: "'halo scan' with the same --virtual shows what is there."
        case .replay: "'halo decode' shows what the capture has."
        }
    }
}

extension Failure {
    /// A device that cannot be used, with what to do about it.
    init(_ error: DeviceError) {
        let isOfConnecting = error.isOfConnecting
        self.init(
            isOfConnecting ? .notFound : .unusable, "\(error)",
            advice: isOfConnecting ? Self.doctorAdvice : Self.advice(on: error.kind))
        isCancellation = error.kind == .cancelled
    }

    private static let doctorAdvice = """
        'halo doctor' says what is missing, and how to fix it; --virtual uses a virtual ring \
        instead.
        """

    private static func advice(on kind: DeviceError.Kind) -> String? {
        switch kind {
        case .bluetooth, .bluetoothOff, .unauthorized: doctorAdvice
        case .notSupported: "'halo info' shows what this device can do."
        case .notWorn: "Put the ring on, with its sensors on the inner side of the finger."
        case .disconnected: "Keep the device near this computer, and a ring away from its charger."
        default: nil
        }
    }
}

// MARK: - Use

/// Calls a function of a device, and throws its error with what to do about it.
nonisolated(nonsending) func using<Value>(
    _ body: nonisolated(nonsending) () async throws(DeviceError) -> Value
) async throws(Failure) -> Value {
    do throws(DeviceError) {
        return try await body()
    } catch {
        throw Failure(error)
    }
}

extension DeviceRequest {
    /// Opens the place, connects to the ring, and disconnects after the body. A signal ends the
    /// body, and then the ring is disconnected all the same.
    nonisolated(nonsending) func withRing<Value>(
        _ console: inout Console,
        _ body: nonisolated(nonsending) (Ring, inout Console) async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        ProgramEnding.cancelsTask()
        let access = try await DeviceAccess(self, isShown: false, &console)
        let device = try await access.connect([.ring], setsClock: false)
        guard let ring = (device as? ConnectedRing)?.ring else {
            throw Failure(.unusable, "\(device.name) is no ring")
        }
        return try await device.whileConnected { () async throws(Failure) in
            try await body(ring, &console)
        }
    }
}
