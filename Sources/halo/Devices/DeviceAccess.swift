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
            var options = ImportOptions()
            options.device = .all
            let held = HeldConversation(InputFile(path), options, &console)
            if let problem = held.end.problem { throw problem }
            transport = VirtualBluetooth(ReplayDevice(held.capture))
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
        /// `true` for a strap, `false` for a ring and for a device that is not recognised.
        var isStrap: Bool { discovery.recognition.classification == .heartRateSensor }
    }

    /// Finds the device.
    ///
    /// - Parameter isRing: `true` if a strap would be of no use.
    nonisolated(nonsending) func find(isRing: Bool = false) async throws(Failure) -> Found {
        let found = try await best(isRing && request.device == .any ? .ring : request.device)
        if isRing, found.isStrap {
            throw Failure(.unusable, "\(found.name) is a strap; that needs a ring")
        }
        return found
    }

    private nonisolated(nonsending) func best(
        _ device: DeviceRequest.Device
    ) async throws(Failure) -> Found {
        do throws(DeviceError) {
            var finder = DeviceFinder(
                transport, device.filter,
                connected: [RingServices.uart, RingServices.bigData, StandardServices.heartRate],
                timeout: request.wait, window: Self.window
            ) { device.certainty(of: $0) }
            let best = try await waiting(
                "looking for a \(device.words)", limit: request.wait, on: progress
            ) { () async throws(DeviceError) in try await finder.best() }
            return Found(discovery: best)
        } catch {
            guard error.kind == .notFound || error.kind == .timedOut else { throw Failure(error) }
            throw Failure(
                .notFound, "no \(device.words) was found in \(request.wait.words)",
                advice: """
                    Is it charged, near, and not connected to a phone? 'halo scan' shows what is \
                    around, 'halo doctor' whether Bluetooth works, and --virtual uses a virtual \
                    ring.
                    """)
        }
    }

    /// Finds the device and connects to it, as a ring.
    nonisolated(nonsending) func ring(_ options: RingOptions) async throws(Failure) -> Ring {
        guard case .ring(let ring) = try await connect(options, isRing: true)
        else { throw Failure(.unusable, "this device is a strap, and that needs a ring") }
        return ring
    }

    /// A connected device.
    enum Connected: Sendable {
        case ring(Ring)
        /// A strap with its name.
        case strap(HeartRateSensor, String)

        /// The name, or the address of a device without one.
        var name: String {
            switch self {
            case .ring(let ring): ring.name ?? ring.identity.rawValue
            case .strap(_, let name): name
            }
        }

        /// Waits until the ring has been told that a measurement has ended, also in a cancelled
        /// task: a request behind the stop is answered.
        func settle() async {
            guard case .ring(let ring) = self else { return }
            await Task { _ = try? await ring.battery() }.value
        }

        /// Disconnects, also in a cancelled task.
        func disconnect() async {
            // A cancelled task does not wait, so another one does.
            await Task {
                switch self {
                case .ring(let ring): await ring.disconnect()
                case .strap(let strap, _): await strap.disconnect()
                }
            }.value
        }
    }

    /// Finds the device and connects to it.
    ///
    /// - Parameters:
    ///   - transport: A transport around that of the place, which records for example.
    ///   - isRing: `true` if a strap would be of no use.
    nonisolated(nonsending) func connect(
        over transport: (any BLETransport)? = nil, _ options: RingOptions = RingOptions(),
        isRing: Bool = false
    ) async throws(Failure) -> Connected {
        let found = try await find(isRing: isRing)
        let transport = transport ?? self.transport
        do throws(DeviceError) {
            if found.isStrap {
                return .strap(
                    try await HeartRateSensor.connect(to: found.identity, over: transport),
                    found.name)
            }
            if let ring = RingDiscovery(found.discovery) {
                return .ring(try await Ring.connect(to: ring, over: transport, options: options))
            }
            return .ring(
                try await Ring.connect(to: found.identity, over: transport, options: options))
        } catch {
            throw Failure(error)
        }
    }
}

extension DeviceRequest.Device {
    /// The filter that leaves out most other devices.
    fileprivate var filter: ScanFilter {
        switch self {
        case .address(let identity): ScanFilter(identities: [identity])
        case .any, .ring, .strap, .name: .all
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
        case .notSupported: "'halo info' shows what this ring can do."
        case .notWorn: "Put the ring on, with its sensors on the inner side of the finger."
        case .disconnected: "Keep the ring near this computer, and away from its charger."
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
    /// Options that leave the ring's clock as it is: looking at a ring changes nothing.
    static var untouched: RingOptions { RingOptions(clock: .leave) }

    /// Opens the place, connects to the ring, and disconnects after the body. A signal ends the
    /// body, and then the ring is disconnected all the same.
    nonisolated(nonsending) func withRing<Value>(
        _ console: inout Console,
        _ body: nonisolated(nonsending) (Ring, inout Console) async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        ProgramEnding.cancelsTask()
        let access = try await DeviceAccess(self, isShown: false, &console)
        let ring = try await access.ring(Self.untouched)
        do throws(Failure) {
            let value = try await body(ring, &console)
            await DeviceAccess.Connected.ring(ring).disconnect()
            return value
        } catch {
            await DeviceAccess.Connected.ring(ring).disconnect()
            throw error
        }
    }
}
