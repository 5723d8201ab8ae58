import HaloSimulator

/// What virtual devices begin with: a seed is the same person in every verb.
enum VirtualDevices {
    static func wearer(seed: UInt64) -> Wearer { Wearer(seed: seed, restingHeartRate: 54) }

    static func ringOptions(seed: UInt64) -> VirtualRingOptions {
        VirtualRingOptions(seed: seed, batteryPercent: 83)
    }
}
