import HaloCapture
import HaloDevices
import HaloProtocol
import HaloSimulator
import HaloTransport

#if os(Linux)
import FakeBlueZ
import HaloBlueZ
import HaloDBus
#endif

/// A device for other programs, and more devices beside it.
struct SimulatedDevice: Sendable {
    /// The place where programs find the device.
    enum Place: Equatable, Sendable {
        /// A private bus: its socket, or `nil` for an unused one; for all users, or for this one.
        case fakeBlueZ(bus: String?, isForEveryone: Bool)
        /// The air, through an adapter of this computer.
        case adapter(String)
    }

    /// The models of the device and of the others.
    let models: [String]
    let place: Place
    let adapterCount: Int
    let seed: UInt64
    /// A program to run with the device, and its arguments. The device is removed at its end.
    let command: [[UInt8]]

    /// The environment variable with the version of the daemon, for programs of Qt.
    ///
    /// Without it they run the program that owns the daemon's name with `--version`, which would
    /// start this program a second time.
    static let daemonVersion = (name: "BLUETOOTH_FORCE_DBUS_LE_VERSION", value: "5.66")
}

#if os(Linux)
extension SimulatedDevice {
    /// Runs the devices until their end.
    func run(_ console: inout Console) async throws(Failure) -> ExitStatus {
        do {
            return switch place {
            case .fakeBlueZ(let socket, let isForEveryone):
                try await runOnBus(at: socket, for: isForEveryone ? .everyone : .user, &console)
            case .adapter(let adapter): try await runOnAir(adapter, &console)
            }
        } catch let failure as Failure {
            throw failure
        } catch let error as BLEError {
            throw Failure(DeviceError(error))
        } catch {
            throw Failure(.unusable, "\(error)")
        }
    }

    /// The devices. One person wears all of them.
    private var devices: [any KeyControlled] {
        let wearer = VirtualDevices.wearer(seed: seed)
        return zip(UInt64(0)..., models).compactMap { number, model in
            DeviceKind.virtual(model, VirtualWear(wearer: wearer, seed: seed &+ number))
        }
    }

    private func runOnBus(
        at socket: String?, for access: PrivateBus.Access, _ console: inout Console
    ) async throws -> ExitStatus {
        let log = DeviceLog()
        let bus = try PrivateBus()
        defer { bus.close() }
        bus.onExpulsion { log.add(Self.line($0)) }
        let daemon = try await FakeBlueZ(adapters: adapterCount, timing: .realistic, on: bus)
        let lightsAreDrawn = lightsAreDrawn(console)
        var all: [(hosted: any HostedDevice, name: String)] = []
        for device in self.devices {
            all.append((add(device, log, logsLight: !lightsAreDrawn, to: daemon), device.name))
        }
        let devices = all
        guard let (hosted, name) = devices.first else { return .wrongUsage }
        let variable = (
            name: "DBUS_SYSTEM_BUS_ADDRESS",
            value: "\(try Self.listen(daemon, at: socket, for: access))"
        )
        if command.isEmpty {
            ProgramEnding.cancelsTask()
            console.write("\(variable.name)=\(variable.value)\n")
            console.flush()
        } else {
            ProgramEnding.keepForChild()
            let child = try await ChildProcess.start(
                command, with: [variable, Self.daemonVersion]
            ) { log.end(.command($0)) }
            guard ProgramEnding.forward(to: child, kills: { log.add("the command is killed") })
            else { throw Failure(.unusable, "the system has no thread for signals") }
        }
        announce(hosted, name, "on a private bus", &console)
        for other in devices.dropFirst() {
            console.remark("\(other.name)\(Self.position(other.hosted)) as well")
        }
        let lights = lightsAreDrawn ? LightLine(console) { Self.lights(of: devices) } : nil
        let status = await log.write(
            untilEndOf: hosted, readsKeys: command.isEmpty, lights, &console
        ) {
            hosted.loseLink(on: daemon)
        }
        await hosted.remove()
        withExtendedLifetime(daemon) {}
        return status
    }

    private func add(
        _ device: some KeyControlled, _ log: DeviceLog, logsLight: Bool, to daemon: FakeBlueZ
    ) -> any HostedDevice {
        let prefix = models.count == 1 ? "" : "\(device.name): "
        return daemon.add(
            LoggedPeripheral(device: device, logsLight: logsLight) { log.add(prefix + $0) })
    }

    /// `true` if lights are drawn, and not in lines of the log: the terminal is not a command's.
    private func lightsAreDrawn(_ console: Console) -> Bool {
        command.isEmpty && LightLine.isPossible(console)
    }

    private static func lights(
        of devices: [(hosted: any HostedDevice, name: String)]
    ) -> [(name: String, light: DeviceLight)] {
        devices.compactMap { device in
            device.hosted.light().map { (device.name, $0) }
        }
    }

    private static func listen(
        _ daemon: FakeBlueZ, at place: String?, for access: PrivateBus.Access
    ) throws(Failure) -> DBusAddress {
        let socket = try place.map(Self.socket)
        return try mapError({ (error: DBusError) in
            let place = place.map { "'\($0)'" } ?? "an unused socket"
            return Failure(
                .unusable, "no bus can listen at \(place): \(error.details ?? "\(error)")")
        }) { () throws(DBusError) in try daemon.bus.listen(at: socket, for: access) }
    }

    /// A socket by its file, by `@` and its name, or by its address.
    private static func socket(_ place: String) throws(Failure) -> DBusAddress.Socket {
        guard place.hasPrefix("unix:") else {
            return place.first == "@" ? .abstract(String(place.dropFirst())) : .path(place)
        }
        guard let addresses = try? DBusAddress.list(place), addresses.count == 1,
            let socket = addresses[0].socket
        else {
            throw Failure(
                .wrongUsage, "--bus takes a file, @NAME or an address, not '\(place)'")
        }
        return socket
    }

    private func runOnAir(
        _ adapter: String, _ console: inout Console
    ) async throws -> ExitStatus {
        guard let device = devices.first else { return .wrongUsage }
        let log = DeviceLog()
        ProgramEnding.cancelsTask()
        let transport = try await BlueZTransport(BlueZOptions(adapter: adapter))
        let lightsAreDrawn = lightsAreDrawn(console)
        let hosted = try await Self.host(device, log, logsLight: !lightsAreDrawn, on: transport)
        let name = device.name
        announce(hosted, name, "on the air, by \(adapter)", &console)
        let lights =
            lightsAreDrawn ? LightLine(console) { Self.lights(of: [(hosted, name)]) } : nil
        let status = await log.write(
            untilEndOf: hosted, readsKeys: true, lights, &console, loseLink: nil)
        await hosted.remove()
        withExtendedLifetime(transport) {}
        return status
    }

    private static func host(
        _ device: some KeyControlled, _ log: DeviceLog, logsLight: Bool,
        on transport: BlueZTransport
    ) async throws -> any HostedDevice {
        try await transport.host(
            LoggedPeripheral(device: device, logsLight: logsLight) { log.add($0) })
    }

    private func announce(
        _ hosted: any HostedDevice, _ name: String, _ place: String, _ console: inout Console
    ) {
        let ending = command.isEmpty ? "; Ctrl-C ends it" : ""
        console.remark("\(name)\(Self.position(hosted)) \(place)\(ending)")
    }

    private static func line(_ expulsion: PrivateBus.Expulsion) -> String {
        let program = expulsion.process.map { "process \($0)" } ?? "a program"
        return "\(program) is disconnected from the bus: \(expulsion.reason)"
    }

    private static func position(_ hosted: any HostedDevice) -> String {
        hosted.identity.map { " is at \($0)," } ?? " is there,"
    }
}

/// A hosted device of any type.
private protocol HostedDevice: Sendable {
    var identity: PeripheralIdentity? { get }
    func ended() async -> BLEError?
    func remove() async
    var keys: [SimulatorKey] { get }
    func press(_ key: SimulatorKey) -> String?
    /// The light that the device gives now; `nil` for a device that is no light.
    func light() -> DeviceLight?
    func loseLink(on daemon: FakeBlueZ)
}

extension Hosted: HostedDevice where Device: KeyControlled {
    var keys: [SimulatorKey] { Device.keys }

    func press(_ key: SimulatorKey) -> String? {
        // A change without content: the device learns the time, on which the answer depends.
        modify { _ in }
        return modify { $0.press(key) }
    }

    func light() -> DeviceLight? { state.deviceLight(at: SystemTime().now()) }

    func loseLink(on daemon: FakeBlueZ) { daemon.loseLink(self) }
}

/// What happens to a simulated device, on its way to standard error: requests of programs, keys,
/// and its end.
struct DeviceLog: Sendable {
    enum Entry: Hashable, Sendable {
        case line(String)
        case key(Character)
        /// It is time to look at the lights.
        case tick
    }

    enum End: Hashable, Sendable {
        case lost(BLEError)
        /// The command has ended, with this exit status.
        case command(Int32)
    }

    /// The entries; they finish with the end.
    let entries: AsyncStream<Entry>
    private let continuation: AsyncStream<Entry>.Continuation
    /// The end stands beside the entries, so that no number of them drops it.
    private let ending = Locked<End?>(nil)
    private let isTickPending = Locked(false)

    /// The most entries that wait to be written; the oldest ones are dropped.
    private static let limit = 256

    init() {
        (entries, continuation) = AsyncStream.makeStream(
            bufferingPolicy: .bufferingNewest(Self.limit))
    }

    func add(_ line: String) { continuation.yield(.line(line)) }

    /// The first end; `nil` before it, and if a signal ends the program.
    var end: End? { ending.withLock { $0 } }

    func end(_ end: End) {
        ending.withLock { if $0 == nil { $0 = end } }
        continuation.finish()
    }

    /// Adds ticks, one at a time, until the task is cancelled.
    private func tick() async {
        while !Task.isCancelled {
            let isPending = isTickPending.withLock { isPending in
                defer { isPending = true }
                return isPending
            }
            if !isPending { continuation.yield(.tick) }
            try? await Task.sleep(for: LightLine.interval)
        }
    }

    /// Writes lines and obeys keys until there is a reason to end, and returns the exit status.
    ///
    /// - Parameters:
    ///   - readsKeys: `false` if a command of the user reads them.
    ///   - lights: The lights of the devices, where they are drawn.
    ///   - loseLink: Loses the link, where that is possible.
    fileprivate func write(
        untilEndOf hosted: any HostedDevice, readsKeys: Bool, _ lights: LightLine?,
        _ console: inout Console, loseLink: (() -> Void)?
    ) async -> ExitStatus {
        let loss = Task {
            if let error = await hosted.ended() { end(.lost(error)) }
        }
        let keys =
            readsKeys ? KeyReader { [continuation] in continuation.yield(.key($0)) } : nil
        let known = hosted.keys + (loseLink == nil ? [] : [.loseLink])
        if keys != nil { console.remark(SimulatorKey.line(known)) }
        var lights = lights
        let ticking = lights.map { _ in Task { await tick() } }
        defer {
            loss.cancel()
            keys?.end()
            ticking?.cancel()
        }
        // The task of the program is cancelled by a signal, and the loop ends.
        for await entry in entries {
            // Also with another entry, because the tick may be among those that were dropped.
            isTickPending.withLock { $0 = false }
            var line: String?
            switch entry {
            case .line(let text): line = text
            case .key(let character):
                let key = known.first { String($0.character) == character.lowercased() }
                guard let key else { continue }
                if key == .loseLink, let loseLink {
                    loseLink()
                    line = "the link is lost"
                } else {
                    line = hosted.press(key)
                }
            case .tick: break
            }
            if let line {
                lights?.erase()
                console.remark(line)
            }
            lights?.draw()
        }
        lights?.erase()
        switch end {
        case .lost(let error):
            return console.report(Failure(.unusable, "the device is lost: \(error)"))
        case .command(let status): return ExitStatus(code: status)
        case nil: return .success
        }
    }
}

/// A device that logs the requests of centrals.
private struct LoggedPeripheral<Device: KeyControlled>: KeyControlled {
    var device: Device
    /// `true` if changes of the light are logged.
    let logsLight: Bool
    private var loggedLight: DeviceLight?
    /// Called in the middle of an event: it must return at once, and not use the device.
    let log: @Sendable (String) -> Void

    init(device: Device, logsLight: Bool, log: @escaping @Sendable (String) -> Void) {
        (self.device, self.logsLight, self.log) = (device, logsLight, log)
    }

    var services: [GATTService] { device.services }

    mutating func handle(
        _ event: PeripheralEvent, at now: Moment, into effects: inout PeripheralEffects
    ) {
        if let line = line(event) { log(line) }
        device.handle(event, at: now, into: &effects)
        guard logsLight, let light = device.deviceLight(at: now), light != loggedLight else {
            return
        }
        loggedLight = light
        log("the light is \(light.words)")
    }

    func deviceLight(at now: Moment) -> DeviceLight? { device.deviceLight(at: now) }

    var name: String { device.name }

    static var keys: [SimulatorKey] { Device.keys }

    mutating func press(_ key: SimulatorKey) -> String? { device.press(key) }

    private func line(_ event: PeripheralEvent) -> String? {
        switch event {
        case .started, .woken, .changed, .maximumLength, .confirmed: nil
        case .connected: "a program connects"
        case .disconnected: "it disconnects"
        case .read(let attribute, offset: 0, _): "it reads \(name(attribute))"
        // Another part of a value that is longer than a packet.
        case .read: nil
        case .subscription(let attribute, isOn: true): "it subscribes to \(name(attribute))"
        case .subscription(let attribute, isOn: false): "it unsubscribes from \(name(attribute))"
        case .write(let attribute, let bytes, _):
            "it writes \(name(attribute)): \(summary(bytes, of: attribute))"
        }
    }

    private func name(_ attribute: AttributeID) -> String {
        for service in services {
            for characteristic in service.characteristics {
                if characteristic.id == attribute { return Self.name(characteristic.uuid) }
                for descriptor in characteristic.descriptors where descriptor.id == attribute {
                    return "\(descriptor.uuid) of \(Self.name(characteristic.uuid))"
                }
            }
        }
        return "attribute \(attribute.rawValue)"
    }

    private static func name(_ uuid: BluetoothUUID) -> String {
        CaptureChannel(uuid).knownName ?? uuid.descriptionWithName
    }

    /// The packet in the bytes, or else their number.
    private func summary(_ bytes: [UInt8], of attribute: AttributeID) -> String {
        let all = services.flatMap(\.characteristics)
        let channel = all.first { $0.id == attribute }.map { CaptureChannel($0.uuid) }
        if case .family(let family) = channel,
            let packet = family.packet(.toDevice, startingWith: bytes.first)
        {
            return "\(packet.form.name)"
        }
        guard let frame = try? Frame(decoding: bytes),
            let entry = CommandCatalog.entry(opcode: frame.opcode)
        else { return TextLayout.count(bytes.count, "byte") }
        return "\(entry.name) \(HexText.byte(frame.opcode))"
    }
}
#endif
