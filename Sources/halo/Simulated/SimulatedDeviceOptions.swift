import HaloProtocol
import HaloSimulator
import HaloTransport

/// What `halo simulate ring` or `halo simulate strap` was asked to do.
struct SimulatedDeviceOptions {
    /// Where programs meet the device.
    enum Place: Equatable {
        /// On a bus of its own, which listens at a place, or at one that nobody else has, and is
        /// for this user alone or for everybody.
        case fakeBlueZ(bus: String?, isForEveryone: Bool)
        /// On the air, by an adapter of this computer.
        case adapter(String)
    }

    /// What a device is.
    enum Kind {
        case ring(RingProfile)
        case strap
    }

    /// The device, and those that are to be there beside it.
    var kinds: [Kind] = []
    var place = Place.fakeBlueZ(bus: nil, isForEveryone: false)
    var adapterCount = 1
    var seed: UInt64 = 1
    /// A program that is run beside the device, with its arguments; the device ends with it.
    var command: [String] = []
    var wantsHelp = false

    static let ring = "ring"
    static let strap = "strap"

    /// Whether it is these options that are meant.
    static func areMeant(by arguments: [String]) -> Bool {
        arguments.first == ring || arguments.first == strap
    }

    init(_ arguments: [String]) throws(UsageError) {
        var rest = arguments.dropFirst()
        let isRing = arguments.first == Self.ring
        var given = GivenOptions()
        var (model, bus, adapter): (RingProfile?, String?, String?) = (nil, nil, nil)
        var (isFake, isForEveryone) = (false, false)
        var others: [Kind] = []
        options: while let argument = rest.popFirst() {
            switch argument {
            case "--fake-bluez": isFake = true
            case "--adapter": adapter = try given.value(of: argument, &rest)
            case "--bus": bus = try given.value(of: argument, &rest)
            case "--everyone": isForEveryone = true
            case "--adapters":
                adapterCount = try Self.count(try given.value(of: argument, &rest))
            case "--with":
                guard let text = rest.popFirst() else {
                    throw UsageError(reason: "--with needs a device")
                }
                others.append(text == Self.strap ? .strap : .ring(try Self.model(text)))
                guard others.count < Self.mostDevices else {
                    throw UsageError(reason: "\(Self.mostDevices) devices are enough")
                }
            case "--model": model = try Self.model(try given.value(of: argument, &rest))
            case "--seed":
                let text = try given.value(of: argument, &rest)
                guard let number = UInt64(text) else {
                    throw UsageError(reason: "--seed needs a number, and '\(text)' is none")
                }
                seed = number
            case "--help", "-h": wantsHelp = true
            case "--":
                command = Array(rest)
                if command.isEmpty { throw UsageError(reason: "-- stands before a command") }
                break options
            default: throw .unknown(argument)
            }
        }
        if wantsHelp { return }
        if model != nil && !isRing { throw UsageError(reason: "--model is for a ring") }
        kinds = [isRing ? .ring(model ?? .r02) : .strap] + others
        guard let adapter else {
            guard isFake else { throw Self.noPlace }
            place = .fakeBlueZ(bus: bus, isForEveryone: isForEveryone)
            return
        }
        if isFake { throw Self.noPlace }
        place = .adapter(adapter)
        let fakesOnly = [
            (bus != nil, "--bus goes"), (isForEveryone, "--everyone goes"),
            (!others.isEmpty, "--with goes"), (adapterCount != 1, "--adapters goes"),
            (!command.isEmpty, "a command goes"),
        ]
        if let (_, what) = fakesOnly.first(where: \.0) {
            throw UsageError(reason: "\(what) with --fake-bluez")
        }
    }

    private static let noPlace = UsageError(
        reason: "say where: either --fake-bluez or --adapter hciN")
    private static let mostDevices = 32
    private static let mostAdapters = 16

    private static func count(_ text: String) throws(UsageError) -> Int {
        guard let count = Int(text), 1...mostAdapters ~= count else {
            throw UsageError(
                reason: "--adapters needs a number from 1 to \(mostAdapters), and '\(text)' is none"
            )
        }
        return count
    }

    private static func model(_ text: String) throws(UsageError) -> RingProfile {
        guard let known = DemoOptions.profiles.first(where: { $0.name == text.lowercased() })
        else {
            throw UsageError(reason: "there is no model '\(text)', only \(models)")
        }
        return known.profile
    }

    /// The devices, which one person wears, and what they are called.
    var devices: [(device: any GATTPeripheral, name: String)] {
        let wearer = Wearer(seed: seed, restingHeartRate: 54)
        return zip(UInt64(0)..., kinds).map { number, kind in
            switch kind {
            case .ring(let profile):
                let ring = VirtualRing(
                    profile, wearer: wearer,
                    options: VirtualRingOptions(seed: seed &+ number, batteryPercent: 83))
                return (ring, ring.name)
            case .strap:
                let strap = VirtualHeartRateSensor(location: .chest, wearer: wearer)
                return (strap, strap.options.name)
            }
        }
    }

    /// The kinds of ring.
    static var models: String { DemoOptions.profiles.map(\.name).joined(separator: ", ") }
}
