import HaloSimulator

/// The wearer of a virtual device.
struct VirtualWear {
    let wearer: Wearer
    /// The days that it was worn; `nil` for the usual ones.
    var days: Int?
    /// The seed of what is not the wearer.
    let seed: UInt64
}
