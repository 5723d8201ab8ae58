public import HaloProtocol
package import HaloTransport

/// An attribute of a device with its UUID, the basis of the UUID, and its traffic.
public struct TrafficAttribute: Hashable, Sendable {
    /// The handle, or `nil` if the log has none.
    public let handle: UInt16?
    /// The type, or one made of the handle if it is unknown.
    public let uuid: BluetoothUUID
    /// The basis of the type.
    public let basis: ResolutionBasis
    /// The service that contains the attribute, or `nil` if it was not discovered.
    package internal(set) var service: BluetoothUUID?
    /// The properties of the characteristic with this value, or `nil` if they were not discovered.
    package internal(set) var properties: GATTProperties?
    /// The value handle whose notifications this descriptor switches, or `nil`.
    package internal(set) var subscribes: UInt16?
    /// The handle of the value that this descriptor belongs to, or its own one if that is not
    /// known; `nil` for a value.
    package internal(set) var describes: UInt16?
    package internal(set) var written = ValueCount()
    /// The values notified or indicated by the device.
    package internal(set) var notified = ValueCount()
    package internal(set) var read = ValueCount()
    package internal(set) var refusalCount = 0
    /// `true` if values are frames of a ring, with few exceptions.
    package internal(set) var hasRingFrames = false

    /// `true` for the values of a log that names neither their characteristic nor a handle.
    package var isUnnamed: Bool { uuid.unnamedHandle == 0 }

    package var isUsed: Bool {
        written.count > 0 || notified.count > 0 || read.count > 0 || refusalCount > 0
    }
}
