import HaloSimulator

struct VirtualWear {
    static let dayLimits = 0...60

    let wearer: Wearer
    /// The days that it was worn; `nil` for the usual ones.
    var days: Int?
    /// The seed of what is not the wearer.
    let seed: UInt64
    var batteryPercent: Int?
    var faults: [VirtualFault] = []

    /// A seed is the same person in every verb.
    static func wearer(seed: UInt64) -> Wearer { Wearer(seed: seed, restingHeartRate: 54) }

    static func ringOptions(seed: UInt64) -> VirtualRingOptions {
        VirtualRingOptions(seed: seed, batteryPercent: 83)
    }
}
