/// A link of an air. Every link has its own number, so that a request to an ended link never
/// reaches a later one to the same device.
package struct AirLinkNumber: Hashable, Sendable {
    package let device: DeviceNumber
    /// The 1-based index of the link in the air.
    package let serial: UInt64

    package init(_ device: DeviceNumber, serial: UInt64) {
        self.device = device
        self.serial = serial
    }
}
