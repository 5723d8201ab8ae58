public import HaloCapture
public import HaloProtocol

/// A connection between an app and a device in a file of traffic.
public struct TrafficConnection: Hashable, Sendable {
    /// The number of the connection, counted from 1 in the order of their first records.
    public let number: Int
    /// The device's address, or `nil` if the file lacks it.
    public internal(set) var address: DeviceAddress?
    /// The device's name by its advertisements, or `nil` without one.
    public internal(set) var name: AdvertisedName?
    /// The end of the connection at which the recorder was.
    public internal(set) var role = DeviceRole.unknown
    package internal(set) var roleBasis = RoleBasis.assumed
    package internal(set) var firstRecord = 0
    /// The time of its first record, in the file's microseconds.
    public internal(set) var firstMicroseconds: Int64 = 0
    /// The latest time of its records, in the file's microseconds.
    public internal(set) var lastMicroseconds: Int64 = 0
    package internal(set) var lastRecord = 0
    /// The maximum transfer unit that was agreed last; `nil` without an agreement.
    public internal(set) var mtu: UInt16?
    package internal(set) var isEncrypted = false
    /// `true` if its packets can be read, even if they were encrypted in the air.
    package internal(set) var isReadable = true
    package internal(set) var hasEnded = false
    /// The controller's reason for its end, or `nil` if it was not recorded.
    package internal(set) var endReason: UInt8?
    /// The attributes that were discovered or used, in the order of handles.
    public internal(set) var attributes: [TrafficAttribute] = []

    package var valueCount: Int {
        attributes.reduce(0) { $0 + $1.written.count + $1.notified.count + $1.read.count }
    }

    package var hasConversation: Bool { attributes.contains(where: \.isUsed) }

    /// `true` if the values of a ring's characteristics are frames with correct checksums.
    ///
    /// The characteristics alone decide nothing: Nordic's UART service has the same ones, and many
    /// devices have that.
    public var isRing: Bool {
        attributes.contains { attribute in
            attribute.hasRingFrames
                && (attribute.uuid == RingServices.uartWrite
                    || attribute.uuid == RingServices.uartNotify)
        }
    }

    /// `true` if the connection was recorded on the device's side, and another one is the same
    /// connection, recorded on the app's side by another adapter.
    func isMirrored(in connections: [TrafficConnection]) -> Bool {
        guard role == .local, let address else { return false }
        return connections.contains {
            $0.role == .remote && $0.address == address
                && $0.firstRecord < lastRecord && firstRecord < $0.lastRecord
        }
    }
}
