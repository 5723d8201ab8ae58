/// A link of an air. Every link has its own number, so that a request to an ended link never
/// reaches a later one to the same device.
package struct AirLinkNumber: Hashable, Sendable {
    package let device: DeviceNumber
    package let serial: UInt64
}
