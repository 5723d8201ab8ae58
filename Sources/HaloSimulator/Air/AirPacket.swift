internal import HaloProtocol
internal import HaloTransport

/// What travels to a device.
enum AirPacketToDevice {
    /// One of the requests that the device's host answers by itself: discovery, the parts of a
    /// long write.
    case housekeeping
    case read(AttributeID, offset: Int)
    case write(AttributeID, [UInt8])
    case subscribe(AttributeID, isOn: Bool)
    case command(AttributeID, [UInt8])
    case confirmation(AttributeID)
    case mtuAnswer(Int)
    case terminate
}

/// What travels to a central.
enum AirPacketToCentral {
    case housekeeping
    case value([UInt8])
    case done
    case refusal(ATTError)
    case notification(AttributeID, [UInt8])
    case indication(AttributeID, [UInt8])
    case mtuRequest(Int)
    case servicesChanged
    case terminate

    /// Whether it is something that the device said unasked.
    var isUnasked: Bool {
        switch self {
        case .notification, .indication: true
        case .housekeeping, .value, .done, .refusal, .mtuRequest, .servicesChanged, .terminate:
            false
        }
    }
}

/// A packet that waits, and since when.
struct AirWaiting<Packet> {
    let packet: Packet
    let since: Moment
    /// Whether faults were drawn for it already.
    var isJudged = false
}
