import HaloProtocol
import HaloSimulator

/// Virtual devices in place of real ones: `--virtual=r12,seed=5,days=7,speed=10`.
struct VirtualChoice: Hashable, Sendable {
    /// The model of the device; one device of each kind if left out.
    private var model: String?
    private(set) var seed: UInt64 = 3
    private var days = 2
    /// The speed of time as a multiple of the real one, or `nil` for that of the verb.
    private var speed: Int?
    private var faults: [VirtualFault] = []

    private static let speedLimits = 1...100_000
    private static let form = "MODEL,seed=N,days=N,speed=N,fault=FAULT"

    static let option = Option<VirtualChoice>(
        "virtual",
        .optional(form, beginnings: DeviceKind.models + ["seed=", "days=", "speed=", "fault="]),
        """
        virtual devices in place of real ones: a model \
        (\(DeviceKind.models.joined(separator: " ")); one of each kind by default), the seed of \
        their wearer (default: 3), the days that they were worn (2), the speed of time (1 is \
        real time), and faults of a ring as in 'halo simulate', each with its own fault=
        """
    ) { (argument) throws(Failure) in try VirtualChoice(argument.text) }

    init() {}

    init(_ text: String) throws(Failure) {
        if text == "" { return }
        var names: Set<Substring> = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = pair.first, let value = pair.dropFirst().first.map(String.init) else {
                guard model == nil else { throw .wrongUsage("--virtual takes one model") }
                model = try Choice.value(
                    String(part), of: "--virtual", from: DeviceKind.models
                ) { DeviceKind.models.contains($0.lowercased()) ? $0.lowercased() : nil }
                continue
            }
            guard names.insert(name).inserted || name == "fault" else {
                throw .wrongUsage("--virtual takes one \(name)")
            }
            switch name {
            case "seed": seed = try Option<UInt64>.value(value, of: "--virtual=seed")
            case "days":
                days = try Option.value(value, of: "--virtual=days", in: VirtualWear.dayLimits)
            case "speed":
                speed = try Option.value(value, of: "--virtual=speed", in: Self.speedLimits)
            case "fault": faults.append(try VirtualFault(value, of: "--virtual=fault"))
            default:
                throw .wrongUsage("--virtual takes \(Self.form), not '\(part)'")
            }
        }
        if !faults.isEmpty, lacks(.ring) { throw .wrongUsage("--virtual=fault is for a ring") }
    }

    var words: String { "virtual \(models.joined(separator: " and ")), seed \(seed)" }

    private var models: [String] {
        model.map { [$0] } ?? DeviceKind.all.compactMap { $0.models.first }
    }

    /// Returns an air with the devices. Time is real, or faster, for a verb that shows it to a
    /// person; it is virtual for another one.
    func air(isShown: Bool) -> VirtualBluetooth {
        let pace = speed ?? (isShown ? 1 : nil)
        let air = VirtualBluetooth(
            seed: seed, mode: pace.map { .realTime(speed: $0) } ?? .automatic,
            startingAt: VirtualBluetooth.defaultStart.advanced(bySeconds: days * 86_400))
        for device in devices { Self.add(device, to: air) }
        return air
    }

    private static func add(_ device: some ControlledDevice, to air: VirtualBluetooth) {
        air.add(device)
    }

    func lacks(_ kind: DeviceKind) -> Bool { !models.contains(where: kind.models.contains) }

    /// The devices. One person wears all of them.
    var devices: [any ControlledDevice] {
        let wear = VirtualWear(
            wearer: VirtualWear.wearer(seed: seed), days: days, seed: seed, faults: faults)
        return models.compactMap { DeviceKind.virtual($0, wear) }
    }
}
