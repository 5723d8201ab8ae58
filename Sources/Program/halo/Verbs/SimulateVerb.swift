import HaloCapture
import HaloSimulator

struct SimulateVerb: Verb {
    private let device: SimulatedDevice

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
        "one more device: \(others), or the model of a ring; can be repeated", isRepeatable: true
    ) { name in
        DeviceKind.models.first { $0 == name.lowercased() }
    }
    private static let others =
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
            replayOption, recordOption, FileArguments.force,
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
        status becomes that of halo. Qt programs also need \(variable); a
        command gets it.

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

    private static let variable: String = {
        let (name, value) = SimulatedDevice.daemonVersion
        return "\(name)=\(value)"
    }()

    init(_ arguments: ParsedArguments) throws(Failure) {
        let command = (arguments.trailing ?? []).map(\.bytes)
        if arguments.trailing == [] { throw .wrongUsage("-- takes a command") }
        let (origin, kind) = try Self.origin(arguments)
        let place = try Self.place(arguments)
        let others = try arguments.values(of: Self.withOption)
        guard others.count < Self.deviceLimit else {
            throw .wrongUsage("there can be at most \(Self.deviceLimit) devices")
        }
        var known = kind?.commands ?? []
        if case .fakeBlueZ = place { known.append(.loseLink) }
        let script = SimulatorScript(device: kind?.withArticle ?? "a recording", known: known)
        let scriptFile = try arguments.value(of: Self.scriptOption)
        let readsLines = scriptFile?.isStandard ?? false
        if readsLines, !command.isEmpty {
            throw .wrongUsage("standard input belongs to the command; --script needs a file")
        }
        device = SimulatedDevice(
            origin: origin, others: others, place: place,
            adapterCount: try arguments.value(of: Self.adaptersOption) ?? 1,
            seed: try arguments.value(of: Self.seedOption) ?? 1,
            days: try arguments.value(of: Self.daysOption),
            batteryPercent: try arguments.value(of: Self.batteryOption),
            commands: try readsLines ? [] : scriptFile.map(script.commands) ?? [],
            script: script, readsLines: readsLines, recording: try Self.recording(arguments),
            command: command)
    }

    /// The device, and its kind; no kind for a recorded one.
    private static func origin(
        _ arguments: ParsedArguments
    ) throws(Failure) -> (SimulatedDevice.Origin, DeviceKind?) {
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
            word, of: "halo simulate", from: DeviceKind.names, DeviceKind.named)
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
    ) throws(Failure) -> SimulatedDevice.Place {
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
    ) throws(Failure) -> SimulatedDevice.Recording? {
        guard let path = try arguments.value(of: recordOption) else {
            if arguments.has(FileArguments.force) {
                throw .wrongUsage("--force needs --record")
            }
            return nil
        }
        if path.isStandard { throw .wrongUsage("--record takes a file") }
        for option in [replayOption, scriptOption] {
            guard let input = try arguments.value(of: option) else { continue }
            try FileArguments.check(path, differsFrom: input)
        }
        return SimulatedDevice.Recording(
            path: path, replaces: arguments.has(FileArguments.force))
    }

    private static func refuse(
        _ options: [any VerbOption], _ arguments: ParsedArguments, _ reason: (String) -> String
    ) throws(Failure) {
        for option in options where arguments.has(option) {
            throw .wrongUsage(reason(option.facts.word))
        }
    }

    func run(_ console: inout Console) async throws(Failure) -> ExitStatus {
        #if os(Linux)
        return try await device.run(&console)
        #else
        throw Failure(.unusable, "a device for other programs needs Linux")
        #endif
    }
}
