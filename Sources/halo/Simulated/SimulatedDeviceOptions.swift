import HaloSimulator

/// What `halo simulate ring` or `halo simulate strap` was asked to do.
struct SimulatedDeviceOptions {
    /// Where programs meet the device.
    enum Place: Equatable {
        /// On a bus of its own, which listens at a place, or at one that nobody else has.
        case fakeBlueZ(bus: String?)
        /// On the air, by an adapter of this computer.
        case adapter(String)
    }

    /// Which ring; nothing for a strap.
    var profile: RingProfile?
    var place = Place.fakeBlueZ(bus: nil)
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
        var isFake = false
        options: while let argument = rest.popFirst() {
            switch argument {
            case "--fake-bluez": isFake = true
            case "--adapter": adapter = try given.value(of: argument, &rest)
            case "--bus": bus = try given.value(of: argument, &rest)
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
        profile = isRing ? model ?? .r02 : nil
        place = try Self.place(isFake: isFake, bus: bus, adapter: adapter)
        if case .adapter = place, !command.isEmpty {
            throw UsageError(reason: "a command goes with --fake-bluez")
        }
    }

    private static func place(
        isFake: Bool, bus: String?, adapter: String?
    ) throws(UsageError) -> Place {
        switch (isFake, adapter) {
        case (true, nil): return .fakeBlueZ(bus: bus)
        case (false, let adapter?):
            if bus != nil { throw UsageError(reason: "--bus goes with --fake-bluez") }
            return .adapter(adapter)
        case (true, _?), (false, nil):
            throw UsageError(reason: "say where: either --fake-bluez or --adapter hciN")
        }
    }

    private static func model(_ text: String) throws(UsageError) -> RingProfile {
        guard let known = DemoOptions.profiles.first(where: { $0.name == text.lowercased() })
        else {
            throw UsageError(reason: "there is no model '\(text)', only \(models)")
        }
        return known.profile
    }

    /// The kinds of ring.
    static var models: String { DemoOptions.profiles.map(\.name).joined(separator: ", ") }
}
