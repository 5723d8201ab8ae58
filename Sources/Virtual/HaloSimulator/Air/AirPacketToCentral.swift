internal import HaloTransport

enum AirPacketToCentral: AirPacket {
    case housekeeping
    case value([UInt8])
    case done
    case refusal(ATTError)
    case notification(AttributeID, [UInt8])
    case indication(AttributeID, [UInt8])
    case mtuRequest(Int)
    case servicesChanged
    case terminate

    var subject: (FaultSubject, AttributeID, [UInt8])? {
        switch self {
        case .notification(let id, let value), .indication(let id, let value):
            (.notification, id, value)
        case .housekeeping, .value, .done, .refusal, .mtuRequest, .servicesChanged, .terminate:
            nil
        }
    }
}
