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
    enum Place: Equatable, Sendable {
        /// A private bus: its socket, or `nil` for an unused one; for all users, or for this one.
        case fakeBlueZ(bus: String?, isForEveryone: Bool)
        /// The air, through an adapter of this computer.
        case adapter(String)
    }

    enum Origin: Sendable {
        case model(String, faults: [VirtualFault])
        case recording(FilePath)
    }

    let origin: Origin
    /// The models of the other devices.
    let others: [String]
    let place: Place
    let adapterCount: Int
    let seed: UInt64
    /// The days that rings were worn; `nil` for the usual ones.
    let days: Int?
    /// The charge of the batteries; `nil` for the usual one.
    let batteryPercent: Int?
    let commands: [ScriptedCommand]
    let script: SimulatorScript
    /// `true` if lines of standard input are commands, also at a terminal.
    let readsLines: Bool
    let recording: Recording?
    /// A program to run with the device, and its arguments. The device is removed at its end.
    let command: [[UInt8]]

    struct Recording: Sendable {
        let path: FilePath
        let replaces: Bool
    }

    /// The environment variable with the version of the daemon, for programs of Qt.
    ///
    /// Without it they run the program that owns the daemon's name with `--version`, which would
    /// start this program a second time.
    static let daemonVersion = (name: "BLUETOOTH_FORCE_DBUS_LE_VERSION", value: "5.66")
}

#if os(Linux)
extension SimulatedDevice {
    func run(_ console: inout Console) async throws(Failure) -> ExitStatus {
        let devices = try devices(&console)
        guard let recording else { return try await run(devices, nil, &console) }
        try OutputFile.prepare(recording.path, replaces: recording.replaces, &console)
        let recorder = try mapError(Failure.init) { () throws(FileError) in
            try CaptureRecorder(writingTo: recording.path, replacing: recording.replaces)
        }
        defer { recorder.finish() }
        let status = try await run(devices, recorder, &console)
        recorder.finish()
        if let failure = recorder.failure {
            let reported = console.report(Failure(.unusable, "\(failure)"))
            return status == .success ? reported : status
        }
        if !recorder.hasBegun { console.remark("nothing was recorded: no program has connected") }
        return status
    }

    private func run(
        _ devices: [any ControlledDevice], _ recorder: CaptureRecorder?, _ console: inout Console
    ) async throws(Failure) -> ExitStatus {
        do {
            return switch place {
            case .fakeBlueZ(let socket, let isForEveryone):
                try await runOnBus(
                    devices, recorder, at: socket, for: isForEveryone ? .everyone : .user, &console)
            case .adapter(let adapter): try await runOnAir(devices, recorder, adapter, &console)
            }
        } catch let failure as Failure {
            throw failure
        } catch let error as BLEError {
            throw Failure(
                DeviceError(error), otherwise: "--fake-bluez simulates without a radio.")
        } catch {
            throw Failure(.unusable, "\(error)")
        }
    }

    /// The devices. One person wears all of them.
    private func devices(_ console: inout Console) throws(Failure) -> [any ControlledDevice] {
        let wearer = VirtualDevices.wearer(seed: seed)
        func virtual(
            _ model: String, _ number: Int, _ faults: [VirtualFault] = []
        ) -> (any ControlledDevice)? {
            DeviceKind.virtual(
                model,
                VirtualWear(
                    wearer: wearer, days: days, seed: seed &+ UInt64(number),
                    batteryPercent: batteryPercent, faults: faults))
        }
        let first: (any ControlledDevice)? =
            switch origin {
            case .model(let model, let faults): virtual(model, 0, faults)
            case .recording(let path): try ReplayDevice(reading: path, &console)
            }
        return ([first] + others.enumerated().map { virtual($1, $0 + 1) }).compactMap { $0 }
    }

    // MARK: On a bus

    private func runOnBus(
        _ devices: [any ControlledDevice], _ recorder: CaptureRecorder?, at socket: String?,
        for access: PrivateBus.Access, _ console: inout Console
    ) async throws -> ExitStatus {
        let log = DeviceLog(namesDevices: !others.isEmpty)
        let bus = try PrivateBus()
        defer { bus.close() }
        bus.onExpulsion { log.add(Self.line($0)) }
        let daemon = try await FakeBlueZ(adapters: adapterCount, timing: .realistic, on: bus)
        let all = devices.map { device in
            let hosted = daemon.add(logged(device, log, recorder, console))
            if recorder != nil, let identity = hosted.identity {
                hosted.modify { $0.base.setIdentity(identity) }
            }
            return hosted
        }
        try await startBus(try Self.listen(daemon, at: socket, for: access), log, &console)
        let status = await control(all, "on a private bus", daemon, log, &console)
        withExtendedLifetime(daemon) {}
        return status
    }

    private func startBus(
        _ address: DBusAddress, _ log: DeviceLog, _ console: inout Console
    ) async throws {
        let variable = (name: "DBUS_SYSTEM_BUS_ADDRESS", value: "\(address)")
        if console.isJSON {
            console.write(type: "bus", [("address", .string(variable.value))])
        } else if command.isEmpty {
            console.write("\(variable.name)=\(variable.value)\n")
        }
        if command.isEmpty { ProgramEnding.cancelsTask() }
        console.flush()
        guard !command.isEmpty else { return }
        ProgramEnding.keepForChild()
        let child = try await ChildProcess.start(
            command, with: [variable, Self.daemonVersion]
        ) { log.end(.command($0)) }
        guard ProgramEnding.forward(to: child, kills: { log.add("the command is killed") })
        else { throw Failure(.unusable, "no thread for signals could be started") }
    }

    private func logged(
        _ device: any ControlledDevice, _ log: DeviceLog, _ recorder: CaptureRecorder?,
        _ console: Console
    ) -> LoggedPeripheral {
        let name = device.name
        let base = recorder.map { device.recorded(as: PeripheralIdentity(name), to: $0) } ?? device
        return LoggedPeripheral(base, logsLight: !drawsLights(console)) { log.add($0, of: name) }
    }

    /// `true` if lights are drawn, and not in lines of the log: the terminal is not a command's.
    private func drawsLights(_ console: Console) -> Bool {
        command.isEmpty && !console.isJSON && LightLine.isPossible(console)
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

    private static func line(_ expulsion: PrivateBus.Expulsion) -> String {
        let program = expulsion.process.map { "process \($0)" } ?? "a program"
        return "\(program) is disconnected from the bus: \(expulsion.reason)"
    }

    // MARK: On the air

    private func runOnAir(
        _ devices: [any ControlledDevice], _ recorder: CaptureRecorder?, _ adapter: String,
        _ console: inout Console
    ) async throws -> ExitStatus {
        guard let device = devices.first else { return .wrongUsage }
        let log = DeviceLog()
        ProgramEnding.cancelsTask()
        let transport = try await BlueZTransport(BlueZOptions(adapter: adapter))
        let hosted = try await transport.host(logged(device, log, recorder, console))
        let place = "on the air, through \(adapter)"
        let status = await control([hosted], place, nil, log, &console)
        withExtendedLifetime(transport) {}
        return status
    }

    // MARK: Control and output

    /// Writes the log and obeys the control of the first device until there is a reason to end, and
    /// then removes it.
    private func control(
        _ devices: [Hosted<LoggedPeripheral>], _ place: String, _ daemon: FakeBlueZ?,
        _ log: DeviceLog, _ console: inout Console
    ) async -> ExitStatus {
        guard let hosted = devices.first else { return .wrongUsage }
        announce(hosted, place, &console)
        for other in devices.dropFirst() { announce(other, nil, &console) }
        var lights: LightLine?
        if drawsLights(console) {
            lights = LightLine(console) {
                devices.compactMap { device in device.light().map { (device.name, $0) } }
            }
        }
        let control = SimulatorControl(of: hosted, script, log, daemon)
        control.run(commands)
        // A command of the user reads standard input itself.
        if readsLines || command.isEmpty && !KeyReader.isTerminal {
            control.readLines()
        } else if command.isEmpty, let line = control.readKeys() {
            console.remark(line)
        }
        let status = await log.write(untilEndOf: hosted, lights, &console)
        for line in hosted.state.base.conclusion?.split(separator: "\n") ?? [] {
            console.remark(String(line))
        }
        control.end()
        await hosted.remove()
        return status
    }

    /// Tells where a device is; `nil` for a place that was told of another one.
    private func announce(
        _ hosted: Hosted<LoggedPeripheral>, _ place: String?, _ console: inout Console
    ) {
        if console.isJSON {
            let address = JSONValue.string(hosted.identity?.rawValue)
            console.write(type: "device", [("name", .string(hosted.name)), ("address", address)])
            return console.flush()
        }
        let position = hosted.identity.map { " is at \($0)," } ?? " is available,"
        let ending = place != nil && command.isEmpty ? "; Ctrl-C ends it" : ""
        console.remark("\(hosted.name)\(position) \(place ?? "as well")\(ending)")
    }
}
#endif
