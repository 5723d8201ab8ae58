import HaloSimulator

/// `halo simulate`: a device for other programs.
struct SimulateVerb: Verb {
    private let device: SimulatedDevice

    private static let deviceLimit = 32

    private static let fakeOption = Flag(
        "fake-bluez",
        """
        without a radio, on a private bus with a fake of BlueZ's daemon. The first line of the \
        output, DBUS_SYSTEM_BUS_ADDRESS=unix:…, is the environment variable with which programs \
        find the bus; the device is there then
        """)
    private static let busOption = Option.text(
        "bus", "PLACE",
        """
        the socket of the bus: a file to create, @NAME for an abstract socket, or an address, \
        unix:path=FILE; an unused abstract one if left out. Programs of this user and of root may \
        connect
        """)
    private static let everyoneOption = Flag(
        "everyone", "programs of all users may connect to the bus")
    private static let adapterOption = Option.text(
        "adapter", "hciN",
        "on the air: this computer is the device, for a phone or another computer")
    private static let modelOption = Option.profile(
        "model", "the model of the ring; r02 if left out")
    private static let seedOption = Option.seed("the seed of the virtual wearer; 1 if left out")
    private static let withOption = Option<String>.choice(
        "with", "DEVICE", from: DeviceKind.models,
        "one more device: \(others), or the model of a ring; can be repeated", isRepeatable: true
    ) { name in
        DeviceKind.models.first { $0 == name.lowercased() }
    }
    private static let others =
        DeviceKind.all.filter { $0 != .ring }.flatMap { $0.models }.joined(separator: ", ")
    private static let adaptersOption = Option.number(
        "adapters", "N", in: 1...16, "the number of adapters, hci0 and so on; 1 if left out")

    static let syntax = VerbSyntax(
        "simulate", "simulates a device for other programs",
        forms: ["KIND --fake-bluez [-- COMMAND …]", "KIND --adapter hciN"],
        words: DeviceKind.names,
        options: [
            fakeOption, busOption, everyoneOption, adapterOption, modelOption, seedOption,
            withOption, adaptersOption,
        ],
        """
        Simulates a device, which any program with Bluetooth finds, until Ctrl-C. KIND is
        \(TextLayout.alternatives(DeviceKind.names)).
        The requests of programs are printed on standard error. The device is removed after a
        signal, or when the reader of the output closes it.

        A command behind -- is run with the environment variable that finds the bus, and its exit
        status becomes that of halo. Programs of Qt also need \(variable); a
        command has it.

        \(SimulatorKey.help)
        """)

    private static let variable: String = {
        let (name, value) = SimulatedDevice.daemonVersion
        return "\(name)=\(value)"
    }()

    init(_ arguments: ParsedArguments) throws(ArgumentError) {
        guard let word = arguments.words.first?.text else {
            throw .wrongUsage("say what to simulate: \(DeviceKind.words(DeviceKind.all))")
        }
        let kind = try Choice.value(
            word, of: "halo simulate", from: DeviceKind.names, DeviceKind.named)
        if let word = arguments.words.dropFirst().first {
            throw .wrongUsage("there is nothing to do with '\(word.text)' here")
        }
        let model = try arguments.value(of: Self.modelOption)
        if model != nil && kind != .ring {
            throw .wrongUsage("--model is for a ring, not for \(kind.withArticle)")
        }
        let command = (arguments.trailing ?? []).map(\.bytes)
        if arguments.trailing == [] { throw .wrongUsage("-- takes a command") }
        let adapter = try arguments.value(of: Self.adapterOption)
        guard arguments.has(Self.fakeOption) != (adapter != nil) else {
            throw .wrongUsage("give either --fake-bluez or --adapter hciN")
        }
        let others = try arguments.values(of: Self.withOption)
        guard others.count < Self.deviceLimit else {
            throw .wrongUsage("there can be at most \(Self.deviceLimit) devices")
        }
        if adapter != nil {
            let fakesOnly: [any VerbOption] = [
                Self.busOption, Self.everyoneOption, Self.withOption, Self.adaptersOption,
            ]
            for option in fakesOnly where arguments.has(option) {
                throw .wrongUsage("\(option.facts.word) is for --fake-bluez only")
            }
            if !command.isEmpty { throw .wrongUsage("a command is for --fake-bluez only") }
        }
        device = SimulatedDevice(
            models: [model?.optionName ?? kind.models[0]] + others,
            place: adapter.map { .adapter($0) }
                ?? .fakeBlueZ(
                    bus: try arguments.value(of: Self.busOption),
                    isForEveryone: arguments.has(Self.everyoneOption)),
            adapterCount: try arguments.value(of: Self.adaptersOption) ?? 1,
            seed: try arguments.value(of: Self.seedOption) ?? 1, command: command)
    }

    func run(_ console: inout Console) async throws(Failure) -> ExitStatus {
        #if os(Linux)
        return try await device.run(&console)
        #else
        throw Failure(.unusable, "a device for other programs needs Linux")
        #endif
    }
}
