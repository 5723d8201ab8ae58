internal import HaloTransport

enum AirPacketToDevice: AirPacket {
    /// A request that the device's host answers without the device: discovery, a part of a long
    /// write.
    case housekeeping
    case read(AttributeID, offset: Int)
    case write(AttributeID, [UInt8])
    case subscribe(AttributeID, isOn: Bool)
    case command(AttributeID, [UInt8])
    case confirmation(AttributeID)
    case mtuAnswer(Int)
    case terminate

    var subject: (FaultSubject, AttributeID, [UInt8])? {
        switch self {
        case .read(let id, _): (.read, id, [])
        case .write(let id, let value), .command(let id, let value): (.write, id, value)
        case .subscribe(let id, _): (.subscription, id, [])
        case .housekeeping, .confirmation, .mtuAnswer, .terminate: nil
        }
    }
}
