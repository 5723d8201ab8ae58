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

    /// Opens the place. From then on a signal cancels the task, which disconnects at its end.
    ///
    /// - Parameters:
    ///   - isShown: `true` if a person or another program looks at the device: time is real then,
    ///     also for a virtual device.
    ///   - isForOthers: `true` if other programs connect to a device that this one hosts.
    init(
        _ request: DeviceRequest, isShown: Bool, isForOthers: Bool = false,
        _ console: inout Console
    ) async throws(Failure) {
        ProgramEnding.cancelsTask()
        self.request = request
        progress = console.progressPlace
        source = request.place.virtual.map { CaptureText($0.words) }
        switch request.place {
        case .bluetooth(let bus, let choice):
            #if os(Linux)
            let daemon = try await bus.open(with: choice, isForOthers: isForOthers)
            self.daemon = daemon
            do throws(BLEError) {
                transport = try await BlueZTransport(daemon.options)
            } catch {
                throw Failure(DeviceError(error))
            }
            #else
            throw choice == nil
                ? Failure(
                    .unusable, "this program uses Bluetooth on Linux only",
                    advice: "--virtual uses a virtual device instead.")
                : Failure(.unusable, "the fake of BlueZ's daemon needs Linux")
            #endif
        case .virtual(let choice):
            (transport, daemon) = (choice.air(isShown: isShown), nil)
        case .replay(let path):
            transport = VirtualBluetooth(try ReplayDevice(reading: path, &console))
            console.isReplaying = true
            daemon = nil
        }
    }

    static func recording(
        _ transport: some BLETransport, to recorder: CaptureRecorder
    ) -> any BLETransport {
        RecordingTransport(transport, to: recorder)
    }

    #if os(Linux)
    /// Hosts a device for other programs, through the adapter of the place or another one; the
    /// computer's own if the place has none.
    func host<Device: GATTPeripheral>(
        _ device: Device, adapter: String?
    ) async throws(Failure) -> Hosted<Device> {
        do throws(BLEError) {
            // The transport knows the links that it has made: their devices are no centrals.
            if adapter == nil, let own = transport as? BlueZTransport {
                return try await own.host(device)
            }
            var options = (daemon as? BusChoice.Daemon)?.options ?? BlueZOptions()
            options.adapter = adapter
            return try await BlueZTransport(options).host(device)
        } catch {
            throw Failure(
                DeviceError(error), otherwise: "--fake-bluez needs no Bluetooth of this computer.")
        }
    }

    /// The address of the private bus, where other programs find the fake daemon.
    var fakeBus: String? {
        let daemon = daemon as? BusChoice.Daemon
        return daemon?.isFake == true ? daemon?.options.bus : nil
    }
    #endif

    // MARK: Finding

    /// Finds the device, or another one in its place, which has to be of one of these kinds.
    ///
    /// - Parameters:
    ///   - purpose: What needs one of these kinds, in the sentence of an error.
    ///   - transport: A transport around that of the place, which records for example.
    nonisolated(nonsending) func find(
        _ kinds: [DeviceKind] = DeviceKind.all, for purpose: String = "that",
        _ other: DeviceRequest.Device? = nil, over transport: (any BLETransport)? = nil
    ) async throws(Failure) -> Discovery {
        let wanted = TextLayout.alternatives(kinds.map { $0.withArticle })
        if let choice = request.place.virtual, kinds.allSatisfy(choice.lacks) {
            throw Failure(
                .unusable, "\(purpose) needs \(wanted), which the virtual devices are not",
                advice: DeviceRequest.Place.scanOfVirtual)
        }
        let device = other ?? request.device
        let found = try await best(kinds, device, transport ?? self.transport)
        guard kinds.contains(found.kind) else {
            throw Failure(
                .unusable,
                "\(found.nameOrAddress) is \(found.kind.withArticle); \(purpose) needs \(wanted)",
                advice: remembered(device))
        }
        return found
    }

    /// Says where a device comes from that no option has named: the search may be for less than the
    /// user knows.
    private func remembered(_ device: DeviceRequest.Device) -> String? {
        request.isNamed || device != request.device || device == .any
            ? nil : "HALO_DEVICE or 'halo use' selects it; --device selects another one."
    }

    private nonisolated(nonsending) func best(
        _ kinds: [DeviceKind], _ device: DeviceRequest.Device, _ transport: any BLETransport
    ) async throws(Failure) -> Discovery {
        let words = device.words(of: kinds)
        do throws(DeviceError) {
            var finder = DeviceFinder(
                transport, device.filter, connected: DeviceKind.all.flatMap { $0.services },
                timeout: request.wait, window: Self.window, isOnly: device.isOnly
            ) { device.confidence(of: $0, among: kinds) }
            return try await waiting(
                "looking for \(DeviceKind.withArticle(words))", limit: request.wait, on: progress
            ) { () async throws(DeviceError) in try await finder.best() }
        } catch {
            guard error.kind == .notFound || error.kind == .timedOut else { throw Failure(error) }
            let advice = [remembered(device), request.place.adviceOnNothingFound()]
            throw Failure(
                .notFound, "no \(words) was found in \(request.wait.words)",
                advice: advice.compactMap(\.self).joined(separator: " "))
        }
    }

    /// - Parameter setsClock: `true` if a device with a clock gets the time of this computer, also
    ///   if no option asks for it.
    nonisolated(nonsending) func connect(
        to found: Discovery, over transport: (any BLETransport)? = nil, setsClock: Bool = false
    ) async throws(Failure) -> any ConnectedDevice {
        try await connecting(to: found) { () async throws(DeviceError) in
            try await found.kind.connect(
                found, transport ?? self.transport, setsClock || request.setsClock)
        }
    }

    /// Calls a function that connects to a device, and shows progress.
    nonisolated(nonsending) func connecting<Value>(
        to found: Discovery, _ body: nonisolated(nonsending) () async throws(DeviceError) -> Value
    ) async throws(Failure) -> Value {
        try await using { () async throws(DeviceError) in
            try await waiting("connecting to \(found.nameOrAddress)", on: progress, body)
        }
    }
}

extension Discovery {
    var nameOrAddress: String { name ?? identity.rawValue }
    /// The kind; a device that is not recognised is taken for one of the first kind.
    var kind: DeviceKind { DeviceKind.of(self) ?? DeviceKind.all[0] }
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
    func adviceOnNothingFound(inScan: Bool = false) -> String {
        switch self {
        case .bluetooth(_, nil):
            """
            Is it charged, nearby, and not connected to a phone? \
            \(inScan ? "" : "'halo scan' lists nearby devices, ")\
            'halo doctor' checks Bluetooth, and --virtual uses a virtual device.
            """
        case .bluetooth, .virtual: inScan ? "The devices are virtual." : Self.scanOfVirtual
        case .replay:
            """
            'halo import' lists the devices in the recording; --replay plays the first one. \
            'halo import --device' makes a capture of another one.
            """
        }
    }

    fileprivate static let scanOfVirtual =
        "'halo scan' lists the virtual devices, with the same --virtual or --fake-bluez."
}

extension Failure {
    /// - Parameter otherwise: What needs no Bluetooth of this computer, and is advised without it.
    init(_ error: DeviceError, otherwise: String = "--virtual uses a virtual device instead.") {
        let isOfConnecting = error.isOfConnecting
        let doctor = "'halo doctor' says what is missing, and how to fix it; \(otherwise)"
        let outage = error.kind == .bluetooth ? error.bleError?.details : nil
        self.init(
            isOfConnecting ? .notFound : .unusable,
            outage.map { "Bluetooth cannot be used: \($0)" } ?? error.sentence,
            advice: isOfConnecting ? doctor : Self.advice(on: error, doctor))
        cause = error.kind
    }

    /// The program's own commands where one of them helps, otherwise the error's advice.
    private static func advice(on error: DeviceError, _ doctor: String) -> String? {
        switch error.kind {
        case .bluetooth, .bluetoothOff, .unauthorized: doctor
        case .notSupported: "'halo info' shows what this device can do."
        case .disconnected: "Keep the device near this computer, and a ring away from its charger."
        default: error.advice
        }
    }
}

extension DeviceError {
    /// The error for people: after the title of its command, not after the name of a type.
    var sentence: String {
        var error = self
        error.command = nil
        guard let command else { return "\(error)" }
        var titles = CommandCatalog.entries.map { ($0.name, $0.facts.title) }
        titles += BigDataCatalog.entries.map { ($0.name, $0.facts.title) }
        titles += CharacteristicCatalog.entries.map { ($0.name, $0.title) }
        for family in DeviceFamilyCatalog.families {
            titles += family.packets.map { ($0.form.name.subject, family.title) }
        }
        let title = titles.first { $0.0 == command }?.1 ?? command
        return "\(title): \(error)"
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

extension LiveEvents {
    /// Runs a function that adds values, and ends with it; its error is the last event.
    func run(
        _ body: @escaping @Sendable () async throws(DeviceError) -> Void
    ) -> Task<Void, Never> {
        Task {
            do throws(DeviceError) {
                try await body()
                finish()
            } catch {
                fail(Failure(error))
            }
        }
    }
}

extension DeviceRequest {
    /// Opens the place, connects to the ring, and disconnects after the body. A signal ends the
    /// body, and then the ring is disconnected all the same.
    nonisolated(nonsending) func withRing<Value>(
        _ console: inout Console,
        _ body: nonisolated(nonsending) (Ring, inout Console) async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        let access = try await DeviceAccess(self, isShown: false, &console)
        let device = try await access.connect(to: access.find([.ring]))
        guard let ring = (device as? ConnectedRing)?.ring else {
            throw Failure(.unusable, "\(device.name) is not a ring")
        }
        return try await device.whileConnected(&console) { (console) async throws(Failure) in
            try await body(ring, &console)
        }
    }
}
