import HaloSimulator

/// The wearer of a virtual device, and the state that it begins with.
struct VirtualWear {
    /// The days that a virtual device can have been worn.
    static let dayLimits = 0...60

    let wearer: Wearer
    /// The days that it was worn; `nil` for the usual ones.
    var days: Int?
    /// The seed of what is not the wearer.
    let seed: UInt64
    /// The charge of its battery; `nil` for the usual one.
    var batteryPercent: Int?
    /// The faults of a ring.
    var faults: [VirtualFault] = []
}
