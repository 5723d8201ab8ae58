import HaloSimulator

/// `halo simulate ring` and `halo simulate strap`: a device for other programs.
struct SimulatedDeviceVerb: Verb {
    private let device: SimulatedDevice

    private static let deviceLimit = 32
    private static let adapterLimits = 1...16

    static let name = "simulate"
    static let summary = "simulates a device for other programs"
    static let helpCommand = "halo simulate ring --help"

    static let synopsis = """
        halo simulate ring|strap --fake-bluez [--bus PLACE] [--everyone] [--model M]
                                        [--seed S] [--with DEVICE …] [--adapters N]
                                        [-- COMMAND …]
               halo simulate ring|strap --adapter hciN [--model M] [--seed S]
        """

    static let details = """
        Simulates a ring or a chest strap, which any program with Bluetooth finds, until Ctrl-C.

          --fake-bluez   without a radio, on a private bus with a fake of BlueZ's daemon. The first
                         line of the output, DBUS_SYSTEM_BUS_ADDRESS=unix:…, is the environment
                         variable with which programs find the bus; the device is there then. A
                         command behind -- is run with that variable, and its exit status becomes
                         that of halo. Programs of Qt also need
                         \(variable); a command has it.
          --bus PLACE    the socket of the bus: a file to create, @NAME for an abstract socket, or
                         an address, unix:path=FILE; an unused abstract one if left out. Programs
                         of this user and of root may connect
          --everyone     programs of all users may connect to the bus
          --adapter hciN on the air: this computer is the device, for a phone or another computer
          --model M      the model of the ring: \(RingProfile.modelNames.joined(separator: ", ")); \
        r02 if left out
          --seed S       the seed of the virtual wearer; 1 if left out
          --with DEVICE  one more device: strap, or the model of a ring; can be repeated
          --adapters N   the number of adapters, hci0 and so on; 1 if left out

        The requests of programs are printed on standard error. The device is removed after a
        signal, or when the reader of the output closes it.

        Exit status: 0 after that, or that of the command; 1 if the device cannot be created, or is
        lost; 2 for wrong usage.
        """

    private static let variable: String = {
        let (name, value) = SimulatedDevice.daemonVersion
        return "\(name)=\(value)"
    }()

    /// `true` if the arguments of `halo simulate` begin with a device.
    static func isMeant(by arguments: [Argument]) -> Bool {
        [DeviceNames.ring, DeviceNames.strap].contains(arguments.first?.text)
    }

    init(_ arguments: inout ArgumentReader) throws(ArgumentError) {
        var (model, bus, adapter): (RingProfile?, String?, String?)
        var (isFake, isForEveryone, adapterCount, seed) = (false, false, 1, UInt64(1))
        var others: [SimulatedDevice.Kind] = []
        while let option = try arguments.next() {
            switch option {
            case "--fake-bluez": isFake = true
            case "--adapter": adapter = try arguments.value(of: option)
            case "--bus": bus = try arguments.value(of: option)
            case "--everyone": isForEveryone = true
            case "--adapters":
                adapterCount = try arguments.number(of: option, in: Self.adapterLimits)
            case "--with":
                let name = try arguments.repeatedValue(of: option)
                others.append(
                    try ArgumentReader.value(name, of: option, from: DeviceNames.virtual) { name in
                        name == DeviceNames.strap
                            ? .strap : RingProfile.named(name).map { .ring($0) }
                    })
                guard others.count < Self.deviceLimit else {
                    throw .wrongUsage("there can be at most \(Self.deviceLimit) devices")
                }
            case "--model":
                model = try arguments.value(
                    of: option, from: RingProfile.modelNames, RingProfile.named)
            case "--seed": seed = try arguments.seed(of: option)
            default: throw .unknown(option)
            }
        }
        // The device itself is the first word.
        guard let kind = arguments.words.first?.text, arguments.words.count == 1 else {
            throw .unknown(arguments.words.dropFirst().first?.text ?? "")
        }
        let isRing = kind == DeviceNames.ring
        if model != nil && !isRing { throw .wrongUsage("--model is for a ring, not for a strap") }
        let command = (arguments.command ?? []).map(\.bytes)
        if arguments.command == [] { throw .wrongUsage("-- takes a command") }
        guard isFake != (adapter != nil) else {
            throw .wrongUsage("give either --fake-bluez or --adapter hciN")
        }
        if adapter != nil {
            let fakesOnly = [
                (bus != nil, "--bus"), (isForEveryone, "--everyone"), (!others.isEmpty, "--with"),
                (adapterCount != 1, "--adapters"), (!command.isEmpty, "a command"),
            ]
            if let (_, option) = fakesOnly.first(where: \.0) {
                throw .wrongUsage("\(option) is for --fake-bluez only")
            }
        }
        device = SimulatedDevice(
            kinds: [isRing ? .ring(model ?? .r02) : .strap] + others,
            place: adapter.map { .adapter($0) }
                ?? .fakeBlueZ(bus: bus, isForEveryone: isForEveryone),
            adapterCount: adapterCount, seed: seed, command: command)
    }

    func run(_ console: inout Console) async -> ExitStatus {
        #if os(Linux)
        return await device.run(&console)
        #else
        console.report("a device for other programs needs Linux")
        return .foundFault
        #endif
    }
}
