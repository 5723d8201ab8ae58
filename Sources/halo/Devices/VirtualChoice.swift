import HaloProtocol
import HaloSimulator
import HaloTransport

/// The names of kinds of devices, as options take them.
enum DeviceNames {
    static let ring = "ring"
    static let strap = "strap"
    /// The kinds of virtual devices: the models of rings, and the strap.
    static let virtual = RingProfile.optionNames + [strap]
}

extension RingProfile {
    /// The models as options name them.
    static let optionNames = all.map(\.optionName)

    /// The model as options name it.
    var optionName: String { model.lowercased() }

    /// The profile of a model, in upper or lower case.
    static func named(_ model: String) -> RingProfile? {
        all.first { $0.optionName == model.lowercased() }
    }
}

extension Option<RingProfile> {
    /// An option that takes the model of a ring.
    static func profile(_ name: String, _ help: String) -> Option {
        .choice(
            name, "MODEL", from: RingProfile.optionNames,
            "\(help). One of: \(RingProfile.optionNames.joined(separator: " "))",
            RingProfile.named)
    }
}

/// The wearer and the options of this program's virtual devices: a seed is the same person in every
/// verb.
enum VirtualDevices {
    static func wearer(seed: UInt64) -> Wearer { Wearer(seed: seed, restingHeartRate: 54) }

    static func ringOptions(seed: UInt64) -> VirtualRingOptions {
        VirtualRingOptions(seed: seed, batteryPercent: 83)
    }
}

/// Virtual devices in place of real ones: `--virtual=r12,seed=5,days=7,speed=10`.
struct VirtualChoice: Hashable, Sendable {
    /// The kinds of devices: a ring and a strap if left out.
    private var kind: String?
    private(set) var seed: UInt64 = 3
    private var days = 2
    /// The speed of time as a multiple of the real one, or `nil` for that of the verb.
    private var speed: Int?

    private static let dayLimits = 1...30
    private static let speedLimits = 1...100_000
    private static let form = "MODEL,seed=N,days=N,speed=N"

    static let option = Option<VirtualChoice>(
        "virtual", .optional(form),
        """
        virtual devices in place of real ones: a model \
        (\(DeviceNames.virtual.joined(separator: " ")); an r02 and a strap if left out), the seed \
        of their wearer (3), the days that they were worn (2), the speed of time
        """
    ) { (argument) throws(ArgumentError) in try VirtualChoice(argument.text) }

    init() {}

    /// Reads the text behind `--virtual=`.
    init(_ text: String) throws(ArgumentError) {
        if text == "" { return }
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = pair.first, let value = pair.dropFirst().first.map(String.init) else {
                guard kind == nil else { throw .wrongUsage("--virtual takes one model") }
                kind = try Choice.value(
                    String(part), of: "--virtual", from: DeviceNames.virtual
                ) { DeviceNames.virtual.contains($0.lowercased()) ? $0.lowercased() : nil }
                continue
            }
            switch name {
            case "seed": seed = try Option<UInt64>.value(value, of: "--virtual=seed")
            case "days": days = try Self.number(value, of: name, in: Self.dayLimits)
            case "speed": speed = try Self.number(value, of: name, in: Self.speedLimits)
            default:
                throw .wrongUsage("--virtual takes \(Self.form), not '\(part)'")
            }
        }
    }

    private static func number(
        _ text: String, of name: Substring, in limits: ClosedRange<Int>
    ) throws(ArgumentError) -> Int {
        guard let number = Int(text), limits ~= number else {
            throw .wrongUsage(
                "--virtual=\(name) takes a whole number from \(limits.lowerBound) to "
                    + "\(limits.upperBound), not '\(text)'")
        }
        return number
    }

    /// The devices in words, for a capture.
    var words: String { "virtual \(kind ?? "r02 and strap"), seed \(seed)" }

    /// Returns an air with the devices. Time is real, or faster, for a verb that shows it to a
    /// person; it is virtual for another one.
    func air(isShown: Bool) -> VirtualBluetooth {
        let pace = speed ?? (isShown ? 1 : nil)
        let air = VirtualBluetooth(
            seed: seed, mode: pace.map { .realTime(speed: $0) } ?? .automatic,
            startingAt: VirtualBluetooth.defaultStart.advanced(bySeconds: days * 86_400))
        place(ring: { air.add($0) }, strap: { air.add($0) })
        return air
    }

    /// Hands out the devices.
    func place(ring: (VirtualRing) -> Void, strap: (VirtualHeartRateSensor) -> Void) {
        let wearer = VirtualDevices.wearer(seed: seed)
        if kind != DeviceNames.strap {
            ring(
                VirtualRing(
                    kind.flatMap(RingProfile.named) ?? .r02, wearer: wearer, days: days,
                    options: VirtualDevices.ringOptions(seed: seed)))
        }
        if kind == nil || kind == DeviceNames.strap {
            strap(VirtualHeartRateSensor(location: .chest, wearer: wearer))
        }
    }
}
