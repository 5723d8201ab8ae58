import HaloCapture
import HaloDevices
import HaloSimulator
import HaloTransport

#if os(Linux)
import FakeBlueZ
import HaloBlueZ
import HaloDBus
#endif

struct SimulateVerb: Verb {
    private enum Place {
        /// A private bus: its socket, or `nil` for an unused one; for all users, or for this one.
        case fakeBlueZ(bus: String?, isForEveryone: Bool)
        /// The air, through an adapter of this computer.
        case adapter(String)
    }

    private enum Origin {
        case model(String, faults: [VirtualFault])
        case recording(FilePath)
    }

    private let origin: Origin
    /// The models of the other devices.
    private let others: [String]
    private let place: Place
    private let adapterCount: Int
    private let seed: UInt64
    /// The days that rings were worn; `nil` for the usual ones.
    private let days: Int?
    private let batteryPercent: Int?
    private let commands: [ScriptedCommand]
    private let script: SimulatorScript
    /// `true` if lines of standard input are commands, also at a terminal.
    private let readsLines: Bool
    private let recording: FilePath?
    /// A program to run with the device, and its arguments. The device is removed at its end.
    private let command: [[UInt8]]

    private static let deviceLimit = 32

    private static let fakeOption = Flag(
        "fake-bluez",
        """
        without a radio, on a private bus with a fake of BlueZ's daemon. The first line of the \
        output, DBUS_SYSTEM_BUS_ADDRESS=unix:…, is the environment variable with which programs \
        find the bus; the device is then available
        """)
    private static let busOption = Option.text(
        "bus", "PLACE",
        """
        the socket of the bus: a file to create, @NAME for an abstract socket, or an address, \
        unix:path=FILE (default: an unused abstract one). Programs of this user and of root may \
        connect
        """)
    private static let everyoneOption = Flag(
        "everyone", "programs of all users may connect to the bus")
    private static let adapterOption = Option.text(
        "adapter", "hciN",
        "on the air: this computer acts as the device, for a phone or another computer")
    private static let modelOption = Option.profile(
        "model", "the model of the ring (default: r02)")
    private static let seedOption = Option.seed("the seed of the virtual wearer (default: 1)")
    private static let withOption = Option<String>.choice(
        "with", "DEVICE", from: DeviceKind.models,
        "one more device: \(extras), or the model of a ring; can be repeated", isRepeatable: true
    ) { name in
        DeviceKind.models.first { $0 == name.lowercased() }
    }
    private static let extras =
        DeviceKind.all.filter { $0 != .ring }.flatMap { $0.models }.joined(separator: ", ")
    private static let adaptersOption = Option.number(
        "adapters", "N", in: 1...16, "the number of adapters, hci0 and so on (default: 1)")

    private static let batteryOption = Option.number(
        "battery", "N", in: 0...100, "the charge of the battery at the start, in percent")
    private static let daysOption = Option.number(
        "days", "N", in: VirtualWear.dayLimits,
        "the past days on which the ring was worn, for its history (default: 7)")
    private static let faultOption = Option<VirtualFault>.faults("fault")
    private static let scriptOption = Option.file(
        "script",
        "the commands that control the device; with -, standard input, even at a terminal")
    private static let replayOption = Option.file(
        "replay",
        """
        a capture, or a log of Bluetooth traffic, whose device is played in place of KIND
        """)
    private static let recordOption = Option.file(
        "record", "records what programs do, in a capture of this name")

    static let syntax = VerbSyntax(
        "simulate", "simulates a device for other programs",
        forms: [
            "KIND --fake-bluez [-- COMMAND …]", "KIND --adapter hciN",
            "--replay FILE --fake-bluez [-- COMMAND …]", "--replay FILE --adapter hciN",
        ],
        words: DeviceKind.names,
        options: [
            fakeOption, busOption, everyoneOption, adapterOption, modelOption, seedOption,
            batteryOption, daysOption, faultOption, withOption, adaptersOption, scriptOption,
            replayOption, recordOption, CommonOptions.force,
        ],
        json: """
            one JSON object a line: type bus (address), which is the first one with --fake-bluez; \
            device (name, address); connected; disconnected; read (attribute); write (attribute, \
            packet, code, bytes); subscription (attribute, isOn); light (light); command (command, \
            result); dropped (count). All from connected to command have device and seconds
            """,
        examples: [
            "halo simulate ring --fake-bluez",
            "halo simulate strap --fake-bluez -- python3 client.py",
        ],
        """
        Simulates a device that any program finds over Bluetooth, until Ctrl-C. KIND is
        \(TextLayout.alternatives(DeviceKind.names)).
        The requests of programs are printed on standard error. The device is removed after a
        signal, or when the reader of the output closes it.

        A command after -- is run with the environment variable that names the bus, and its exit
        status becomes that of halo. Qt programs also need
        \(daemonVersion.name)=\(daemonVersion.value); a command gets it.

        At a terminal, keys control the first device:
        \(SimulatorKey.help)

        Without a terminal, lines of standard input do. --script reads the same from a file. A
        command after -- has standard input to itself. A line end or ; ends a command, and #
        begins a comment. A command acts at once, or at the time before it, counted from the
        start of the device: '10s take-off; 20s lose-link; 30s put-on'. A mistake in a file is
        wrong usage; a line of standard input with a mistake is skipped.

        The commands:
        \(SimulatorCommand.help)
        """)

    /// The environment variable with the version of the daemon, for programs of Qt.
    ///
    /// Without it they run the program that owns the daemon's name with `--version`, which would
    /// start this program a second time.
    private static let daemonVersion = (name: "BLUETOOTH_FORCE_DBUS_LE_VERSION", value: "5.66")

    init(_ arguments: ParsedArguments) throws(Failure) {
        command = (arguments.trailing ?? []).map(\.bytes)
        if arguments.trailing == [] { throw .wrongUsage("-- takes a command") }
        let kind: DeviceKind?
        (origin, kind) = try Self.origin(arguments)
        place = try Self.place(arguments)
        others = try arguments.values(of: Self.withOption)
        guard others.count < Self.deviceLimit else {
            throw .wrongUsage("there can be at most \(Self.deviceLimit) devices")
        }
        var known = kind?.commands ?? []
        if case .fakeBlueZ = place { known.append(.loseLink) }
        script = SimulatorScript(device: kind?.withArticle ?? "a recording", known: known)
        let scriptFile = try arguments.value(of: Self.scriptOption)
        readsLines = scriptFile?.isStandard ?? false
        if readsLines, !command.isEmpty {
            throw .wrongUsage("standard input belongs to the command; --script needs a file")
        }
        adapterCount = try arguments.value(of: Self.adaptersOption) ?? 1
        seed = try arguments.value(of: Self.seedOption) ?? 1
        days = try arguments.value(of: Self.daysOption)
        batteryPercent = try arguments.value(of: Self.batteryOption)
        commands = try readsLines ? [] : scriptFile.map(script.commands) ?? []
        recording = try Self.recording(arguments)
    }

    /// The device, and its kind; no kind for a recorded one.
    private static func origin(
        _ arguments: ParsedArguments
    ) throws(Failure) -> (Origin, DeviceKind?) {
        var words = arguments.words[...]
        if let path = try arguments.value(of: replayOption) {
            if let word = words.first {
                throw .wrongUsage("--replay and '\(word.text)' cannot be used together")
            }
            try refuse([modelOption, batteryOption, daysOption, faultOption], arguments) {
                "\($0) cannot be used with a recording"
            }
            return (.recording(path), nil)
        }
        guard let word = words.popFirst()?.text else {
            throw .wrongUsage("say what to simulate: \(DeviceKind.words(DeviceKind.all))")
        }
        let kind = try Choice.value(
            word, of: "simulate", from: DeviceKind.names, DeviceKind.named)
        if let word = words.first {
            throw .wrongUsage("unexpected argument '\(word.text)'")
        }
        if kind != .ring {
            try refuse([modelOption, daysOption, faultOption], arguments) {
                "\($0) is for a ring, not for \(kind.withArticle)"
            }
        }
        if !kind.commands.contains(.battery) {
            try refuse([batteryOption], arguments) { "\($0) is not for \(kind.withArticle)" }
        }
        let model = try arguments.value(of: modelOption)?.optionName ?? kind.models[0]
        return (.model(model, faults: try arguments.values(of: faultOption)), kind)
    }

    private static func place(
        _ arguments: ParsedArguments
    ) throws(Failure) -> Place {
        let adapter = try arguments.value(of: adapterOption)
        guard arguments.has(fakeOption) != (adapter != nil) else {
            throw .wrongUsage("give either --fake-bluez or --adapter hciN")
        }
        guard let adapter else {
            return .fakeBlueZ(
                bus: try arguments.value(of: busOption),
                isForEveryone: arguments.has(everyoneOption))
        }
        try refuse([busOption, everyoneOption, withOption, adaptersOption], arguments) {
            "\($0) needs --fake-bluez"
        }
        if arguments.trailing != nil { throw .wrongUsage("a command needs --fake-bluez") }
        return .adapter(adapter)
    }

    private static func recording(
        _ arguments: ParsedArguments
    ) throws(Failure) -> FilePath? {
        guard let path = try arguments.value(of: recordOption) else {
            if arguments.has(CommonOptions.force) {
                throw .wrongUsage("--force needs --record")
            }
            return nil
        }
        if path.isStandard { throw .wrongUsage("--record takes a file") }
        for option in [replayOption, scriptOption] {
            guard let input = try arguments.value(of: option) else { continue }
            try FileArguments.check(path, differsFrom: input)
        }
        return path
    }

    private static func refuse(
        _ options: [any VerbOption], _ arguments: ParsedArguments, _ reason: (String) -> String
    ) throws(Failure) {
        for option in options where arguments.has(option) {
            throw .wrongUsage(reason(option.facts.word))
        }
    }
}

#if os(Linux)
extension SimulateVerb {
    func run(_ console: inout Console) async throws(Failure) -> ExitStatus {
        let devices = try devices(&console)
        guard let recording else { return try await run(devices, nil, &console) }
        try OutputFile.prepare(recording, &console)
        let recorder = try mapError(Failure.init) { () throws(FileError) in
            CaptureRecorder(try RecordingFile(recording, replacing: console.replacesFiles))
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
        let wearer = VirtualWear.wearer(seed: seed)
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
        console.write(
            type: "bus", ["address": variable.value],
            or: command.isEmpty ? "\(variable.name)=\(variable.value)\n" : "")
        if command.isEmpty { ProgramEnding.cancelsTask() }
        console.flush()
        guard !command.isEmpty else { return }
        ProgramEnding.keepForChild()
        let child = try await ChildProcess.start(
            command, with: [variable, Self.daemonVersion]
        ) { log.end(with: $0) }
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
        let isAtTerminal = TerminalEnvironment.isTerminal(TerminalEnvironment.input)
        if readsLines || command.isEmpty && !isAtTerminal {
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
            let address = hosted.identity?.rawValue
            console.write(type: "device", ["name": hosted.name, "address": address])
            return console.flush()
        }
        let position = hosted.identity.map { " is at \($0)," } ?? " is available,"
        let ending = place != nil && command.isEmpty ? "; Ctrl-C ends it" : ""
        console.remark("\(hosted.name)\(position) \(place ?? "as well")\(ending)")
    }
}
#else
extension SimulateVerb {
    func run(_ console: inout Console) async throws(Failure) -> ExitStatus {
        throw Failure(.unusable, "a device for other programs needs Linux")
    }
}
#endif
