import HaloProtocol
import HaloSimulator
import HaloTransport

/// A key that controls a simulated device, pressed at the terminal.
struct SimulatorKey: Hashable, Sendable {
    /// The character, in lower case.
    let character: Character
    /// What the key does.
    let words: String

    init(_ character: Character, _ words: String) {
        self.character = character
        self.words = words
    }

    static let wear = SimulatorKey("w", "take it off, or put it on")
    static let drain = SimulatorKey("d", "drain the battery by 20 %")
    /// The key that the host of a device obeys, not the device.
    static let loseLink = SimulatorKey("l", "lose the link")

    /// All keys in a paragraph of the help text.
    static var help: String {
        var keys: [SimulatorKey] = []
        for key in DeviceKind.all.flatMap({ $0.keys }) + [loseLink] where !keys.contains(key) {
            keys.append(key)
        }
        let rows = keys.map { "  \($0.character)  \($0.words)" }
        return "At a terminal, these keys control the device:\n" + rows.joined(separator: "\n")
    }

    /// Keys on one line.
    static func line(_ keys: [SimulatorKey]) -> String {
        "keys: " + keys.map { "\($0.character) \($0.words)" }.joined(separator: " · ")
    }
}

/// A virtual device that keys control.
protocol KeyControlled: GATTPeripheral {
    /// The name that the device advertises.
    var name: String { get }

    /// The keys that control such devices.
    static var keys: [SimulatorKey] { get }

    /// Does what a key says, and returns what has happened; `nil` if the device cannot do it.
    mutating func press(_ key: SimulatorKey) -> String?

    /// The light that the device gives at a moment; `nil` for a device that is no light.
    func deviceLight(at now: Moment) -> DeviceLight?
}

extension KeyControlled {
    func deviceLight(at now: Moment) -> DeviceLight? { nil }
}

/// The wearer of a virtual device.
struct VirtualWear {
    let wearer: Wearer
    /// The days that it was worn; `nil` for the usual ones.
    var days: Int?
    /// The seed of what is not the wearer.
    let seed: UInt64
}

/// The wearer and the options of this program's virtual devices: a seed is the same person in every
/// verb.
enum VirtualDevices {
    static func wearer(seed: UInt64) -> Wearer { Wearer(seed: seed, restingHeartRate: 54) }

    static func ringOptions(seed: UInt64) -> VirtualRingOptions {
        VirtualRingOptions(seed: seed, batteryPercent: 83)
    }
}
