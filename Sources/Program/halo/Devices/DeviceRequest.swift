import HaloCapture
import HaloDevices
import HaloProtocol
import HaloTransport

/// The device that a verb uses, and where: the same options for every verb.
struct DeviceRequest: Sendable {
    enum Device: Equatable, Sendable {
        /// The nearest one of the first kind that is there.
        case any
        case kind(DeviceKind)
        case address(PeripheralIdentity)
        /// A name, or the beginning of a word of it, in upper or lower case.
        case name(String)
    }

    enum Place: Sendable {
        /// The Bluetooth of a daemon; with virtual devices on a fake one.
        case bluetooth(BusChoice, VirtualChoice?)
        case virtual(VirtualChoice)
        case replay(FilePath)

        /// `false` for virtual and recorded devices.
        var isReal: Bool {
            if case .bluetooth(_, nil) = self { true } else { false }
        }

        var virtual: VirtualChoice? {
            switch self {
            case .bluetooth(_, let choice): choice
            case .virtual(let choice): choice
            case .replay: nil
            }
        }
    }

    let device: Device
    /// `true` if `--device` has named it.
    let isNamed: Bool
    /// `true` if an option of this call asks for virtual devices or a recording.
    let isVirtualByOption: Bool
    let place: Place
    /// The time to look for the device.
    let wait: Duration
    /// `true` if a device with a clock gets the time of this computer.
    let setsClock: Bool

    private static let deviceOption = Option<Device>(
        "device", letter: "d", .text("WHICH"),
        """
        the device: its name or the beginning of a word in it, its address, \
        \(DeviceKind.quotedNames) for the nearest one. By default, HALO_DEVICE, or what 'halo \
        use' remembers, or the nearest \(DeviceKind.words(DeviceKind.all))
        """
    ) { (argument) throws(Failure) in try Device(argument.text) }
    private static let replayOption = Option.file(
        "replay", "a capture that stands in for the device, with its recorded replies")
    private static let waitOption = Option.duration(
        "wait", "the time to look for the device, like 90s, 1m30s or 2h (default: 20s)")

    static let setClock = Flag(
        "set-clock",
        """
        sets the ring's clock, as apps do: most rings report their abilities only then. A clock \
        that shows another day is left alone, as the ring would lose what it has stored: 'halo \
        sync' keeps that first
        """)
    /// The reason for which ``setClock`` has no effect.
    static let clockWasLeft =
        "it was not set, as the ring would lose what it has stored; 'halo sync' keeps that, and "
        + "sets the clock"

    static let options = optionsWithoutWait + [waitOption]

    /// For a verb that does not wait for one device.
    static let optionsWithoutWait: [any VerbOption] =
        [deviceOption] + BusChoice.options + [VirtualChoice.option, replayOption]

    init(_ arguments: ParsedArguments) throws(Failure) {
        let bus = try BusChoice(arguments)
        let virtual = try arguments.value(of: VirtualChoice.option)
        let replay = try arguments.value(of: Self.replayOption)
        if replay != nil, virtual != nil || bus.isGiven {
            throw .wrongUsage("--replay excludes --adapter, --bus, --fake-bluez and --virtual")
        }
        if virtual != nil, bus.isGiven, !bus.isFake {
            throw .wrongUsage("--adapter and --bus cannot be used with --virtual")
        }
        let isElsewhere = bus.isFake || virtual != nil || replay != nil
        let named = try arguments.value(of: Self.deviceOption)
        var remembered =
            named == nil && !isElsewhere ? try RememberedDevice.current()?.request() : nil
        // A computer's Bluetooth has no virtual devices.
        if bus.isGiven { remembered?.virtual = nil }
        isNamed = named != nil
        isVirtualByOption = isElsewhere
        device = named ?? remembered?.device ?? .any
        place =
            if let replay {
                .replay(replay)
            } else if bus.isFake {
                .bluetooth(bus, virtual ?? VirtualChoice())
            } else if let virtual = virtual ?? remembered?.virtual {
                .virtual(virtual)
            } else {
                .bluetooth(bus, nil)
            }
        wait = try arguments.value(of: Self.waitOption) ?? .seconds(20)
        setsClock = arguments.has(Self.setClock)
    }
}

extension DeviceRequest.Device {
    init(_ text: String, of word: String = "--device") throws(Failure) {
        switch text.lowercased() {
        case "":
            throw .wrongUsage("\(word) takes a name, an address, \(DeviceKind.quotedNames)")
        case _ where Self.isAddress(text): self = .address(PeripheralIdentity(text.uppercased()))
        default: self = DeviceKind.named(text).map { .kind($0) } ?? .name(text)
        }
    }

    private static func isAddress(_ text: String) -> Bool {
        text.wholeMatch(of: /([0-9A-Fa-f]{2}:){5}[0-9A-Fa-f]{2}/) != nil
    }

    func words(of kinds: [DeviceKind] = DeviceKind.all) -> String {
        switch self {
        case .any: DeviceKind.words(kinds)
        case .kind(let kind): kind.noun
        case .address(let identity): "device with the address \(identity.rawValue)"
        case .name(let name): "\(DeviceKind.words(DeviceKind.all)) with a name like '\(name)'"
        }
    }

    /// Returns `true` for a name, and for the beginning of a word of it, in upper or lower case.
    static func isName(_ text: String, of name: String) -> Bool {
        " \(name.lowercased())".contains(" \(text.lowercased())")
    }

    /// `true` if no other device can be meant, and the kind of this one is known: its name may come
    /// in a later advertisement.
    func isOnly(_ found: Discovery) -> Bool {
        guard case .address(let identity) = self else { return false }
        return found.identity == identity && DeviceKind.of(found) != nil
    }

    /// The confidence that a device is the one, or `nil` if it is not; any one is of these kinds.
    func confidence(
        of found: Discovery, among kinds: [DeviceKind] = DeviceKind.all
    ) -> RingRecognition.Confidence? {
        if case .address(let identity) = self {
            return found.identity == identity ? .certain : nil
        }
        guard found.isConnectable != false, let kind = DeviceKind.of(found) else { return nil }
        let confidence = found.recognition.confidence
        switch self {
        case .address: return nil
        case .any:
            guard kinds.contains(kind) else { return nil }
            return kind == kinds.first ? confidence : min(confidence, .possible)
        case .kind(let wanted): return kind == wanted ? confidence : nil
        // Not all addresses are those of Bluetooth: virtual devices have others.
        case .name(let name)
        where found.identity.rawValue.lowercased() == name.lowercased():
            return .certain
        case .name(let name):
            guard let other = found.name, Self.isName(name, of: other) else { return nil }
            return other.lowercased() == name.lowercased() ? .certain : confidence
        }
    }
}
