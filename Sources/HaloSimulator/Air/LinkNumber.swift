/// Which link of an air is meant: each one that comes about has a number of its own, so what is
/// asked of a link that has ended never reaches a later one to the same device.
public struct LinkNumber: Hashable, Sendable {
    /// Which device is at its end.
    public let device: DeviceNumber
    /// The how manieth link of the air it is.
    public let serial: UInt64

    /// A link by its device and number.
    public init(_ device: DeviceNumber, serial: UInt64) {
        self.device = device
        self.serial = serial
    }
}
